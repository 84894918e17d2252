/// The checks that flag a trip.
package struct CostFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ check: CostCheck) { rawValue = 1 << UInt8(check.rawValue) }

    package func contains(_ check: CostCheck) -> Bool { contains(CostFlags(check)) }

    package var checks: [CostCheck] { CostCheck.allCases.filter { contains($0) } }
}

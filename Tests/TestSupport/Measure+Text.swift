import KPIContract

/// Tests name measures as the contract does: `cell["response.p90"]`.
extension Measure: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral name: String) {
        guard let measure = Measure(name: name) else { preconditionFailure("no measure has the name \(name)") }
        self = measure
    }
}

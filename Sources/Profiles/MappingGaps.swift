package import Trips

/// What an export has no column for, and what the figures lack without it: for a person, before the figures are used.
package struct MappingGaps: Sendable, Hashable {
    /// What a profile may leave open though a trip can be counted without it.
    package enum Gap: Sendable, Hashable, CaseIterable {
        case status, region, tripType, patientID, cost, loadedMiles, response, duration, sourcing, zone

        /// Nil for what is no field.
        var field: CanonicalField? {
            switch self {
            case .status: .status
            case .region: .region
            case .tripType: .tripType
            case .patientID: .patientID
            case .cost: .cost
            case .loadedMiles: .loadedMiles
            case .response, .duration, .sourcing, .zone: nil
            }
        }

        /// Of an interval that has no times and no column of its own.
        package init?(_ interval: TripInterval) {
            switch interval {
            case .response: self = .response
            case .duration: self = .duration
            default: return nil
            }
        }

        fileprivate var consequence: String {
            switch self {
            case .status: "every record counts as a completed trip"
            case .region: "regions are Unassigned"
            case .tripType: "trip types are Unassigned"
            case .patientID: "patients are not counted, and the release then counts trips only (docs/privacy.md)"
            case .cost: "costs are unknown"
            case .loadedMiles: "loaded miles are unknown"
            case .response: "response times are unknown"
            case .duration: "durations are unknown"
            case .sourcing: "no trip is in-house or contracted by a rule"
            case .zone: "no zone is set, so times without an offset are taken as they are printed"
            }
        }
    }

    package let gaps: Set<Gap>

    package init(_ gaps: Set<Gap>) {
        self.gaps = gaps
    }

    /// The fields among them that an export has neither as a column nor as a constant.
    package static func gaps(has: (CanonicalField) -> Bool) -> Set<Gap> {
        // Miles are also read from odometers, and from the units of charge lines.
        let hasMiles = has(.odometerStart) && has(.odometerEnd) || has(.units)
        return Set(
            Gap.allCases.filter { gap in
                gap.field.map { !has($0) && !($0 == .loadedMiles && hasMiles) } ?? false
            })
    }

    /// `status, region: every record counts as a completed trip; regions are Unassigned`; nil if there is none.
    package var list: String? {
        let all = Gap.allCases.filter(gaps.contains)
        guard !all.isEmpty else { return nil }
        let names = all.compactMap { gap in
            switch gap {
            case .sourcing: "the rules of sourcing"
            case .response, .duration: "both ends of \(gap)"
            default: gap.field?.rawValue
            }
        }
        let consequences = all.map(\.consequence).joined(separator: "; ")
        return names.isEmpty ? consequences : "\(names.joined(separator: ", ")): \(consequences)"
    }

    /// One line for a scan; nil if there is none.
    package var sentence: String? {
        list.map { gaps == [.zone] ? $0 : "no column is mapped for \($0)" }
    }
}

package import Trips

/// What row-level output may show. The raw value is what a user writes.
package enum PrivacyProfile: String, CaseIterable, Sendable, Hashable {
    /// 45 CFR 164.514(b)(2).
    case safeHarbor = "safe-harbor"
    /// 45 CFR 164.514(e).
    case limitedDataSet = "limited-data-set"
    /// Whether dates are years, places are states and large ZIP areas, ages over 89 are one class, and measures are
    /// rounded to steps.
    var isCoarse: Bool { self == .safeHarbor }
    /// What becomes of an identifier.
    package enum Treatment: Sendable, Hashable {
        case removed
        /// What is left of it.
        case reduced(to: String)

        package var words: String {
            switch self {
            case .removed: "removed"
            case .reduced(let rest): rest
            }
        }
    }

    package func treatment(of identifier: Identifier) -> Treatment {
        switch (identifier, self) {
        case (.geography, .safeHarbor): .reduced(to: "state; ZIP3 by the dated list, else 000")
        case (.geography, .limitedDataSet): .reduced(to: "city, state, ZIP5, region")
        case (.dates, .safeHarbor): .reduced(to: "year of service; age, over 89 as 90+")
        case (.dates, .limitedDataSet): .reduced(to: "days of service and birth")
        case (.other, .safeHarbor): .reduced(to: "measures in steps; a random id")
        case (.other, .limitedDataSet): .reduced(to: "exact measures; a random id")
        default: .removed
        }
    }

    /// The identifying fields of an export that this profile uses. No other is read.
    package var fieldsRead: [CanonicalField] {
        [.patientDOB, .patientZIP, .patientState] + (isCoarse ? [] : [.patientCity])
    }

    /// The basis of release in each row, so that no row is separated from it.
    package var label: String {
        switch self {
        case .safeHarbor: "safe-harbor"
        case .limitedDataSet: "limited-data-set: PHI, data use agreement required"
        }
    }

    /// The basis of release, for the head of the file.
    package var statement: String {
        switch self {
        case .safeHarbor:
            "De-identified by the Safe Harbor method, 45 CFR 164.514(b)(2): the identifiers (A) to (R) are removed. Of "
                + "dates only the year stays, of places nothing smaller than a state but three-digit ZIP areas of more "
                + "than 20,000 people, ages over 89 are 90+, ids are random, measures are in steps. It holds whole "
                + "calendar years that are over, and of each group of like trips only a multiple of the minimum cell. "
                + "Whoever releases it must have no actual knowledge that a person could be identified from it."
        case .limitedDataSet:
            "This is protected health information: a limited data set, 45 CFR 164.514(e). It has dates and places. It may "
                + "be used only for research, public health or health care operations, under a data use agreement that "
                + "forbids identifying or contacting anyone."
        }
    }
}

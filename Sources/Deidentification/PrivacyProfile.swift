package import Trips

/// What row-level output may show, as a value: nothing about a profile stands anywhere else.
package struct PrivacyProfile: Sendable, Hashable {
    /// What a user writes for it.
    package enum Name: String, CaseIterable, Sendable, Hashable {
        case safeHarbor = "safe-harbor"
        case limitedDataSet = "limited-data-set"
    }

    /// How much of a date stays.
    enum DateDetail: Sendable, Hashable {
        case year, day
    }

    /// How much of a place stays.
    enum PlaceDetail: Sendable, Hashable {
        /// State, and the three-digit ZIP area if more than 20,000 people live there.
        case stateAndZIPArea
        case cityStateZIP
    }

    package let name: Name
    let dates: DateDetail
    let places: PlaceDetail
    /// Whether ages over 89 become one class, and exact measures steps.
    let isCoarse: Bool

    /// 45 CFR 164.514(b)(2).
    package static let safeHarbor = PrivacyProfile(
        name: .safeHarbor, dates: .year, places: .stateAndZIPArea, isCoarse: true)
    /// 45 CFR 164.514(e).
    package static let limitedDataSet = PrivacyProfile(
        name: .limitedDataSet, dates: .day, places: .cityStateZIP, isCoarse: false)

    package static func named(_ name: Name) -> PrivacyProfile {
        switch name {
        case .safeHarbor: safeHarbor
        case .limitedDataSet: limitedDataSet
        }
    }

    /// What becomes of an identifier.
    package enum Treatment: Sendable, Hashable {
        case removed
        /// What stays of it.
        case reduced(to: String)

        package var words: String {
            switch self {
            case .removed: "removed"
            case .reduced(let rest): rest
            }
        }
    }

    package func treatment(of identifier: Identifier) -> Treatment {
        switch (identifier, name) {
        case (.geography, .safeHarbor): .reduced(to: "state; ZIP3 by the dated list, else 000")
        case (.geography, .limitedDataSet): .reduced(to: "city, state, ZIP5, region")
        case (.dates, .safeHarbor): .reduced(to: "year of service; age, over 89 as 90+")
        case (.dates, .limitedDataSet): .reduced(to: "days of service and birth")
        case (.other, .safeHarbor): .reduced(to: "measures in steps; a random id")
        case (.other, .limitedDataSet): .reduced(to: "exact measures; a random id")
        default: .removed
        }
    }

    /// The identifying fields of an export that this profile lets anything through of. No other is asked of the reader.
    package var fieldsRead: [CanonicalField] {
        [.patientDOB, .patientZIP, .patientState] + (places == .cityStateZIP ? [.patientCity] : [])
    }

    /// What stands in each row, so that no row goes about without its basis.
    package var label: String {
        switch name {
        case .safeHarbor: "safe-harbor"
        case .limitedDataSet: "limited-data-set: PHI, data use agreement required"
        }
    }

    /// The basis of release, for the head of the file.
    package var statement: String {
        switch name {
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

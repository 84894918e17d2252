import ExportBytes
import Profiles
import Trips

/// What is odd about the records that were made into trips, though all of them count.
struct CompositionRemarks: Sendable {
    /// Trips whose records differ in a field, and where the first of them begins.
    private var differing: [CanonicalField: (trips: Int, first: RecordPlace)] = [:]
    /// Records that are exact copies of another record of their trip.
    var copies = 0
    /// Records that say the same as another of their trip, in the columns that are read.
    var repeats = 0
    /// Trips that were made of records.
    var trips = 0
    /// Trips whose records are not those of one trip, and where the first of them begins.
    private var doubtful: [Doubt: (trips: Int, first: RecordPlace)] = [:]
    /// How many charge lines state each currency.
    var currencies: [Currency: Int] = [:]
    /// Records with an event code that the profile does not map.
    var unmappedEvents = 0
    /// Status changes whose time cannot be read.
    var unreadableEvents = 0

    /// What shows that records are not those of one trip.
    enum Doubt: CaseIterable {
        /// The records are of more than one vehicle.
        case severalVehicles
        /// Their days are more than a week apart.
        case farApart
        /// A base rate is charged twice.
        case repeatedBase
        /// Mileage without a base rate, or an amount taken back that is not there.
        case partOfLines
    }

    mutating func noteDoubt(_ doubt: Doubt, at place: RecordPlace) {
        let known = doubtful[doubt]
        let isFirst = known.map { place.byteOffset < $0.first.byteOffset } ?? true
        doubtful[doubt] = ((known?.trips ?? 0) + 1, isFirst ? place : known?.first ?? place)
    }

    mutating func note(_ field: CanonicalField, at place: RecordPlace) {
        let known = differing[field]
        let isFirst = known.map { place.byteOffset < $0.first.byteOffset } ?? true
        differing[field] = ((known?.trips ?? 0) + 1, isFirst ? place : known?.first ?? place)
    }

    /// A sentence for each.
    func sentences(_ kind: String, recordNumber: (RecordPlace) -> Int) -> [String] {
        var sentences = CanonicalField.allCases.compactMap { field in
            differing[field].map { found in
                "the \(kind) of \(Self.trips(found.trips)) differ in \(field.rawValue), the first at record "
                    + "\(recordNumber(found.first)): the value of the first of them counts"
            }
        }
        if copies > 0 {
            sentences.append(
                "\(copies) exact \(copies == 1 ? "copy" : "copies") of another record of the same trip: charge lines are added up "
                    + "all the same"
            )
        }
        for doubt in Doubt.allCases {
            guard let found = doubtful[doubt] else { continue }
            sentences.append("\(Self.text(doubt, found.trips)), the first at record \(recordNumber(found.first))")
        }
        if unreadableEvents > 0 {
            sentences.append("the times of \(unreadableEvents) status changes cannot be read")
        }
        if unmappedEvents > 0 {
            sentences.append(
                "\(Self.records(unmappedEvents)) an event code that the profile does not map: no time is taken from it")
        }
        return sentences
    }

    /// Why the records are not what the profile says; nil: they may be. One or two cases may be slips.
    ///
    /// - Parameter records: that were put aside.
    func refusal(
        _ kind: RecordKind, records: Int, file: String, recordNumber: (RecordPlace) -> Int
    ) -> ExportError? {
        if repeats >= Self.fewestDoubtful, repeats * 10 > records {
            return ExportError(
                kind: .unclearRecords, file: file,
                problem:
                    "\(repeats) of \(records) records say the same as another record of their trip, more than a tenth: with "
                    + "`records: \(kind.rawValue)` they would count twice",
                remedy: "take the copies out (was a file joined with itself?), or correct `records:` in the profile")
        }
        for doubt in Doubt.allCases {
            guard let found = doubtful[doubt], found.trips >= Self.fewestDoubtful,
                found.trips * Self.leastShare(of: doubt, kind) > trips
            else { continue }
            return ExportError(
                kind: .unclearRecords, file: file,
                problem: "\(Self.text(doubt, found.trips)), of \(trips) trips, the first at record "
                    + "\(recordNumber(found.first)); `records: \(kind.rawValue)` does not fit",
                remedy: Self.remedy(doubt, kind))
        }
        return nil
    }

    private static let fewestDoubtful = 3

    /// The part of the trips from which on it is no slip any more, as 1 over this.
    private static func leastShare(of doubt: Doubt, _ kind: RecordKind) -> Int {
        switch doubt {
        case .severalVehicles: kind == .events ? 100 : 10
        case .farApart: 100
        case .repeatedBase: 10
        case .partOfLines: 20
        }
    }

    private static func text(_ doubt: Doubt, _ count: Int) -> String {
        let trips = Self.trips(count)
        return switch doubt {
        case .severalVehicles: "\(trips) with records of several vehicles"
        case .farApart: "\(trips) with records more than a week apart"
        case .repeatedBase: "\(trips) with the same base rate twice"
        case .partOfLines:
            "\(trips) with only a part of the lines (mileage without a base rate, or an amount taken back that is not there)"
        }
    }

    private static func remedy(_ doubt: Doubt, _ kind: RecordKind) -> String {
        switch doubt {
        case .severalVehicles: "map the vehicle as leg_id, so that each vehicle has a trip of its own"
        case .farApart:
            "the id is not unique: map another column, or add one as leg_id, so that each trip has an id of its own"
        case .repeatedBase:
            "if a later record corrects the earlier, write `records: versions`; if each vehicle has a bill of its own, map it as leg_id"
        case .partOfLines:
            "have all lines of a trip sent in one export: the lines of a later export replace all earlier lines of a trip"
        }
    }

    private static func records(_ count: Int) -> String { count == 1 ? "1 record has" : "\(count) records have" }

    private static func trips(_ count: Int) -> String { count == 1 ? "1 trip" : "\(count) trips" }
}

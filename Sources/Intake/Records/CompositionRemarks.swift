import ExportBytes
import Profiles
import Trips

/// What is odd about the records that were made into trips, though all of them count.
struct CompositionRemarks: Sendable {
    /// Trips whose records differ in a field, and where the first of them begins.
    private var differing: [CanonicalField: (trips: Int, first: RecordPlace)] = [:]
    /// Records that say the same as another of their trip, in the columns that are read.
    var repeats = 0
    /// Trips that were made of records.
    var trips = 0
    /// Trips whose records are not those of one trip, and where the first of them begins.
    private var doubtful: [CompositionDoubt: (trips: Int, first: RecordPlace)] = [:]
    /// How many charge lines state each currency.
    var currencies: [Currency: Int] = [:]
    /// Records with an event code that the profile does not map.
    var unmappedEvents = 0
    /// Status changes whose time cannot be read.
    var unreadableEvents = 0

    mutating func noteDoubt(_ doubt: CompositionDoubt, at place: RecordPlace) {
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
    func sentences(_ kind: RecordKind, recordNumber: (RecordPlace) -> Int) -> [String] {
        let what = kind == .events ? "status changes" : "charge lines"
        var sentences = CanonicalField.allCases.compactMap { field in
            differing[field].map { found in
                "the \(what) of \(CompositionDoubt.trips(found.trips)) differ in \(field.rawValue), the first at record "
                    + "\(recordNumber(found.first)): the value of the first of them counts"
            }
        }
        if kind == .lines, repeats > 0 {
            sentences.append(
                "\(repeats) \(repeats == 1 ? "line says" : "lines say") the same as another line of the trip; all lines are added "
                    + "up")
        }
        for doubt in CompositionDoubt.allCases {
            guard let found = doubtful[doubt] else { continue }
            sentences.append("\(doubt.text(ofTrips: found.trips)), the first at record \(recordNumber(found.first))")
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
        // A status that is sent again changes nothing.
        if kind == .lines, repeats >= Self.fewestDoubtful, repeats * 10 > records {
            return ExportError(
                kind: .unclearRecords, file: file,
                problem:
                    "\(repeats) of \(records) records say the same as another record of their trip, more than a tenth: with "
                    + "`records: \(kind.rawValue)` they would count twice",
                remedy: "take the copies out (was a file joined with itself?), or correct `records:` in the profile")
        }
        for doubt in CompositionDoubt.allCases {
            guard let found = doubtful[doubt], found.trips >= Self.fewestDoubtful,
                found.trips * doubt.leastShare(in: kind) > trips
            else { continue }
            return ExportError(
                kind: .unclearRecords, file: file,
                problem: "\(doubt.text(ofTrips: found.trips)), of \(trips) trips, the first at record "
                    + "\(recordNumber(found.first)); `records: \(kind.rawValue)` does not fit",
                remedy: doubt.remedy)
        }
        return nil
    }

    private static let fewestDoubtful = 3

    private static func records(_ count: Int) -> String { count == 1 ? "1 record has" : "\(count) records have" }
}

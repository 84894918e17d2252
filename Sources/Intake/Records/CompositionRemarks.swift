import Trips

/// What is odd about the records that were made into trips, though all of them count.
struct CompositionRemarks: Sendable {
    /// Trips whose records differ in a field, and where the first of them begins.
    private var differing: [CanonicalField: (trips: Int, first: RecordPlace)] = [:]
    /// Records that are exact copies of another record of their trip.
    var copies = 0
    /// How many charge lines state each currency.
    var currencies: [Currency: Int] = [:]
    /// Records with an event code that the profile does not map.
    var unmappedEvents = 0

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
        if unmappedEvents > 0 {
            sentences.append(
                "\(Self.records(unmappedEvents)) an event code that the profile does not map: no time is taken from it")
        }
        return sentences
    }

    private static func records(_ count: Int) -> String { count == 1 ? "1 record has" : "\(count) records have" }

    private static func trips(_ count: Int) -> String { count == 1 ? "1 trip" : "\(count) trips" }
}

internal import Trips

// Times of unknown columns, by their place among known ones, and what the figures would lack.
extension ProfileSuggestion {
    private static let placedPercent = 50

    /// Proposes a time whose column has no known name for an event, with a question mark, if by its values only that event is
    /// left between the known ones, and no other column has the same place.
    mutating func placeUnknownTimes(_ order: TimeOrder) {
        let known = proposedEvents
        guard !known.isEmpty else { return }
        var places: [TripEvent: [(column: Int, reason: String)]] = [:]
        for index in columns.indices
        where columns[index].field == nil && columns[index].dates.hasTime && columns[index].name != nil {
            guard !isNamedOtherwise(index) else { continue }
            let before = known.last { order.comes(index, after: $0.column) }?.event
            let after = known.first { order.comes($0.column, after: index) }?.event
            guard before != nil || after != nil else { continue }
            let free = TripEvent.allCases.filter { event in
                !known.contains { $0.event == event } && (before.map { $0.rawValue < event.rawValue } ?? true)
                    && (after.map { event.rawValue < $0.rawValue } ?? true)
            }
            guard let event = free.first, free.count == 1 else { continue }
            let sides = [before.map { "after \($0.field.rawValue)" }, after.map { "before \($0.field.rawValue)" }]
            places[event, default: []].append(
                (
                    index,
                    "nearly always \(sides.compactMap(\.self).joined(separator: " and ")), where only this time is missing"
                ))
        }
        for (event, columns) in places {
            guard let place = columns.first, columns.count == 1 else { continue }
            self.columns[place.column].field = event.field
            self.columns[place.column].confidencePercent = Self.placedPercent
            self.columns[place.column].isProposed = true
            doubt(place.column, place.reason)
        }
    }

    /// - Parameter cells: the values of each column.
    static func gaps(
        of columns: [Column], _ cells: [[String]], stated: [StatedIntervalSuggestion]
    ) -> MappingGaps {
        let fields = Set(columns.filter(\.isProposed).compactMap(\.field))
        var gaps = MappingGaps.gaps { fields.contains($0) }
        let forSourcing: [CanonicalField] = [
            .providerID, .providerName, .vehicleID, .contractNumber, .invoiceNumber, .hcpcsModifiers,
        ]
        if fields.isDisjoint(with: forSourcing) { gaps.insert(.sourcing) }
        let events = Set(TripEvent.allCases.map(\.field))
        let times = columns.filter { column in column.isProposed && column.field.map(events.contains) ?? false }
        if times.contains(where: { column in
            column.dates.lacksZone(cells[column.position - 1].first)
        }) {
            gaps.insert(.zone)
        }
        for interval in TripInterval.allCases where !stated.contains(where: { $0.interval == interval }) {
            let pair = interval.standardPair
            if fields.contains(pair.start.field), fields.contains(pair.end.field) { continue }
            if let gap = MappingGaps.Gap(interval) { gaps.insert(gap) }
        }
        return MappingGaps(gaps)
    }

    static let plainReasons = [
        "# This export can be loaded without a profile. Its trips then are of the source “plain”, and the source is part of the",
        "# key of a trip: with another one here, trips that are loaded already would count twice. If none is, name the system.",
    ]

    /// Whether the header names enough for a run without a profile, and a time is written so that it is read.
    static func loadsWithoutProfile(
        _ header: [String], _ rows: [[String]], _ table: SynonymTable, _ vocabulary: Vocabulary
    ) -> Bool {
        guard
            let profile = try? Profile.plain(
                header: header, rows: rows, source: Profile.plainSource, table: table, vocabulary: vocabulary)
        else { return false }
        let index = HeaderIndex(header)
        let times = (TripEvent.allCases.map(\.field) + [.serviceDate]).flatMap { profile.columns[$0] ?? [] }
            .compactMap { index.column(named: $0) }
        let values = rows.flatMap { row in
            times.compactMap { row.indices.contains($0) ? row[$0].trimmingBlanks() : nil }
        }
        .filter { !$0.isEmpty && !DateDetection.isFiller($0) }
        return !values.isEmpty && values.count(where: DateDetection.isISO) * 20 >= values.count * 19
    }

    /// Abbreviations of zones that have several meanings, or none that is known.
    static func zoneProblems(_ dates: [DateFinding]) -> [String] {
        let zones = Set(dates.flatMap(\.unknownZones))
        guard !zones.isEmpty else { return [] }
        let named = zones.filter { ZoneAbbreviations.ambiguous[$0] != nil }.sorted()
        let list = named.map { "\($0) (\(ZoneAbbreviations.ambiguous[$0] ?? ""))" }.joined(separator: ", ")
        let hint = "add below “dates:” what is meant, such as “zones: {\(named.first ?? "EST"): \"-05:00\"}”"
        return [
            (named.isEmpty
                ? "times have an abbreviation of a zone that is not known: "
                : "the zone of the times is not sure: \(list): ")
                + hint
        ]
    }
}

extension DateFinding {
    /// Whether its times are those of a clock on the wall, of a zone that they do not state.
    func lacksZone(_ value: String?) -> Bool {
        guard kind != .dates, kind != .none, let value else { return false }
        switch forms().reading(value) {
        case .time(let time): return time.hasTime && time.offsetSeconds == nil
        case .clock(let time): return time.offsetSeconds == nil
        case .placeholder, .bad: return false
        }
    }
}

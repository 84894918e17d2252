package import Basics
package import ExportBytes
package import KPIs
package import Profiles
import Trips

/// Reads an export of events: records in, counts out.
///
/// Names, descriptions, images, coordinates and the texts that say the kind exist only while one record is read. What is kept
/// of an event is a leaf of `EventTally`.
package struct EventReader: Sendable {
    /// What an export of events holds.
    package struct Outcome: Sendable {
        /// Its label, or `standard input`.
        package var name: String
        package var tally = EventTally()
        package var findings = ReadFindings()
        /// Events of no known region.
        package var withoutRegion = 0
        /// Events of which the words do not say the kind.
        package var ofOtherKind = 0
        /// The latest local date of an event; nil without events.
        package var newestDay: CivilDay?
    }

    private let profile: EventProfile
    private let times: TimeReader
    private let zone: ZoneTable?

    /// - Parameter zone: of times without an offset, where the profile names none.
    package init(_ profile: EventProfile, zone: String? = nil) {
        self.profile = profile
        times = TimeReader(profile.base.timeForms(of: nil))
        self.zone = (profile.base.zone ?? zone).flatMap { ZoneTable(identifier: $0) }
    }

    /// - Parameter limit: parts of a million that may be rejected; nil: what the profile says.
    package func read(
        path: String, maximumRejectPerMillion limit: Int? = nil, mustBeRegular: Bool = false
    ) throws(ExportError) -> Outcome {
        let records = try RecordTexts(
            path: path, profile.base, columns: profile.columnNames, mustBeRegular: mustBeRegular)
        let columns = EventColumns(profile, records.columns)
        guard !columns.date.isEmpty else {
            let names = (profile.columns[.date] ?? []).map { "“\($0)”" }.joined(separator: ", ")
            throw ExportError(
                kind: .missingColumns, file: records.name, problem: "it has no column for the date (\(names))",
                remedy: "correct the profile \(profile.base.source), or name another one with --events-profile")
        }
        var outcome = Outcome(name: records.name)
        outcome.findings = try records.read(
            maximumRejectPerMillion: limit ?? profile.base.maximumRejectPerMillion
        ) { texts in
            note(texts.revealed(for: .deidentifying), columns, in: &outcome)
        }
        return outcome
    }

    /// - Returns: why the record is rejected; nil if it is counted.
    private func note(_ texts: [String], _ columns: EventColumns, in outcome: inout Outcome) -> RejectReason? {
        guard let day = columns.date.lazy.map({ texts[$0] }).first(where: { !$0.isEmpty }).flatMap(day) else {
            return .noUsableDate
        }
        let region = region(texts, columns, on: day)
        let kind = profile.words.kind(of: EventColumns.text(columns.kind, texts))
        if region == NamedList.unassigned { outcome.withoutRegion += 1 }
        if kind == .other { outcome.ofOtherKind += 1 }
        outcome.newestDay = max(outcome.newestDay ?? day, day)
        outcome.tally.add(
            EventLeaf(
                month: day.month, region: region, kind: kind,
                isEvacuation: Self.yes.contains(EventColumns.text(columns.evacuation, texts).lowercased())))
        return nil
    }

    private static let yes: Set = ["true", "yes", "y", "1", "t"]

    /// The local day of a date or time; of 10 or 13 digits alone, which are seconds or milliseconds since 1970.
    private func day(_ text: String) -> CivilDay? {
        let bytes = Array(text.utf8)
        var local: Int
        if let time = times.read(bytes[...]) {
            local = time.localSeconds
            if let offset = time.offsetSeconds, let zone { local = zone.local(instant: local - offset) }
        } else if [10, 13].contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text)
        {
            let instant = bytes.count == 13 ? number / 1000 : number
            local = zone?.local(instant: instant) ?? instant
        } else {
            return nil
        }
        // Euclidean: the days before 1970 too.
        return CivilDay(daysSince1970: Int32(clamping: (local - (local % 86_400 + 86_400) % 86_400) / 86_400))
    }

    /// By the column of regions, then the tables, then the polygons.
    private func region(_ texts: [String], _ columns: EventColumns, on day: CivilDay) -> String {
        let regions = profile.base.vocabulary.regions
        let code =
            code(ofName: EventColumns.text(columns.region, texts)) ?? code(byTables: texts, columns)
            ?? place(texts, columns).flatMap { profile.polygons?.region(of: $0) }.flatMap { regions.code(of: $0) }
        guard let code, profile.base.vocabulary.regionValidity[code]?.contains(day) ?? true else {
            return NamedList.unassigned
        }
        return regions.name(of: code)
    }

    private func code(ofName text: String) -> UInt8? {
        guard !text.isEmpty else { return nil }
        let regions = profile.base.vocabulary.regions, map = profile.base.valueMaps[.region]
        if let name = map?.entries[text.lowercased()] ?? map?.otherwise { return regions.code(of: name) }
        return regions.code(ignoringCase: text).flatMap { $0 > 0 ? $0 : nil }
    }

    private func code(byTables texts: [String], _ columns: EventColumns) -> UInt8? {
        for (table, place) in zip(profile.base.lookups, columns.lookups) {
            guard let place else { continue }
            let key = table.prefixLength.map { String(texts[place].prefix($0)) } ?? texts[place]
            if let name = table.regions[key.lowercased()] { return profile.base.vocabulary.regions.code(of: name) }
        }
        return nil
    }

    private func place(_ texts: [String], _ columns: EventColumns) -> RegionPolygons.Point? {
        guard let latitude = Double(EventColumns.text(columns.latitude, texts)),
            let longitude = Double(EventColumns.text(columns.longitude, texts))
        else { return nil }
        // What a program writes for a place that it does not know.
        if latitude == 0, longitude == 0 { return nil }
        return RegionPolygons.Point(longitude: longitude, latitude: latitude)
    }
}

/// Where the fields of an event are in a record's texts.
private struct EventColumns {
    let date: [Int]
    let kind: [Int]
    let latitude: [Int]
    let longitude: [Int]
    let evacuation: [Int]
    let region: [Int]
    /// Of each table of the profile; nil: the file does not have its column.
    let lookups: [Int?]

    init(_ profile: EventProfile, _ columns: [String]) {
        func places(_ names: [String]?) -> [Int] { (names ?? []).compactMap { columns.firstIndex(of: $0) } }
        date = places(profile.columns[.date])
        kind = places(profile.columns[.kind])
        latitude = places(profile.columns[.latitude])
        longitude = places(profile.columns[.longitude])
        evacuation = places(profile.columns[.evacuation])
        region = places(profile.base.columns[.region])
        lookups = profile.base.lookups.map { columns.firstIndex(of: $0.column) }
    }

    /// The first filled one; empty if there is none.
    static func text(_ places: [Int], _ texts: [String]) -> String {
        places.lazy.map { texts[$0] }.first { !$0.isEmpty } ?? ""
    }
}

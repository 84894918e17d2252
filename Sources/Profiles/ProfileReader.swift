internal import Rules
import StrictYAML
internal import Trips

/// Reads one profile. It continues after an error, so that all errors are found.
struct ProfileReader {
    let root: YAMLValue
    let isKnownZone: (String) -> Bool
    let load: (String) throws -> [UInt8]
    let log = ConfigurationErrorLog()
    var profile = Profile(source: "")

    mutating func readAll() {
        if EventProfileFile.isOfEvents(root) {
            return log.add(
                root.error(
                    "this profile is of events, not of trips",
                    hint: "name it with --events-profile, or put the events into a subfolder of the inbox of its name"))
        }
        let keys = log.mapping(root, allowed: ProfileFile.keys)
        profile.source = log.attempt(try source(keys.optional("source"))) ?? ""
        if let supplement = keys.optional("supplement") { readSupplement(supplement) }
        readText(keys)
        VocabularyReader(log: log).read(
            regions: keys.optional("regions"), tripTypes: keys.optional("trip_types"), into: &profile.vocabulary)
        if let columns = keys.optional("columns") {
            readColumns(columns)
        } else {
            log.add(root.error("“columns” is missing", hint: "add “columns:” with “trip_id: …” below it"))
        }
        if let constants = keys.optional("constants") { readConstants(constants) }
        if let dates = keys.optional("dates") { readDates(dates) }
        if let values = keys.optional("values") { readValues(values) }
        if let missing = keys.optional("missing") { profile.missingWords = log.attempt(try Self.words(missing)) ?? [] }
        if let lookups = keys.optional("lookups") { readLookups(lookups) }
        // The regions of a table must be in the list.
        if profile.lookups.contains(where: { !$0.regions.isEmpty }) { profile.vocabulary.openLists.remove(.region) }
        if let required = keys.optional("required") { readRequired(required) }
        if let intervals = keys.optional("intervals") { readIntervals(intervals) }
        readLimits(keys)
        profile.records = log.attempt(try keys.optional("records")?.choice("kind of record"))
        if let filter = keys.optional("filter") {
            // A condition on columns by their names in the file.
            var conditions = ConditionYAML(fields: nil, file: root.place.file, log: log, load: load)
            profile.filter = conditions.condition(filter)
        }
        if let columns = keys.optional("columns") { checkWhole(columns) }
    }

    /// The canonical field a key names; an error if there is none, or none of `allowed`.
    func field(_ entry: YAMLValue.Entry, among allowed: [CanonicalField]) -> CanonicalField? {
        let field = CanonicalField(rawValue: entry.key)
        if let field, allowed.contains(field) { return field }
        let names = allowed.map(\.rawValue)
        log.add(
            field == nil
                ? entry.keyPlace.unknown("field", entry.key, among: names)
                : entry.keyPlace.error(
                    "“\(entry.key)” is not allowed here", hint: Spelling.hint(for: entry.key, among: names)))
        return nil
    }

    func source(_ value: YAMLValue?) throws(ConfigurationError) -> String {
        guard let value else {
            throw root.error("“source” is missing", hint: "add “source: …”, the name of the system that wrote the file")
        }
        let text = try value.string()
        guard (1...64).contains(text.utf8.count), text.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil else {
            throw value.error(
                "the source is not a plain name",
                hint: "use up to 64 letters, digits, “-”, “_” and “.”, such as cad-north")
        }
        return text
    }

    private mutating func readSupplement(_ value: YAMLValue) {
        guard let other = log.attempt(try source(value)) else { return }
        if other == profile.source {
            return log.add(
                value.error(
                    "a source cannot supplement itself",
                    hint: "“source” is the system that wrote this file, “supplement” the one whose trips it completes"))
        }
        profile.supplement = other
    }

    /// `format`, `delimiter`, `encoding`, `header_rows`, `records_path`, `sheets`.
    mutating func readText(_ keys: YAMLMapping) {
        profile.format = log.attempt(try keys.optional("format")?.choice("format"))
        profile.encoding = log.attempt(try keys.optional("encoding")?.choice("encoding"))
        profile.delimiter = log.attempt(try keys.optional("delimiter").map(Self.delimiter))
        profile.headerRows = log.attempt(try keys.optional("header_rows")?.int(in: 1...10, "header_rows")) ?? 1
        if let header = log.attempt(try keys.optional("header")?.bool()) { profile.hasHeader = header }
        if let quotes: QuoteForm = log.attempt(try keys.optional("quotes")?.choice("form of quotes")) {
            profile.hasBackslashQuotes = quotes == .backslash
        }
        if !profile.hasHeader, let rows = keys.optional("header_rows") {
            log.add(rows.error("a file without a header has no header_rows", hint: "remove it, or “header: false”"))
        }
        profile.recordsPath = log.attempt(try keys.optional("records_path").map(recordsPath)) ?? []
        profile.isPage = log.attempt(try keys.optional("pages")?.bool()) ?? false
        profile.sheets = log.attempt(try keys.optional("sheets")?.strings()) ?? []
        guard profile.format == .json || profile.format == .ndjson else { return }
        for key in ["delimiter", "header", "header_rows", "quotes"] {
            guard let value = keys.optional(key) else { continue }
            log.add(value.error("a JSON file has no \(key)", hint: "remove it, or correct the format"))
        }
    }

    private static func delimiter(_ value: YAMLValue) throws(ConfigurationError) -> UInt8 {
        let text = try value.string()
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"]
        let delimiter = names[text.lowercased()] ?? text
        guard [",", ";", "\t", "|", "^", "~"].contains(delimiter), let byte = delimiter.utf8.first else {
            throw value.error("unknown delimiter", hint: "use one of: “,” “;” “|” “^” “~” tab")
        }
        return byte
    }

    private func recordsPath(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        let parts = try value.string().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }), parts.count <= 16, !parts.dropFirst().contains("[]"), parts != ["[]"]
        else {
            throw value.error("the records_path has an empty step", hint: "write names with points between: data.trips")
        }
        if let format = profile.format, format != .json {
            throw value.error("a \(format.rawValue) file has no records_path", hint: "remove it, or set “format: json”")
        }
        return parts
    }

    /// `units`, `decimal`, `max_interval_hours`, `max_reject` and `max_record_bytes`.
    mutating func readLimits(_ keys: YAMLMapping) {
        let units = keys.optional("units").map { log.mapping($0, allowed: ["distance", "cost"]) }
        if let unit: DistanceUnit = log.attempt(try units?.optional("distance")?.choice("unit of distance")) {
            profile.distanceUnit = unit
        }
        if let unit: CostUnit = log.attempt(try units?.optional("cost")?.choice("unit of cost")) {
            profile.costUnit = unit
        }
        if let mark: DecimalMark = log.attempt(try keys.optional("decimal")?.choice("decimal mark")) {
            profile.decimalMark = mark
            profile.statesDecimalMark = true
        }
        if let seconds = log.attempt(try keys.optional("max_interval_hours").map(Self.seconds)) {
            profile.maximumIntervalSeconds = seconds
        }
        if let value = keys.optional("max_reject"), let limit = log.attempt(try Self.perMillion(value, "max_reject")) {
            profile.maximumRejectPerMillion = limit
        }
        if let value = keys.optional("max_unreadable"),
            let limit = log.attempt(try Self.perMillion(value, "max_unreadable"))
        {
            profile.maximumUnreadablePerMillion = limit
        }
        if let fields = keys.optional("accept_unreadable") { readAccepted(fields) }
        if let miles = keys.optional("max_miles") { readMiles(miles) }
        let bytes = log.attempt(try keys.optional("max_record_bytes")?.int(in: 1024...(1 << 26), "max_record_bytes"))
        if let bytes { profile.maximumRecordBytes = bytes }
    }

    /// Words for no value, quoted where YAML would take them for something else.
    private static func words(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        let words = try value.strings()
        guard !words.isEmpty, words.allSatisfy({ (1...64).contains($0.trimmingBlanks().utf8.count) }) else {
            throw value.error(
                "a word of “missing” is blank or too long", hint: "write it as in the file, such as “see log”")
        }
        return words
    }

    private static func seconds(ofHours value: YAMLValue) throws(ConfigurationError) -> Int {
        let hours = try value.number()
        guard hours > 0, hours <= Double(TripInterval.longestLimitSeconds / 3600) else {
            throw value.error("max_interval_hours is out of bounds", hint: "give hours up to 720, such as 24")
        }
        return Int((hours * 3600).rounded())
    }

    /// `1%` or `0.25%`: 10 000 and 2 500.
    private static func perMillion(_ value: YAMLValue, _ key: String) throws(ConfigurationError) -> Int {
        guard let match = try value.string().wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,4}))?%/),
            let whole = Int(match.output.1)
        else { throw value.error("\(key) is not a percentage", hint: "write it as 1% or 0.25%") }
        let decimals = match.output.2.map(String.init) ?? ""
        let fraction = Int(decimals + String(repeating: "0", count: 4 - decimals.count)) ?? 0
        let perMillion = whole * 10_000 + fraction
        guard perMillion <= 1_000_000 else { throw value.error("\(key) is above 100%", hint: "write it as 1%") }
        return perMillion
    }

    /// What can be checked only once everything is read.
    private func checkWhole(_ columns: YAMLValue) {
        let isIncidentTheTrip = profile.records == .units && profile.columns[.incidentID] != nil
        if profile.columns[.tripID] == nil && !isIncidentTheTrip && !profile.hasNoTripIDs {
            log.add(
                columns.error(
                    "no column is trip_id",
                    hint: "add “trip_id: …”; where no column is an id and each record is a trip, write “trip_id: none”")
            )
        }
        if profile.hasNoTripIDs { checkRecordsWithoutIDs(columns) }
        checkRecordKind(columns)
        if !profile.hasTime && profile.records != .events {
            log.add(
                columns.error("no column is a time or service_date", hint: "add “unit_notified_at: …” or another time"))
        }
        if (profile.columns[.odometerStart] == nil) != (profile.columns[.odometerEnd] == nil) {
            log.add(
                columns.error("an odometer needs both ends", hint: "map odometer_start and odometer_end, or neither"))
        }
    }

    /// Nothing can refer to a trip that has no id.
    private func checkRecordsWithoutIDs(_ columns: YAMLValue) {
        let other =
            profile.columns[.legID] != nil
            ? "leg_id has a column"
            : profile.supplement != nil
                ? "the profile supplements another source"
                : profile.records.flatMap { $0 == .versions ? nil : "records are \($0.rawValue)" }
        guard let other else { return }
        log.add(
            columns.error(
                "“trip_id: none” says that each record is a trip, and \(other)",
                hint: "name the column of the trip’s id, or remove what refers to it"))
    }

    /// Each kind of record needs the columns that say what a record is.
    private func checkRecordKind(_ columns: YAMLValue) {
        let needed: [CanonicalField] =
            switch profile.records {
            case .lines: [.hcpcsCode, .cost]
            case .units: [.vehicleID]
            case .events: [.eventCode, .eventAt]
            case .versions, nil: []
            }
        let missing = needed.filter { profile.columns[$0] == nil }
        if let kind = profile.records, !missing.isEmpty {
            log.add(
                columns.error(
                    "“records: \(kind.rawValue)” needs a column for \(missing.map(\.rawValue).joined(separator: " and "))",
                    hint: "add it to “columns:”, or remove “records:”"))
        }
        if profile.records == .events, profile.dateSource != nil || !profile.dateColumns.isEmpty {
            log.add(
                columns.error(
                    "“records: events” needs date and time in one column, and the dates are in another",
                    hint: "have event_at exported with its date, and remove “date:” below “dates:”"))
        }
        if profile.records == .units, profile.columns[.legID] != nil {
            log.add(
                columns.error(
                    "“records: units” takes the vehicle for the leg, and leg_id has a column",
                    hint: "remove leg_id, or remove “records:”"))
        }
        if profile.records == .lines, profile.columns[.units] != nil, profile.distanceUnit == .kilometers {
            log.add(
                columns.error(
                    "a unit of A0425, A0435 and A0436 is a mile, and the distances of this profile are in km",
                    hint: "remove “distance: km”, or the column of units"))
        }
        if profile.records == .events, profile.valueMaps[.eventCode] == nil {
            log.add(
                columns.error(
                    "“records: events” needs the meaning of the event codes",
                    hint: "add “values: event_code: map:” with lines such as “ONSCENE: on_scene_at”"))
        }
    }
}

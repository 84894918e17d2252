package import StrictYAML
import Trips

/// Reads a profile from YAML (`data/profiles/README.md` lists its keys).
///
/// Nothing is believed: unknown keys and fields, a column used twice, a value map to a region that is not configured, a
/// zone that does not exist. All that is wrong is reported together, each with line, column and how to mend it.
package enum ProfileFile {
    /// What a profile cannot know by itself.
    package struct Surroundings {
        /// Reads a file that the profile names. The path has the profile's folder before it.
        package var load: (String) throws -> [UInt8]
        /// Whether the zone data has a zone of this IANA name.
        package var isKnownZone: (String) -> Bool
        /// The lists of the configuration; `regions` and `trip_types` of the profile take their place.
        package var vocabulary: Vocabulary

        package init(
            vocabulary: Vocabulary = .standard, isKnownZone: @escaping (String) -> Bool,
            load: @escaping (String) throws -> [UInt8]
        ) {
            self.vocabulary = vocabulary
            self.isKnownZone = isKnownZone
            self.load = load
        }
    }

    /// The profile that the bytes of `file` state.
    package static func read(
        _ bytes: [UInt8], file: String, surroundings: Surroundings
    ) throws(ConfigurationErrors) -> Profile {
        let root: YAMLValue
        do {
            root = try YAMLValue.parse(bytes: bytes, file: file)
        } catch {
            throw ConfigurationErrors([error])
        }
        var reader = ProfileReader(root: root, surroundings: surroundings)
        reader.readAll()
        guard reader.errors.isEmpty else { throw ConfigurationErrors(reader.errorsInFileOrder) }
        return reader.profile
    }

    package static let keys = [
        "source", "format", "delimiter", "encoding", "header_rows", "records_path", "columns", "constants", "dates",
        "values", "lookups", "filter", "units", "intervals", "max_interval_hours", "max_reject", "max_record_bytes",
        "regions", "trip_types",
    ]
}

/// The reading of one profile: goes on after an error, so that all of them are found.
struct ProfileReader {
    let root: YAMLValue
    let surroundings: ProfileFile.Surroundings
    var profile = Profile(source: "")
    var errors: [ConfigurationError] = []

    init(root: YAMLValue, surroundings: ProfileFile.Surroundings) {
        self.root = root
        self.surroundings = surroundings
        profile.vocabulary = surroundings.vocabulary
    }

    var errorsInFileOrder: [ConfigurationError] {
        errors.enumerated().sorted {
            ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset)
                < ($1.element.line ?? 0, $1.element.column ?? 0, $1.offset)
        }.map(\.element)
    }

    mutating func readAll() {
        let keys = mapping(root, allowed: ProfileFile.keys)
        attempt { reader throws(ConfigurationError) in try reader.readSource(keys["source"]) }
        readText(keys)
        readLists(keys)
        if let columns = keys["columns"] {
            readColumns(columns)
        } else {
            errors.append(root.error("“columns” is missing", hint: "add “columns:” with “trip_id: …” below it"))
        }
        if let constants = keys["constants"] { readConstants(constants) }
        if let dates = keys["dates"] { readDates(dates) }
        if let values = keys["values"] { readValues(values) }
        if let lookups = keys["lookups"] { readLookups(lookups) }
        if let intervals = keys["intervals"] { readIntervals(intervals) }
        readLimits(keys)
        if let filter = keys["filter"] { readFilter(filter) }
        checkWhole(columns: keys["columns"])
    }

    /// Carries out a step and keeps its error.
    mutating func attempt(_ step: (inout ProfileReader) throws(ConfigurationError) -> Void) {
        do {
            try step(&self)
        } catch {
            errors.append(error)
        }
    }

    /// The values of a mapping by key; unknown keys are errors of their own. Empty if it is no mapping.
    mutating func mapping(_ value: YAMLValue, allowed: [String]) -> [String: YAMLValue] {
        var found: [String: YAMLValue] = [:]
        for entry in entries(value) {
            if allowed.contains(entry.key) {
                found[entry.key] = entry.value
            } else {
                let hint = Spelling.hint(for: entry.key, among: allowed)
                errors.append(entry.keyPlace.error("unknown key “\(entry.key)”", hint: hint))
            }
        }
        return found
    }

    mutating func entries(_ value: YAMLValue) -> [YAMLValue.Entry] {
        var entries: [YAMLValue.Entry] = []
        attempt { _ throws(ConfigurationError) in entries = try value.entries() }
        return entries
    }

    /// The canonical field a key names; an error if there is none, or none of `allowed`.
    mutating func field(_ entry: YAMLValue.Entry, among allowed: [CanonicalField]) -> CanonicalField? {
        if let field = CanonicalField(rawValue: entry.key), allowed.contains(field) { return field }
        let isField = CanonicalField(rawValue: entry.key) != nil
        let names = allowed.map(\.rawValue)
        errors.append(
            entry.keyPlace.error(
                isField ? "“\(entry.key)” cannot stand here" : "unknown field “\(entry.key)”",
                hint: Spelling.hint(for: entry.key, among: names)))
        return nil
    }

    /// One of an enumeration's raw values.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: YAMLValue, _ what: String, as type: Word.Type
    ) throws(ConfigurationError) -> Word {
        let text = try value.string()
        if let word = Word(rawValue: text) { return word }
        throw value.error(
            "unknown \(what) “\(text)”", hint: Spelling.hint(for: text, among: Word.allCases.map(\.rawValue)))
    }

    private mutating func readSource(_ value: YAMLValue?) throws(ConfigurationError) {
        guard let value else {
            throw root.error("“source” is missing", hint: "add “source: …”, the name of the system that wrote the file")
        }
        let text = try value.string()
        let isName = text.utf8.allSatisfy { byte in
            TextShape.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard isName, (1...64).contains(text.utf8.count) else {
            throw value.error(
                "the source is not a plain name",
                hint: "use up to 64 letters, digits, “-”, “_” and “.”, such as cad-north")
        }
        profile.source = text
    }

    /// What can be told only once everything is read.
    private mutating func checkWhole(columns: YAMLValue?) {
        guard let columns else { return }
        if profile.columns[.tripID] == nil {
            errors.append(columns.error("no column is trip_id", hint: "add “trip_id: …”: every trip needs one"))
        }
        if !profile.hasTime {
            errors.append(
                columns.error("no column is a time or service_date", hint: "add “unit_notified_at: …” or another time"))
        }
        if (profile.columns[.odometerStart] == nil) != (profile.columns[.odometerEnd] == nil) {
            errors.append(
                columns.error("an odometer needs both ends", hint: "map odometer_start and odometer_end, or neither"))
        }
    }
}

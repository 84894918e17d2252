package import Rules
package import Trips

/// What a source's columns mean: everything the reader must know to make trips of an export.
///
/// A profile is plain data. `ProfileFile` reads it from YAML, `SynonymTable` makes one for a plain file whose header
/// has known names, and `Intake` reads by it.
package struct Profile: Sendable {
    /// The system that wrote the export.
    package var source: String
    /// The source whose trips the export has parts of: it fills them in and has no trips of its own. Nil: its trips are its own.
    package var supplement: String?
    /// Nil: recognised by the file's first bytes.
    package var format: ExportFormat?
    /// Nil: recognised by the header line.
    package var delimiter: UInt8?
    package var encoding: TextEncoding?
    /// Whether a row of the export names its columns; else a profile names them by their numbers: `#3`.
    package var hasHeader = true
    /// Whether `\"` is a quote inside quotes; nil: recognised by the first rows.
    package var hasBackslashQuotes: Bool?
    /// How many header rows there are; the first one names the columns, the others are passed over.
    package var headerRows = 1
    /// Where in a JSON document the array of records lies: `["data", "trips"]`; empty means the top level.
    package var recordsPath: [String] = []
    /// Whether an export may be one page of several: the others are loaded too.
    package var isPage = false
    /// Names or numbers of the sheets of a workbook; none: those that hold a table.
    package var sheets: [String] = []
    /// Whether the export has no ids, so that each record is a trip: `trip_id: none`.
    package var hasNoTripIDs = false
    /// What a record of the export is. Nil: not stated; a version of a trip, if the records look like it.
    package var records: RecordKind?
    /// For each field the column names (or dotted JSON paths) that may carry it. The first one the file has is used.
    package var columns: [CanonicalField: [String]] = [:]
    /// Fields whose column every export must have: one without is not loaded.
    package var required: Set<CanonicalField> = []
    /// Values that every record of the source has.
    package var constants: [CanonicalField: String] = [:]
    /// How times are written; ISO 8601 is always understood. A field of its own comes before the general ones.
    package var datePatterns: [DatePattern] = []
    package var datePatternsByField: [CanonicalField: [DatePattern]] = [:]
    /// Languages of the names of months and days of the week, beside English: codes of `CalendarNames.knownLanguages`.
    package var languages: [String] = []
    /// Seconds east of UTC by abbreviation of a zone, beside those of `ZoneAbbreviations.standard`.
    package var zoneOffsets: [String: Int] = [:]
    /// Where the date of times of day is. Nil: each time has its date.
    package var dateSource: DateSource?
    /// Columns that have the date of one field's times of day.
    package var dateColumns: [CanonicalField: String] = [:]
    /// IANA name of the zone of times without an offset. Nil: they are taken as written.
    package var zone: String?
    /// How values become canonical ones, for `status`, `trip_type`, `region` and `event_code`.
    package var valueMaps: [CanonicalField: ValueMap] = [:]
    /// Tables that give a region, or a zone, by the value of another field or column; tried in order.
    package var lookups: [LookupTable] = []
    /// A record for which this does not hold is skipped: it is not a trip. Its fields are column names as in the file.
    package var filter: Condition?
    package var distanceUnit = DistanceUnit.miles
    package var costUnit = CostUnit.dollars
    /// What is between the whole units and the fraction of money and distances in text. Numbers of JSON have a point.
    package var decimalMark = DecimalMark.point
    /// Whether a person says so: then an amount such as `1.250` is clear.
    package var statesDecimalMark = false
    /// What means that there is no value, beside the words of `NoValueWords`.
    package var missingWords: [String] = []
    package var intervalPairs: [TripInterval: EventPair] = [:]
    /// Intervals that the export states itself.
    package var statedIntervals: [TripInterval: StatedInterval] = [:]
    /// An interval longer than this is excluded.
    package var maximumIntervalSeconds = 86_400
    /// A file of which more than this is rejected fails as a whole: parts of a million.
    package var maximumRejectPerMillion = 10_000
    package var maximumRecordBytes = 1 << 20
    /// An export of which more of the values of a column cannot be read fails: parts of a million.
    package var maximumUnreadablePerMillion = 50_000
    /// Columns for which that is accepted.
    package var acceptedUnreadable: Set<CanonicalField> = []
    /// A longer trip is a slip: its miles are excluded.
    package var maximumMiles = MileLimits()
    /// The configured lists, shared by all sources of a run.
    package var vocabulary = Vocabulary.standard

    package init(source: String) {
        self.source = source
    }

    /// The source whose trips the records are of: part of every trip's key.
    package var tripSource: String { supplement ?? source }
}

/// What a source's distances are measured in.
package enum DistanceUnit: String, CaseIterable, Sendable {
    case miles
    case kilometers = "km"
}

/// What a source's costs count.
package enum CostUnit: String, CaseIterable, Sendable {
    case dollars
    /// Whole numbers.
    case cents
}

/// How a source's values become canonical ones. Keys are compared without regard to ASCII case or outer blanks.
package struct ValueMap: Sendable, Hashable {
    /// Keys in lower case.
    package var entries: [String: String]
    /// What a value that is not listed becomes. Nil: a canonical value is kept; any other is unmapped.
    package var otherwise: String?

    package init(entries: [String: String], otherwise: String? = nil) {
        self.entries = entries
        self.otherwise = otherwise
    }
}

/// A table that gives a region or a zone by facility, county or ZIP.
package struct LookupTable: Sendable {
    /// The column of the file (or canonical field name) whose value is looked up.
    package var column: String
    /// Lower-cased key to region name.
    package var regions: [String: String]
    /// Lower-cased key to IANA zone.
    package var zones: [String: String]
    /// How many leading characters of the value count (3 for a table by ZIP3); nil for all.
    package var prefixLength: Int?

    package init(column: String, regions: [String: String], zones: [String: String], prefixLength: Int? = nil) {
        self.column = column
        self.regions = regions
        self.zones = zones
        self.prefixLength = prefixLength
    }
}

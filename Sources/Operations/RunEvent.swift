import Basics
import Trips

/// One event of a run, for the journal.
///
/// An event cannot contain a value of a record: it is made by one of the functions of `RunEvent+Catalogue`, and they take
/// counts, codes, hashes, months, days, durations and `FileLabel`s. The one sentence from elsewhere is the message of a
/// failure, which is the description of an error type of this package.
package struct RunEvent: Sendable, Hashable {
    package enum Level: Sendable, Hashable {
        case info, notice, warning, error
    }

    /// `export.loaded`.
    package let name: String
    package let level: Level
    /// The same for people.
    package let sentence: String
    let values: [RunEventField: RunEventValue]

    init(
        _ name: String, _ level: Level, _ sentence: String, _ values: [RunEventField: RunEventValue?] = [:]
    ) {
        self.name = name
        self.level = level
        self.sentence = sentence
        self.values = values.compactMapValues { $0 }
    }
}

/// A value as JSON writes it.
enum RunEventValue: Sendable, Hashable {
    case whole(Int)
    case text(String)
    case texts([String])

    static func months(_ months: [Month]) -> RunEventValue { .texts(months.map(\.description)) }

    /// Keeps hexadecimal digits only, so that no value of a record can be written in place of a hash.
    static func hash(_ text: String) -> RunEventValue { .text(String(text.filter(\.isHexDigit).prefix(64))) }

    /// A code or an id that tripkpi has made: letters, digits, dots, dashes, underscores.
    static func code(_ text: String) -> RunEventValue { .text(RunEventValue.cleaned(text)) }

    /// A time in RFC 3339, as the program writes it.
    static func time(_ text: String) -> String {
        String(text.filter { $0.isASCII && ($0.isNumber || "-:TZ".contains($0)) }.prefix(20))
    }

    static func cleaned(_ code: String) -> String {
        String(code.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }.prefix(64))
    }
}

/// The fields that a line may have besides time, level and event, in the order of a line. A name contains the unit.
enum RunEventField: String, Sendable, CaseIterable {
    case runID = "run_id"
    case stage, file, sha256, version, process
    case publicationID = "publication_id"
    case audience
    case reason, failure, message, signal, schema
    case rulesBefore = "rules_before"
    case rulesAfter = "rules_after"
    case month, months, day, days, missing
    case ageDays = "age_days"
    case files, bytes, trips, exports, cells
    case suppressedCells = "suppressed_cells"
    case groups, waiting
    case read, added, updated, unchanged, superseded, merged, skipped, rejected
    case loaded, known, failed, waived
    case durationMilliseconds = "duration_ms"
    case exitCode = "exit_code"
    case method, endpoint, status, microseconds, problem, caller, host, port, keys, set, why
}

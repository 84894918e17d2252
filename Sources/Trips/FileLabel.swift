import Basics

/// The masked name of a file for logs, metrics and the store: a file's name may contain names of people.
///
/// Known words, dates and short numbers are kept; of everything else only the length is:
/// `export_smith_20261120_900123456.csv.gz` becomes `export_xxxxx_20261120_#########.csv.gz`.
package struct FileLabel: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameter fileName: the name, or a path, of which the last part counts. Of a member of a zip file (`trips.zip/day.csv`) both
    ///   names count.
    package init(fileName: String) {
        let parts = fileName.split(separator: "/")
        let archive =
            parts.dropLast().last { $0.lowercased().hasSuffix(".zip") }.map { Self.label(String($0)) + "/" } ?? ""
        description = archive + Self.label(parts.last.map(String.init) ?? "")
    }

    private static func label(_ name: String) -> String {
        var label = ""
        var rest = name.unicodeScalars.prefix(120)
        while let first = rest.first {
            let kind = Kind(first)
            let run = rest.prefix { Kind($0) == kind }
            rest = rest.dropFirst(run.count)
            label += masked(String(String.UnicodeScalarView(run)), kind)
        }
        return label
    }

    private enum Kind {
        case letters, digits, joints, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "a"..."z", "A"..."Z": self = .letters
            case "0"..."9": self = .digits
            case "-", "_", ".", " ", "(", ")": self = .joints
            default: self = .other
            }
        }
    }

    private static func masked(_ run: String, _ kind: Kind) -> String {
        let length = run.unicodeScalars.count
        switch kind {
        case .joints: return run
        case .letters: return words.contains(run.lowercased()) ? run : String(repeating: "x", count: length)
        case .digits: return length <= 4 || isDate(run) ? run : String(repeating: "#", count: length)
        case .other: return String(repeating: "x", count: length)
        }
    }

    /// `YYYYMMDD` of this century or the last. A birthday is such a date, but without a name beside it.
    private static func isDate(_ digits: String) -> Bool {
        guard digits.utf8.count == 8, digits.hasPrefix("19") || digits.hasPrefix("20"), let value = Int(digits) else {
            return false
        }
        return CivilDay(year: value / 10_000, month: value / 100 % 100, day: value % 100) != nil
    }

    private static let words: Set<String> = [
        "csv", "tsv", "txt", "json", "ndjson", "jsonl", "gz", "gzip", "dat", "zip", "xlsx", "zst", "part", "tmp",
        "trip", "trips", "export", "exports", "extract", "dump", "report", "data", "file", "sample", "test", "run",
        "runs",
        "transport", "transports", "ambulance", "ems", "ride", "rides", "leg", "legs", "cad", "dispatch", "billing",
        "correction", "corrections", "corrected", "late", "update", "updates", "delta", "full", "all", "new", "old",
        "backfill", "history", "hourly", "daily", "nightly", "weekly", "monthly", "quarterly", "yearly", "day", "week",
        "month", "year", "fy", "q", "v", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
        "dec", "region", "north", "south", "east", "west", "in", "out", "house", "contract", "contracted", "and", "of",
    ]
}

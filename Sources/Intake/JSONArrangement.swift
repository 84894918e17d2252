import ExportBytes
import Profiles

/// How the records of a JSON export are arranged: by its first bytes and, where these leave a choice, by the names of
/// its fields.
enum JSONArrangement {
    /// - Parameter profile: its path to the records, and the columns that it names.
    /// - Throws: if several arrangements are as likely.
    static func find(
        in head: [UInt8], isWhole: Bool, profile: Profile?, file: String
    ) throws(ExportError) -> JSONShape {
        if let path = profile?.recordsPath, !path.isEmpty { return .stated(path, head) }
        let candidates = JSONShape.candidates(head, isWhole: isWhole)
        let wanted = Set(profile.map { Array($0.columns.values.joined()) } ?? [])
        let scores = candidates.map { score($0.keys, wanted: wanted) }
        let most = scores.max() ?? 0
        var best = zip(candidates, scores).filter { $0.1 == most }.map(\.0)
        // What is within one object is sooner meant than the object itself.
        let inner = best.filter { $0.shape != .sequence }
        if !inner.isEmpty { best = inner }
        guard best.count < 2 else {
            throw ExportError(
                kind: .malformed, file: file,
                problem: "it has \(best.count) lists of records that may be meant",
                remedy:
                    "say in a profile which one, by the keys that lead to it, for example “records_path: data.trips”")
        }
        if best.first?.shape == .sequence, isWhole, JSONShape.isOneLine(head) { return .lines }
        // Of a text that is no JSON at all the strict reader says what is wrong.
        return best.first?.shape ?? (head.first { $0 > 0x20 } == UInt8(ascii: "[") ? .array(path: []) : .lines)
    }

    /// How many fields the keys are known to be.
    private static func score(_ keys: [String], wanted: Set<String>) -> Int {
        if !wanted.isEmpty { return Set(keys).intersection(wanted).count }
        return Set(
            keys.compactMap { key in
                SynonymTable.standard.meaning(of: key)?.field
                    ?? key.split(separator: ".").last.flatMap { SynonymTable.standard.meaning(of: String($0))?.field }
            }
        ).count
    }
}

/// Which paths to the records of a JSON document may be shown.
enum JSONRecordsPath {
    /// Only keys that name data: any other may be a value, and the path is printed.
    static func usable(_ path: [String]) -> [String]? {
        guard (1...16).contains(path.count) else { return nil }
        return path.allSatisfy { names.contains($0.lowercased()) } ? path : nil
    }

    private static let names: Set<String> = [
        "body", "calls", "content", "d", "data", "dataset", "document", "entries", "export", "features", "incidents",
        "items", "list", "manifest", "payload", "records", "response", "results", "rides", "root", "rows",
        "runs",
        "result", "table", "transports", "tripdata", "triplist", "trips", "value", "values",
    ]
}

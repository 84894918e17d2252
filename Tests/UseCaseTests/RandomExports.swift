import Files
import Foundation
import TestSupport

/// Random exports of few trips: corrections with and without version fields, ties, voids, exact copies, trips that
/// change their month, dated and undated names; and some that fail as a whole.
struct RandomExports {
    struct File {
        var path: String
        var sha256: String
    }

    private(set) var good: [File] = []
    /// Damaged, or too many of their records are rejected.
    private(set) var bad: [File] = []
    /// Comes and goes, and is in no final store.
    private(set) var visitor: File?

    private static let header = [
        "trip_id", "leg_id", "updated_at", "sequence", "status", "cost", "region", "trip_type", "service_date",
        "unit_notified_at", "completed_at", "hcpcs_modifiers", "patient_id",
    ]
    private static let kinds: [Kind] = [.csv, .csv, .ndjson, .ndjson, .crlf, .csvGzip]

    init(_ random: inout SplitMix64, in folder: TemporaryFolder) throws {
        let crowd = [15, 40, 200].randomElement(using: &random) ?? 40
        var told: [[String]] = []
        func file(_ name: String, rejects: Bool = false) throws -> File {
            var rows: [[String]] = []
            for _ in 0..<Int.random(in: 8...30, using: &random) {
                let known = Int.random(in: 0..<6, using: &random) == 0 ? told.randomElement(using: &random) : nil
                rows.append(known ?? Self.row(crowd, &random))
                if Int.random(in: 0..<12, using: &random) == 0 { rows.append(rows[rows.count - 1]) }
            }
            told += rows
            // One record without a date is within the limit.
            if rows.count > 12, Bool.random(using: &random) { rows.insert(Self.undated, at: 3) }
            if rejects { rows += Array(repeating: Self.undated, count: rows.count) }
            let kind = Self.kinds.randomElement(using: &random) ?? .csv
            let path = try kind.write([Self.header] + rows, name: name, to: folder)
            return try Self.file(at: path)
        }
        for number in 0..<Int.random(in: 2...4, using: &random) {
            let date = [nil, "2026-03-0\(number + 1)", "2026-03-05"].randomElement(using: &random) ?? nil
            good.append(try file(["trips-\(number)", date].compactMap { $0 }.joined(separator: "-")))
        }
        if Bool.random(using: &random) { bad.append(try file("rejected", rejects: true)) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let name = "trips-damaged.csv.gz"
            let text = "trip_id,service_date\nT1,2026-01-01\n"
            bad.append(
                try Self.file(at: folder.write(GzipBytes.stored(Array(text.utf8)).dropLast(6), to: name)))
        }
        visitor = try file("trips-visitor")
    }

    private static func file(at path: String) throws -> File {
        File(path: path, sha256: ContentHash.of(Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
    }

    private static let undated = ["T0"] + Array(repeating: "", count: header.count - 1)

    private static func row(_ crowd: Int, _ random: inout SplitMix64) -> [String] {
        func one(_ of: [String]) -> String { of.randomElement(using: &random) ?? "" }
        let trip = Int.random(in: 0..<crowd, using: &random)
        // Most versions of a trip are of the same month.
        let month = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 1...3, using: &random) : trip % 3 + 1
        let day = "2026-0\(month)-\(10 + trip % 15)"
        return [
            "T\(trip)", one(["", "", "1"]), one(["", "2026-03-01 00:01:00", "2026-03-01 00:02:00"]),
            one(["", "", "7", "8"]), one(["completed", "completed", "completed", "", "cancelled", "no_show", "void"]),
            one(["", "10.00", "12.34"]), one(["North", "South", "East"]), one(["Emergency", "Routine"]), day,
            one(["", day + " 08:00:00"]), one(["", day + " 08:30:00", day + " 07:00:00"]),
            one(["", "QN", "QM"]), one(["", "P\(trip % 30)"]),
        ]
    }
}

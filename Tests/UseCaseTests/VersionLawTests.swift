import Cluster
import Foundation
import KPIs
import Profiles
import Reporting
import Rules
import StrictYAML
import TestSupport
import Testing
import Trips
import UseCases

/// A scan's figures beside a plain dictionary of trips, over random versions, copies, voids and orders, in several
/// files of several kinds.
@Suite struct VersionLawTests {
    private struct Record: Hashable {
        var trip: Int
        var leg: Int
        var minute: Int?
        var sequence: Int?
        var status: String
        var cents: Int
        var region: Int
        var modifiers: String

        var order: (Int, Int) { (minute ?? .min, sequence ?? .min) }
        var key: [Int] { [trip, leg] }
    }

    private struct Figures: Equatable {
        var trips = 0, cents = 0, cancelled = 0
        var inHouse = 0, contracted = 0
        var added = 0, superseded = 0, unchanged = 0, read = 0
        var tripsByRegion: [Int: Int] = [:]

        mutating func merge() {
            superseded += unchanged
            unchanged = 0
        }
    }

    @Test func figuresAreThoseOfThePlainDictionary() throws {
        let rules = try ShippedRules.sample()
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0x7E45)
            for round in 0..<FuzzPlan.iterations(40) {
                let crowd = [1, 3, 40, 4000].randomElement(using: &random) ?? 1
                let files = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (0..<Int.random(in: 0...(round % 8 == 0 ? 6000 : 120), using: &random)).map { _ in
                        Self.record(crowd, &random)
                    }
                }
                let expected = Self.reference(files)
                for (workers, isMixed) in [(1, false), (2, true), (7, true)] {
                    let only = Kind.allCases.randomElement(using: &random) ?? .csv
                    let inputs = try files.enumerated().map { index, records in
                        let kind = isMixed ? Kind.allCases.randomElement(using: &random) ?? .csv : only
                        return try kind.write(Self.rows(records), name: "\(index)", to: folder)
                    }
                    // Versions of one trip have nothing in common here.
                    var plan = ScanRequest(
                        inputs: inputs, profile: .stated(.versions), rules: rules, workers: workers,
                        blockBytes: [64, 300, 4096, 1 << 18].randomElement(using: &random) ?? 64)
                    plan.temporaryFolder = folder.path
                    plan.versionBytesInMemory = [0, 1 << 13, 1 << 24].randomElement(using: &random) ?? 0
                    let result = try ScanRun(plan).run()
                    var figures = Self.figures(result), expected = expected
                    if isMixed {
                        // A copy in another form is not the same bytes.
                        figures.merge()
                        expected.merge()
                    }
                    #expect(figures == expected, "round \(round), workers \(workers), \(inputs)")
                    #expect(result.counts.isReconciled)
                }
            }
        }
    }

    private static func record(_ crowd: Int, _ random: inout SplitMix64) -> Record {
        let statuses = ["completed", "completed", "completed", "cancelled", "void", ""]
        return Record(
            trip: Int.random(in: 0..<crowd, using: &random), leg: Int.random(in: 0..<2, using: &random),
            minute: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
            sequence: [nil, 9_999_999, 20_260_301_123_000].randomElement(using: &random) ?? nil,
            status: statuses.randomElement(using: &random) ?? "", cents: Int.random(in: 0...3, using: &random),
            region: Int.random(in: 0..<4, using: &random),
            modifiers: ["", "QN", "QM", "SH QN", "SH QM"].randomElement(using: &random) ?? "")
    }

    private static let regions = ["North", "South", "East", "West"]

    /// Rows of text, header first.
    private static func rows(_ records: [Record]) -> [[String]] {
        [
            [
                "trip_id", "leg_id", "updated_at", "sequence", "status", "cost", "region", "service_date",
                "hcpcs_modifiers",
            ]
        ]
            + records.map { record in
                [
                    "T\(record.trip)", record.leg == 0 ? "" : "\(record.leg)",
                    record.minute.map { "2026-03-01 00:0\($0):00" } ?? "", record.sequence.map { "\($0)" } ?? "",
                    record.status, "0.0\(record.cents)", regions[record.region], "2026-03-05",
                    record.modifiers,
                ]
            }
    }

    private static func reference(_ files: [[Record]]) -> Figures {
        var versions: [[Int]: [(file: Int, row: Int, record: Record)]] = [:]
        var figures = Figures()
        for (file, records) in files.enumerated() {
            for (row, record) in records.enumerated() {
                versions[record.key, default: []].append((file, row, record))
                figures.read += 1
            }
        }
        for all in versions.values {
            guard
                let newest = all.max(by: {
                    ($0.record.order.0, $0.record.order.1, $0.file, $0.row)
                        < ($1.record.order.0, $1.record.order.1, $1.file, $1.row)
                })
            else { continue }
            let copies = all.filter { $0.record == newest.record }.count - 1
            figures.unchanged += copies
            figures.superseded += all.count - 1 - copies
            figures.added += 1
            switch newest.record.status {
            case "void": break
            case "cancelled": figures.cancelled += 1
            default:
                figures.trips += 1
                figures.cents += newest.record.cents
                figures.inHouse += newest.record.modifiers.hasSuffix("QN") ? 1 : 0
                figures.contracted += newest.record.modifiers.hasSuffix("QM") ? 1 : 0
                figures.tripsByRegion[newest.record.region + 1, default: 0] += 1
            }
        }
        return figures
    }

    private static func figures(_ result: TrueFigures) -> Figures {
        var figures = Figures()
        figures.read = result.counts.read
        figures.added = result.counts.added
        figures.superseded = result.counts.superseded
        figures.unchanged = result.counts.unchanged
        for cell in result.table.cells where cell.scope.month == nil && cell.scope.tripType == nil {
            if let region = cell.scope.region {
                if cell.sums.trips > 0 { figures.tripsByRegion[Int(region)] = cell.sums.trips }
            } else {
                figures.trips = cell.sums.trips
                figures.cents = cell.sums.completed.costCents
                figures.inHouse = cell.sums.inHouse.trips
                figures.contracted = cell.sums.contracted.trips
                figures.cancelled = cell.sums.cancelled
            }
        }
        return figures
    }
}

/// The ways in which a test writes the same rows.
enum Kind: CaseIterable {
    case csv, crlf, quoted, noLastLineEnd, ndjson, json, jsonWithMark, csvGzip, ndjsonGzip, utf16

    func write(_ rows: [[String]], name: String, to folder: TemporaryFolder) throws -> String {
        switch self {
        case .csv: return try folder.write(Self.delimited(rows, "\n"), to: name + ".csv")
        case .crlf: return try folder.write(Self.delimited(rows, "\r\n"), to: name + "r.csv")
        case .quoted: return try folder.write(Self.delimited(rows, "\n", quote: "\""), to: name + "q.csv")
        case .noLastLineEnd:
            return try folder.write(String(Self.delimited(rows, "\r\n").dropLast()), to: name + "n.csv")
        case .ndjson: return try folder.write(Self.objects(rows).joined(separator: "\n"), to: name + ".ndjson")
        case .json: return try folder.write(Self.array(rows), to: name + ".json")
        case .jsonWithMark: return try folder.write("\u{FEFF}" + Self.array(rows), to: name + "m.json")
        case .csvGzip: return try gzip(Self.delimited(rows, "\n"), to: name + ".csv.gz", folder)
        case .ndjsonGzip: return try gzip(Self.objects(rows).joined(separator: "\n"), to: name + ".ndjson.gz", folder)
        case .utf16:
            let units = Self.delimited(rows, "\r\n").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return try folder.write([0xFF, 0xFE] + units, to: name + "u.csv")
        }
    }

    private static func delimited(_ rows: [[String]], _ end: String, quote: String = "") -> String {
        rows.map { $0.map { quote + $0 + quote }.joined(separator: ",") + end }.joined()
    }

    private static func array(_ rows: [[String]]) -> String { "[" + objects(rows).joined(separator: ",\n") + "]" }

    private static func objects(_ rows: [[String]]) -> [String] {
        rows.dropFirst().map { row in
            "{" + zip(rows[0], row).map { $1.isEmpty ? "\"\($0)\":null" : "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
                + "}"
        }
    }

    private func gzip(_ text: String, to name: String, _ folder: TemporaryFolder) throws -> String {
        try folder.write(GzipBytes.stored(Array(text.utf8)), to: name)
    }
}

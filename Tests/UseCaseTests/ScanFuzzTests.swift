import Basics
import Cluster
import ExportBytes
import Foundation
import Intake
import KPIs
import Privacy
import Profiles
import Reporting
import Rules
import Settings
import StrictYAML
import TestSupport
import Testing
import Trips
import UseCases

/// Damaged exports, profiles and rules by the thousand: no crash, no hang, the equation always holds, and no message
/// holds anything of a record. `CHECK_FUZZ_FACTOR` makes it longer; 200 of it is a million inputs.
@Suite struct ScanFuzzTests {
    /// Stands in every identifying column of every seed.
    private static let canary = "QZCANARY"

    @Test func damagedExportsNeverCrashNorLeak() throws {
        let rules = try ShippedRules.sample()
        let seeds = try Self.seeds()
        var verdicts: [String: Int] = [:]
        try TemporaryFolder.with(inMemory: true) { folder in
            var random = SplitMix64(seed: FuzzPlan.seed(0xF022))
            for round in 0..<FuzzPlan.iterations(1500) {
                let seed = seeds[round % seeds.count]
                var bytes = seed.bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) { Self.damage(&bytes, &random) }
                if seed.isSheet {
                    bytes = WorkbookBytes(("Trips", String(decoding: bytes, as: UTF8.self))).bytes
                    // Else the checksums would refuse nearly every file.
                    if round % 3 == 0 { Self.damage(&bytes, &random) }
                }
                let path = try folder.write(bytes, to: "export")
                let workers = round % 50 == 0 ? 2 : 1
                var plan = ScanRequest(
                    inputs: round % 12 == 0 ? [path, path] : [path], rules: rules,
                    zone: round % 300 == 0 ? "America/New_York" : nil, workers: workers, isUnique: round % 4 != 0,
                    blockBytes: [64, 256, 1 << 12].randomElement(using: &random) ?? 64,
                    maximumRejectPerMillion: 1_000_000)
                plan.limits = ValueLimits(maximumUnreadablePerMillion: 1_000_000)
                let outcome = try Self.outcome(of: plan, rules, reports: round % 25 == 0)
                verdicts[(seed.isSheet ? "workbook " : "") + outcome.verdict, default: 0] += 1
                plan.methods = .plain
                let plain = try Self.outcome(of: plan, rules, reports: round % 25 == 0)
                // Of two workers' errors the one that came first is told.
                if workers == 1 || outcome.verdict == "read" {
                    let isEqual = plain == outcome
                    #expect(isEqual, "round \(round): \(outcome.said), by the plain methods \(plain.said)")
                }
                let said = outcome.said + [outcome.internals]
                let leak = said.first { $0.contains("CANARY") || $0.contains("QZ") }
                #expect(leak == nil, "round \(round)")
                if leak != nil { return }
            }
        }
        #expect(verdicts["read", default: 0] > 0 && verdicts.count > 2, "\(verdicts)")
        #expect(verdicts["workbook read", default: 0] > 0, "\(verdicts)")
    }

    /// What a scan ends with.
    private struct Outcome: Equatable {
        var verdict: String
        var counts: ReadCounts?
        var table: KPITable?
        var said: [String]
        /// For the search for identifiers. Sets in it print their elements in any order.
        var internals = ""

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.verdict == right.verdict && left.counts == right.counts && left.table == right.table
                && left.said == right.said
        }
    }

    private static func outcome(of plan: ScanRequest, _ rules: RuleSet, reports: Bool) throws -> Outcome {
        do {
            let result = try ScanRun(plan).run()
            #expect(result.counts.isReconciled)
            var said = ScanMessages(result).lines
            if reports {
                let report = try FigureReport(
                    result, rules: rules.stamp, audience: .staff, generatedAt: UTCTime(secondsSince1970: 0))
                said.append(String(decoding: report.bytes(.json), as: UTF8.self))
            }
            return Outcome(
                verdict: "read", counts: result.counts, table: result.table, said: said,
                internals: "\(result.files)")
        } catch {
            let kind = FailureKind(of: error)
            #expect(kind == .data, "\(error)")
            guard var damage = error as? ExportError, damage.kind == .damaged else {
                return Outcome(verdict: "\(kind)", said: ["\(error)"])
            }
            // One library notices damage a few bytes before the other, which may miss bytes after it first.
            damage.offset = nil
            if damage.problem.contains("gzip") { damage.problem = "its gzip data is damaged or cut off" }
            return Outcome(verdict: "\(kind)", said: ["\(damage)"], internals: "\(error)")
        }
    }

    @Test func damagedProfilesAndRulesAreErrorsOfTheirKind() throws {
        let files = ["profiles/vetride.yaml", "profiles/nemsis.yaml", "profiles/canonical.yaml", "rules/sample.yaml"]
        let sources = try files.map { try Repository.bytes("data/" + $0) }
        let configuration = Configuration(folder: DataFolder(path: Repository.root.path + "/data", origin: .flag))
        try TemporaryFolder.with(inMemory: true) { folder in
            var random = SplitMix64(seed: FuzzPlan.seed(0x9A11)), refused = 0
            for round in 0..<FuzzPlan.iterations(300) {
                let which = round % files.count
                var bytes = sources[which]
                for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
                let path = try folder.write(bytes, to: "file.yaml")
                do {
                    if files[which].hasPrefix("profiles") {
                        _ = try configuration.profile(path)
                    } else {
                        _ = try configuration.rules(path)
                    }
                } catch {
                    #expect(FailureKind(of: error) == .configuration, "\(type(of: error)) in round \(round)")
                    refused += 1
                }
            }
            #expect(refused > 100)
        }
    }

    private struct Seed {
        var bytes: [UInt8]
        /// Whether they are the rows of a sheet, which are packed as a workbook after they are damaged.
        var isSheet = false
    }

    private static func seeds() throws -> [Seed] {
        let rows = [
            [
                "trip_id", "leg_id", "status", "service_date", "unit_notified_at", "completed_at", "cost",
                "loaded_miles",
                "patient_id", "patient_name", "notes", "region", "sequence",
            ],
            [
                "\(canary)1", "1", "completed", "2026-03-01", "2026-03-08 01:30:00", "2026-03-08 03:10:00", "$1,234.56",
                "7.5",
                "\(canary)2", "\(canary)3", "\(canary) said", "North", "1",
            ],
            [
                "\(canary)1", "1", "void", "2026-03-01", "2026-11-01T01:30:00-04:00", "2026-11-01T01:10:00-05:00",
                "(12.00)",
                "-1", "\(canary)2", "\(canary)3", "\(canary)", "East", "2",
            ],
            ["\(canary)4", "", "cancelled", "2026-04-01", "", "", "99999999.99", "1e5", "", "", "", "Nowhere", ""],
            [
                "\(canary)5", "", "", "\(canary)", "\(canary)", "\(canary)", "\(canary)", "\(canary)", "\(canary)",
                "\(canary)", "\(canary)", "\(canary)", "\(canary)",
            ],
        ]
        var seeds: [Seed] = [Seed(bytes: sheet(rows), isSheet: true)]
        try TemporaryFolder.with { folder in
            for kind in Kind.allCases {
                let path = try kind.write(rows, name: "seed", to: folder)
                seeds.append(Seed(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
            }
        }
        for format in SampleOptions.Format.allCases {
            var plan = SampleOptions(rows: 9, seed: 5, firstMonth: Month(year: 2026, month: 1))
            plan.format = format
            plan.faultyPerMillion = 300_000
            plan.correctionsPerMillion = 300_000
            var bytes: [UInt8] = []
            try SampleWriter.write(plan) { chunk throws(SampleError) in bytes += chunk }
            seeds.append(Seed(bytes: bytes))
        }
        return seeds
    }

    private static func sheet(_ rows: [[String]]) -> [UInt8] {
        let text = rows.enumerated().map { place, cells in
            let fields = cells.map { cell in
                if cell.isEmpty { return "<c/>" }
                return Int(cell) == nil
                    ? "<c t=\"inlineStr\"><is><t>\(cell)</t></is></c>" : "<c><v>\(cell)</v></c>"
            }
            return "<row r=\"\(place + 1)\">\(fields.joined())</row>\n"
        }
        return Array(text.joined().utf8)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...60, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(at..<end)
        case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 4: bytes.insert(Array("\",\n\r\0{}[]:\\9-. \t".utf8).randomElement(using: &random) ?? 0, at: at)
        case 5: bytes.removeSubrange(at...)
        case 6: for index in at..<end where (0x30...0x39).contains(bytes[index]) { bytes[index] = 0x39 }
        default: bytes.insert(contentsOf: [UInt8](repeating: bytes[at], count: end - at), at: at)
        }
    }
}

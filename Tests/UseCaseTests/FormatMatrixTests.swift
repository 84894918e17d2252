import Basics
import Foundation
import Privacy
import Profiles
import Reporting
import Rules
import Settings
import TestSupport
import Testing
import Trips
import UseCases

/// The same trips in every format, encoding and order, read by any number of workers in blocks of any size, give the
/// same bytes out.
@Suite struct FormatMatrixTests {
    private struct Form: CustomStringConvertible {
        var format: SampleOptions.Format
        var encoding = SampleOptions.Encoding.utf8
        var compression = SampleOptions.Compression.none
        var isShuffled = false
        var description: String {
            "\(format) \(encoding.rawValue) \(compression) \(isShuffled ? "shuffled" : "in order")"
        }
    }

    private static let forms: [Form] = SampleOptions.Format.allCases.flatMap { format in
        SampleOptions.Compression.allCases.flatMap { compression in
            SampleOptions.Encoding.allCases.flatMap { encoding in
                (format == .json || format == .ndjson) && encoding != .utf8
                    ? []
                    : [false, true].map {
                        Form(format: format, encoding: encoding, compression: compression, isShuffled: $0)
                    }
            }
        }
    }

    @Test func everyFormGivesTheSameBytes() throws {
        let rules = try ShippedRules.sample()
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0xF03)
            for (seed, rows) in [(1 as UInt64, 400), (2, 2500)] {
                var first: (report: [UInt8], form: String)?
                for form in Self.forms {
                    let path = try Self.write(form, rows: rows, seed: seed, to: folder)
                    let workers = [1, 2, 7].randomElement(using: &random) ?? 1
                    let block = [64, 777, 4096, 1 << 16, 1 << 18].randomElement(using: &random) ?? 64
                    let report = try Self.report(path, form, rules, workers: workers, blockBytes: block)
                    let name = "\(form), \(rows) rows, workers \(workers), block \(block)"
                    if let first {
                        #expect(report == first.report, "\(name) differs from \(first.form)")
                    } else {
                        first = (report, name)
                    }
                }
            }
        }
    }

    /// Random block sizes and workers on one file that cannot be read twice and one that can.
    @Test func workersAndBlocksChangeNothing() throws {
        let rules = try ShippedRules.sample()
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0xB10C)
            for form in [Form(format: .csv), Form(format: .json), Form(format: .tsv, compression: .gzipMembers)] {
                let path = try Self.write(form, rows: 1500, seed: 3, to: folder)
                let expected = try Self.report(path, form, rules, workers: 1, blockBytes: 1 << 18)
                for _ in 0..<FuzzPlan.iterations(12) {
                    let workers = Int.random(in: 1...8, using: &random)
                    let block = Int.random(in: 64...9000, using: &random)
                    let report = try Self.report(path, form, rules, workers: workers, blockBytes: block)
                    #expect(report == expected, "\(form), workers \(workers), block \(block)")
                }
            }
        }
    }

    private static func write(_ form: Form, rows: Int, seed: UInt64, to folder: TemporaryFolder) throws -> String {
        var plan = SampleOptions(rows: rows, seed: seed, firstMonth: Month(year: 2025, month: 9))
        plan.months = 4
        plan.isMessy = true
        plan.format = form.format
        plan.encoding = form.encoding
        plan.compression = form.compression
        plan.isShuffled = form.isShuffled
        plan.faultyPerMillion = 8_000
        plan.correctionsPerMillion = 150_000
        var bytes: [UInt8] = []
        try SampleWriter.write(plan) { chunk throws(SampleError) in bytes += chunk }
        return try folder.write(bytes, to: "sample")
    }

    private static func report(
        _ path: String, _ form: Form, _ rules: RuleSet, workers: Int, blockBytes: Int
    ) throws -> [UInt8] {
        var profile = try Configuration(folder: DataFolder(path: Repository.root.path + "/data", origin: .flag))
            .profile("canonical")
        profile.zone = "America/New_York"
        if form.encoding == .windows1252 { profile.encoding = .windows1252 }
        let plan = ScanRequest(
            inputs: [path], profile: profile, rules: rules, workers: workers, blockBytes: blockBytes,
            maximumRejectPerMillion: 100_000)
        let result = try ScanRun(plan).run()
        return try FigureReport(
            result, rules: rules.stamp, audience: .staff, generatedAt: UTCTime(secondsSince1970: 1_700_000_000)
        )
        .bytes(
            .json)
    }
}

import Intake
import KPIs
import Reporting
import Rules
import TestSupport
import Testing
import Trips
import UseCases

/// A compressed export that is damaged anywhere is an error of that file, never wrong numbers.
@Suite struct GzipDamageTests {
    private static let text =
        "trip_id,service_date,cost\n"
        + (0..<9).map { "T\($0),2026-02-0\($0 + 1),1\($0).50\n" }.joined()

    private enum Verdict: Equatable {
        case figures(read: Int, cents: Int)
        case failed(FailureKind)
    }

    private static func verdict(_ bytes: [UInt8], _ folder: TemporaryFolder, _ rules: RuleSet) throws -> Verdict {
        let path = try folder.write(bytes, to: "export.gz")
        do {
            let result = try ScanRun(ScanRequest(inputs: [path], rules: rules, workers: 1, blockBytes: 64)).run()
            return .figures(
                read: result.counts.read, cents: result.table.cells.first?.sums.completed.costCents ?? 0)
        } catch {
            return .failed(FailureKind(of: error))
        }
    }

    private static let whole = Verdict.figures(read: 9, cents: 9 * 1050 + 36 * 100)

    @Test func membersAndPaddingAreReadAsOneText() throws {
        let rules = try ShippedRules.sample()
        let bytes = Array(Self.text.utf8)
        try TemporaryFolder.with { folder in
            for cut in [1, 26, 27, 80] {
                let members =
                    GzipBytes.stored(Array(bytes[..<cut])) + GzipBytes.stored([])
                    + GzipBytes.stored(Array(bytes[cut...]))
                let endings: [([UInt8], Verdict)] = [
                    ([], Self.whole), (Array(repeating: 0, count: 700), Self.whole), ([0x1F], .failed(.data)),
                    (Array("rest".utf8), .failed(.data)),
                ]
                for (ending, expected) in endings {
                    let verdict = try Self.verdict(members + ending, folder, rules)
                    #expect(verdict == expected, "cut at \(cut), \(ending.count) more")
                }
            }
        }
    }

    @Test func truncatedAtAnyByteItIsAnError() throws {
        let rules = try ShippedRules.sample()
        let bytes =
            GzipBytes.stored(Array(Self.text.utf8.prefix(100))) + GzipBytes.stored(Array(Self.text.utf8.dropFirst(100)))
        let border = GzipBytes.stored(Array(Self.text.utf8.prefix(100))).count
        try TemporaryFolder.with { folder in
            // Cut exactly between two members it is a whole gzip file, of less text.
            for length in 2..<bytes.count where length != border {
                let verdict = try Self.verdict(Array(bytes[..<length]), folder, rules)
                #expect(verdict == .failed(.data), "cut at \(length)")
            }
        }
    }

    @Test func withAnyByteFlippedItIsAnErrorOrTheSameNumbers() throws {
        let rules = try ShippedRules.sample()
        let bytes = GzipBytes.stored(Array(Self.text.utf8))
        try TemporaryFolder.with { folder in
            for place in 2..<bytes.count {
                for mask in [0x01, 0x80, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[place] ^= mask
                    let verdict = try Self.verdict(damaged, folder, rules)
                    // Time and system of the header, and the filling bits of a stored block's, say nothing of the text.
                    let isHarmless = verdict == Self.whole && place <= 10
                    #expect(verdict == .failed(.data) || isHarmless, "byte \(place) ^ \(mask)")
                }
            }
        }
    }
}

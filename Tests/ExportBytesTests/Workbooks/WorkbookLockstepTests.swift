import ExportBytes
import TestSupport
import Testing

/// Whole workbooks beside the table that was written: the same rows or an error, whatever byte of the file is damaged.
@Suite struct WorkbookLockstepTests {
    private struct Written {
        var round: Int
        var csv: [UInt8]
        var path: String
    }

    private static func read(_ path: String, taken: Int) -> ReadOutcome {
        ReadOutcome {
            let file = try ExportFile(path: path)
            let workbook = try Workbook(file, ZipDirectory(file))
            return try workbook.stream(of: workbook.sheets[0]).all(most: taken)
        }
    }

    /// Calls the closure with `total` random workbooks.
    private static func withWorkbooks(
        _ total: Int, damaged: Bool, _ random: inout SplitMix64, _ body: (Written, inout SplitMix64) throws -> Bool
    ) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            // By the dozen: see `ZipLockstepTests`.
            for start in stride(from: 0, to: total, by: 50) {
                let batch = try (start..<min(total, start + 50)).map { round in
                    let table = RandomSheet(&random)
                    var bytes = Self.workbook(table, &random)
                    if damaged {
                        for _ in 0..<Int.random(in: 1...2, using: &random) { RandomZip.damage(&bytes, &random) }
                    }
                    let path = try folder.write(bytes, to: "\(round - start).xlsx")
                    return Written(round: round, csv: Array(table.csv.utf8), path: path)
                }
                for written in batch { guard try body(written, &random) else { return } }
            }
        }
    }

    private static func workbook(_ table: RandomSheet, _ random: inout SplitMix64) -> [UInt8] {
        let parts = SheetMarkup.parts(of: table, &random)
        var book = WorkbookBytes(("Trips", ""))
        book.is1904 = table.is1904
        let members = book.members.map { part in
            let bytes =
                switch part.name {
                case "xl/styles.xml": parts.styles
                case "xl/sharedStrings.xml": parts.strings
                case "xl/worksheets/sheet1.xml": parts.sheet
                default: part.bytes
                }
            return RandomZip.Member(name: part.name, bytes: bytes)
        }
        return RandomZip(of: members.shuffled(using: &random), &random).bytes
    }

    @Test func aWorkbookGivesTheTableThatWasWritten() throws {
        var random = SplitMix64(seed: FuzzPlan.seed(0xB00C))
        var count = FuzzCount("workbooks as written")
        try Self.withWorkbooks(FuzzPlan.iterations(200), damaged: false, &random) { written, random in
            let outcome = Self.read(written.path, taken: [1, 97, 1 << 16].randomElement(using: &random) ?? 1)
            guard outcome == .read(written.csv) else {
                Issue.record("round \(written.round): \(outcome)")
                return false
            }
            count.add("read")
            return true
        }
        count.report()
    }

    @Test func aDamagedWorkbookGivesTheTableThatWasWrittenOrAnError() throws {
        var random = SplitMix64(seed: FuzzPlan.seed(0xDAB00))
        var count = FuzzCount("workbooks, damaged")
        try Self.withWorkbooks(FuzzPlan.iterations(400), damaged: true, &random) { written, random in
            let outcome = Self.read(written.path, taken: [97, 1 << 16].randomElement(using: &random) ?? 97)
            guard let read = outcome.bytes else {
                count.add("refused")
                return true
            }
            guard read == written.csv else {
                Issue.record("round \(written.round): \(outcome) is not what was written")
                return false
            }
            count.add("read whole")
            return true
        }
        count.report()
        #expect(count["refused"] > 0 && count["read whole"] > 0, "\(count)")
    }
}

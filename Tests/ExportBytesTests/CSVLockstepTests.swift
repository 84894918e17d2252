import ExportBytes
import TestSupport
import Testing
import Trips

/// The fast reader of delimited text beside `ReferenceCSVParser`, over made-up and damaged texts: same records, same
/// fields, same rejects at the same places, whatever the block size, the instructions and the number of workers.
@Suite struct CSVLockstepTests {
    private struct Setup: CustomStringConvertible {
        var dialect: CSVDialect
        var blockBytes: Int
        var workers: Int
        var readsInOrder: Bool
        var description: String {
            "level \(dialect.scanLevel), block \(blockBytes), workers \(workers), in order \(readsInOrder), "
                + "fields \(dialect.fieldCount), limit \(dialect.maximumRecordBytes), blank \(dialect.lastNameIsBlank)"
        }
    }

    @Test func randomTextsAreCutAsTheReferenceCutsThem() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0xC5F)
            for round in 0..<FuzzPlan.iterations(600) {
                var maker = CSVMaker(random: random)
                let fieldCount = Int.random(in: 2...5, using: &random)
                let text = maker.text(
                    fieldCount: fieldCount, delimiter: 0x2C, lines: Int.random(in: 0...60, using: &random))
                random = maker.random
                let path = try folder.write(text, to: "rows.csv")
                let limit = [7, 40, 200, 1 << 20][Int.random(in: 0..<4, using: &random)]
                let isBlank = Int.random(in: 0..<5, using: &random) == 0
                let reference = ReferenceCSVParser(
                    text: text, delimiter: 0x2C, fieldCount: fieldCount, limit: limit, lastNameIsBlank: isBlank)
                let expected = reference.parse(from: 0)
                for setup in Self.setups(fieldCount, limit, isBlank, &random) {
                    let answer = try Self.read(path, setup)
                    if answer != expected {
                        Issue.record("round \(round), \(setup): \(Self.difference(answer, expected))")
                        return
                    }
                }
            }
        }
    }

    /// Rows that end early where their last fields are empty, and quotes that are written with a backslash.
    @Test func trimmedRowsAndBackslashesAreReadAsTheReferenceReadsThem() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0x7121)
            for round in 0..<FuzzPlan.iterations(300) {
                var maker = CSVMaker(random: random)
                let fieldCount = Int.random(in: 2...6, using: &random)
                var text = maker.text(
                    fieldCount: fieldCount, delimiter: 0x2C, lines: Int.random(in: 0...60, using: &random))
                random = maker.random
                let hasBackslashes = Int.random(in: 0..<2, using: &random) == 0
                if hasBackslashes {
                    for at in text.indices where text[at] != 0x0A && Int.random(in: 0..<12, using: &random) == 0 {
                        text[at] = UInt8(ascii: "\\")
                    }
                }
                let path = try folder.write(text, to: "rows.csv")
                let limit = [40, 200, 1 << 20][Int.random(in: 0..<3, using: &random)]
                let least =
                    Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: 1..<fieldCount, using: &random)
                let reference = ReferenceCSVParser(
                    text: hasBackslashes ? CSVBackslashes.rewritten(text) : text, delimiter: 0x2C,
                    fieldCount: fieldCount, limit: limit, leastFieldCount: least)
                let expected = reference.parse(from: 0)
                for var setup in Self.setups(fieldCount, limit, false, &random) {
                    setup.dialect.leastFieldCount = least
                    setup.dialect.hasBackslashQuotes = hasBackslashes
                    let answer = try Self.read(path, setup)
                    if answer != expected {
                        Issue.record(
                            "round \(round), least \(least ?? -1), \(setup): \(Self.difference(answer, expected))")
                        return
                    }
                }
            }
        }
    }

    /// The block ends between the backslash and the quote. Without the backslash the record would have five fields, of which the last
    /// begins with a line end.
    @Test func aBackslashAtTheEndOfABlockBelongsToTheQuoteBehindIt() throws {
        try TemporaryFolder.with { folder in
            for padding in 30...70 {
                let long = String(repeating: "x", count: padding)
                let text = Array("0,w,v\n1,\(long),\"a\\\",b,\"\n2,\"\n\(long)\(long)\",z\n3,y,z\n".utf8)
                let path = try folder.write(text, to: "rows.csv")
                let expected = ReferenceCSVParser(
                    text: CSVBackslashes.rewritten(text), delimiter: 0x2C, fieldCount: 5, limit: 1 << 20,
                    leastFieldCount: 3
                ).parse(from: 0)
                #expect(expected.records.count == 4)
                for level in ScanLevel.available {
                    var dialect = CSVDialect(delimiter: 0x2C, fieldCount: 5, scanLevel: level)
                    dialect.leastFieldCount = 3
                    dialect.hasBackslashQuotes = true
                    let setup = Setup(dialect: dialect, blockBytes: 64, workers: 1, readsInOrder: true)
                    #expect(try Self.read(path, setup) == expected, "\(padding), \(setup)")
                }
            }
        }
    }

    /// At the end of the file there is no byte that would show what a backslash before it is.
    @Test(.timeLimit(.minutes(1))) func aFileMayEndWithARecordOfAnyLength() throws {
        try TemporaryFolder.with { folder in
            for (length, before) in [0, 1].flatMap({ before in (30...50).map { ($0, before) } }) {
                for long in [String(repeating: "x", count: length), "\"" + String(repeating: "y", count: length - 1)] {
                    let text = Array((before == 0 ? "1,2\n" : "1,\"2\"3\n").utf8) + Array(long.utf8)
                    let path = try folder.write(text, to: "rows.csv")
                    let expected = ReferenceCSVParser(text: text, delimiter: 0x2C, fieldCount: 2, limit: 40)
                        .parse(from: 0)
                    for inOrder in [false, true] {
                        var dialect = CSVDialect(delimiter: 0x2C, fieldCount: 2, maximumRecordBytes: 40)
                        dialect.hasBackslashQuotes = true
                        let setup = Setup(dialect: dialect, blockBytes: 64, workers: 1, readsInOrder: inOrder)
                        #expect(try Self.read(path, setup) == expected, "\(length), \(setup)")
                    }
                }
            }
        }
    }

    /// Long enough for many blocks of the usual size and for the scan's longest stride.
    @Test func longTextsAreCutAsTheReferenceCutsThem() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0x10C6)
            for round in 0..<4 {
                var maker = CSVMaker(random: random)
                maker.isTame = true
                let text = maker.text(fieldCount: 6, delimiter: 0x2C, lines: 9000)
                random = maker.random
                let path = try folder.write(text, to: "rows.csv")
                let limit = [400, 1 << 14, 1 << 20, 1 << 20][round]
                let expected = ReferenceCSVParser(text: text, delimiter: 0x2C, fieldCount: 6, limit: limit).parse(
                    from: 0)
                for block in [1000, 4096, 1 << 16, 1 << 18] {
                    for inOrder in [false, true] {
                        let setup = Setup(
                            dialect: CSVDialect(delimiter: 0x2C, fieldCount: 6, maximumRecordBytes: limit),
                            blockBytes: block, workers: 2, readsInOrder: inOrder)
                        let answer = try Self.read(path, setup)
                        if answer != expected {
                            Issue.record("round \(round), \(setup): \(Self.difference(answer, expected))")
                        }
                    }
                }
            }
        }
    }

    /// A window may end between the backslash and its quote, after which a comma follows.
    @Test func aBackslashAtTheEndOfAWindowIsAQuote() throws {
        try TemporaryFolder.with { folder in
            let text = Array((0..<400).map { "\($0),\"say \\\", then \($0)\\\"\",z\n" }.joined().utf8)
            let path = try folder.write(text, to: "rows.csv")
            let expected = ReferenceCSVParser(
                text: CSVBackslashes.rewritten(text), delimiter: 0x2C, fieldCount: 3, limit: 1 << 20
            ).parse(from: 0)
            #expect(expected.records.count == 400)
            for block in 64..<164 {
                var setup = Setup(
                    dialect: CSVDialect(delimiter: 0x2C, fieldCount: 3), blockBytes: block, workers: 1,
                    readsInOrder: block % 2 == 0)
                setup.dialect.hasBackslashQuotes = true
                let answer = try Self.read(path, setup)
                if answer != expected { Issue.record("\(setup): \(Self.difference(answer, expected))") }
            }
        }
    }

    /// A broken quote before very many lines that never read as records must not hold them all.
    @Test func linesAfterABrokenQuoteAreNotHeld() throws {
        try TemporaryFolder.with { folder in
            let bad = Array("a\",\"b\n".utf8)
            let text =
                Array("1,2,3\nx,\"y\n".utf8) + Array(repeatElement(bad, count: 400_000).joined())
                + Array("7,8,9\n".utf8)
            let path = try folder.write(text, to: "rows.csv")
            let expected = ReferenceCSVParser(text: text, delimiter: 0x2C, fieldCount: 3, limit: 1 << 20).parse(from: 0)
            for inOrder in [false, true] {
                let setup = Setup(
                    dialect: CSVDialect(delimiter: 0x2C, fieldCount: 3), blockBytes: 1 << 16, workers: 2,
                    readsInOrder: inOrder)
                let answer = try Self.read(path, setup)
                if answer != expected { Issue.record("\(setup): \(Self.difference(answer, expected))") }
            }
        }
    }

    /// The first record and the first reject that differ.
    private static func difference(_ answer: ReferenceCSVParser.Answer, _ expected: ReferenceCSVParser.Answer) -> String
    {
        func first<Value: Equatable>(_ left: [Value], _ right: [Value]) -> String {
            let same = zip(left, right).prefix { $0 == $1 }.count
            let names = [left, right].map { same < $0.count ? "\($0[same])" : "none" }
            return names.joined(separator: " is not ")
        }
        return first(answer.records, expected.records) + "; " + first(answer.rejects, expected.rejects)
    }

    private static func setups(
        _ fieldCount: Int, _ limit: Int, _ isBlank: Bool, _ random: inout SplitMix64
    ) -> [Setup] {
        var setups: [Setup] = []
        for level in ScanLevel.available {
            for inOrder in [false, true] {
                let block =
                    [64, 65, 127, Int.random(in: 64...512, using: &random), 4096, 1 << 18]
                    .randomElement(using: &random) ?? 64
                let workers = inOrder || level > .portable ? 1 : [1, 2, 7].randomElement(using: &random) ?? 1
                setups.append(
                    Setup(
                        dialect: CSVDialect(
                            delimiter: 0x2C, fieldCount: fieldCount, maximumRecordBytes: limit,
                            lastNameIsBlank: isBlank, scanLevel: level),
                        blockBytes: block, workers: workers, readsInOrder: inOrder))
            }
        }
        return setups
    }

    private static func read(_ path: String, _ setup: Setup) throws -> ReferenceCSVParser.Answer {
        let rows = try DelimitedRows(
            path: path, dialect: setup.dialect, blockBytes: setup.blockBytes, workers: setup.workers,
            readsInOrder: setup.readsInOrder)
        var answer = ReferenceCSVParser.Answer()
        var before = 0
        for block in rows.blocks {
            for row in block.rows {
                answer.records.append(
                    .init(number: before + row.recordInBlock, offset: row.offset, fields: row.fields))
            }
            for reject in block.rejects.sorted(by: { $0.recordInBlock < $1.recordInBlock }) {
                answer.rejects.append(
                    .init(number: before + reject.recordInBlock, offset: reject.offset, reason: reject.reason))
            }
            before += block.recordsMet
        }
        return answer
    }
}

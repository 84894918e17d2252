import ExportBytes
import TestSupport
import Testing

/// The streaming reader of sheets beside the table that was written, and beside a plain reader with an XML parser of its own: the
/// same rows, whatever form the XML has, in whatever pieces it comes, and whatever is damaged.
@Suite struct SheetLockstepTests {
    private struct Reading: Equatable {
        var outcome: ReadOutcome
        var remarks: SheetRemarks?
    }

    /// - Parameters:
    ///   - most: bytes that arrive at once.
    ///   - taken: bytes that are asked for at once.
    private static func read(
        _ parts: SheetMarkup.Parts, is1904: Bool, most: Int? = nil, taken: Int = 1 << 16
    ) -> Reading {
        var reading = Reading(outcome: .read([]))
        reading.outcome = ReadOutcome {
            let strings = try SharedStrings(ChunkedStream(parts.strings, most: most, seed: 2), file: "a.xlsx")
            var formats = try NumberFormats(ChunkedStream(parts.styles, most: most, seed: 3), file: "a.xlsx")
            formats.is1904 = is1904
            let stream = SheetStream(
                ChunkedStream(parts.sheet, most: most), part: "sheet 1", file: "a.xlsx", strings: strings,
                formats: formats)
            let bytes = try stream.all(most: taken)
            reading.remarks = stream.remarks
            return bytes
        }
        return reading
    }

    @Test func aSheetOfAnyFormGivesTheTableThatWasWritten() {
        var random = SplitMix64(seed: FuzzPlan.seed(0x5EE7))
        var count = FuzzCount("sheets as written")
        for round in 0..<FuzzPlan.iterations(700) {
            let table = RandomSheet(&random)
            let parts = SheetMarkup.parts(of: table, &random)
            let expected = Array(table.csv.utf8)
            let whole = Self.read(parts, is1904: table.is1904)
            let cut = Self.read(
                parts, is1904: table.is1904, most: Int.random(in: 1...40, using: &random),
                taken: Int.random(in: 1...90, using: &random))
            let shown = String(decoding: parts.sheet, as: UTF8.self)
            guard whole.outcome == .read(expected) else {
                Issue.record("round \(round): \(whole.outcome) is not \(table.csv.debugDescription) of \(shown)")
                return
            }
            guard cut == whole else {
                Issue.record("round \(round): \(cut.outcome) in pieces is not \(whole.outcome) of \(shown)")
                return
            }
            #expect(whole.remarks?.errorValues == table.count(.error), "round \(round)")
            #expect(whole.remarks?.formulasWithoutValue == table.count(.formulaWithoutValue), "round \(round)")
            #expect(whole.remarks?.hiddenRows == table.rows.count { $0.isHidden }, "round \(round)")
            // So that the plain reader is right too.
            let judged = ReferenceSheet(strings: table.sharedStrings, is1904: table.is1904).csv(parts.sheet)
            guard judged.map({ Array($0.utf8) }) == expected else {
                Issue.record("round \(round): the plain reader says \(judged.debugDescription) of \(shown)")
                return
            }
            count.add("read")
        }
        count.report()
    }

    @Test func aDamagedSheetGivesTheRowsOfAPlainReaderOrAnError() {
        var random = SplitMix64(seed: FuzzPlan.seed(0xDA3))
        var count = FuzzCount("sheets, damaged")
        for round in 0..<FuzzPlan.iterations(1500) {
            let table = RandomSheet(&random)
            var parts = SheetMarkup.parts(of: table, &random)
            for _ in 0..<Int.random(in: 1...2, using: &random) { Self.damage(&parts.sheet, &random) }
            let whole = Self.read(parts, is1904: table.is1904)
            let cut = Self.read(
                parts, is1904: table.is1904, most: Int.random(in: 1...40, using: &random),
                taken: Int.random(in: 1...90, using: &random))
            let shown = String(decoding: parts.sheet, as: UTF8.self)
            guard cut == whole else {
                Issue.record("round \(round): \(cut.outcome) in pieces is not \(whole.outcome) of \(shown)")
                return
            }
            guard let read = whole.outcome.bytes else {
                count.add("refused")
                continue
            }
            let judged = ReferenceSheet(strings: table.sharedStrings, is1904: table.is1904).csv(parts.sheet)
            guard let judged else {
                count.add("read, no judgement")
                continue
            }
            guard Array(judged.utf8) == read else {
                Issue.record(
                    "round \(round): \(whole.outcome) is not \(judged.debugDescription) of the plain reader: \(shown)")
                return
            }
            count.add("read as judged")
        }
        count.report()
        #expect(count["refused"] * 10 > count.inputs && count["read as judged"] * 10 > count.inputs, "\(count)")
    }

    /// Damaged texts and styles end in rows or an error, the same in pieces.
    @Test func damagedTextsAndStylesGiveTheSameInAnyPieces() {
        var random = SplitMix64(seed: FuzzPlan.seed(0x7E87))
        var count = FuzzCount("texts and styles, damaged")
        for round in 0..<FuzzPlan.iterations(400) {
            let table = RandomSheet(&random)
            var parts = SheetMarkup.parts(of: table, &random)
            if round % 2 == 0 { Self.damage(&parts.strings, &random) } else { Self.damage(&parts.styles, &random) }
            let whole = Self.read(parts, is1904: table.is1904)
            let cut = Self.read(
                parts, is1904: table.is1904, most: Int.random(in: 1...40, using: &random),
                taken: Int.random(in: 1...90, using: &random))
            guard cut == whole else {
                Issue.record("round \(round): \(cut.outcome) in pieces is not \(whole.outcome)")
                return
            }
            count.add(whole.outcome.bytes == nil ? "refused" : "read")
        }
        count.report()
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[at] = Array("<>/&;\"'= 0159EescvtrA_:-!?".utf8).randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(at..<end)
        case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 4: bytes.removeSubrange(at...)
        case 5:
            // A digit of a number, a reference or a style: the XML stays whole.
            if let place = bytes[at...].firstIndex(where: { (0x30...0x39).contains($0) }) {
                bytes[place] = UInt8.random(in: 0x30...0x39, using: &random)
            }
        default:
            // A whole tag.
            if let open = bytes[at...].firstIndex(of: 0x3C), let close = bytes[open...].firstIndex(of: 0x3E) {
                if Bool.random(using: &random) {
                    bytes.removeSubrange(open...close)
                } else {
                    bytes.insert(contentsOf: bytes[open...close], at: open)
                }
            }
        }
    }
}

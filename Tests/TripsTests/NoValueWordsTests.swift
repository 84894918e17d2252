import Testing
import Trips

/// The one table of words for no value, and what is no part of a value.
@Suite struct NoValueWordsTests {
    @Test(arguments: ["NULL", "n/a", "N/A", "NA", "None", "nil", "\\N", "#N/A", "-", "--", ".", "unknown", "—"])
    func wordsForNothingAreNoValue(word: String) {
        #expect(NoValueWords.standard.hold(word))
    }

    @Test(arguments: ["", "0", "North", "nullify", "N/A1", "C1", "-1", "nan1"]) func otherTextsAreValues(text: String) {
        #expect(!NoValueWords.standard.hold(text))
    }

    @Test func aProfileAddsWords() {
        let words = NoValueWords(adding: ["See Log"])
        #expect(words.hold("see log") && words.hold("NULL") && !words.mayBeNumbers)
        #expect(NoValueWords(adding: ["0"]).mayBeNumbers)
    }

    /// What is asked first of ids: it may say yes too often, and never no to a word.
    @Test func everyWordMayBegin() {
        for word in NoValueWords.standardWords {
            for text in [word, word.uppercased()] {
                guard let first = text.utf8.first, first < 0x80 else { continue }
                #expect(NoValueWords.standard.mayBegin(with: first, length: text.utf8.count), "\(text)")
            }
        }
        #expect(!NoValueWords.standard.mayBegin(with: 0x54, length: 5))
    }

    @Test(arguments: [
        "North", " North", "North\t", "\u{A0}North\u{2003}", "\u{200B}North\u{FEFF}", "\u{AD}North",
        "\u{202F}North\u{3000}",
        "\u{200B}\u{A0}\u{0007}North \u{2060}", "=\"North\"", "= North",
    ])
    func whatIsInvisibleIsNoPartOfAValue(text: String) {
        let value = String(decoding: Array(text.utf8).meantValue(), as: UTF8.self)
        #expect(value == (text == "= North" ? text : "North"))
    }

    @Test(arguments: ["0000012", "=\"0000012\"", "'0000012", " =\"0000012\" ", "=\"\u{A0}0000012\""])
    func theProtectionsOfSpreadsheetsAreNoPartOfAnId(text: String) {
        #expect(Array(Array(text.utf8).meantValue()) == Array("0000012".utf8))
    }

    @Test(arguments: ["'s-Hertogenbosch", "é", "São", "x'", "\"12\"", "=12", "'", "="]) func otherMarksAreKept(
        text: String
    ) {
        #expect(Array(Array(text.utf8).meantValue()) == Array(text.utf8))
    }

    /// Any value that the fast path takes as it stands is the same to the slow path.
    @Test func plainEdgesNeedNothingTakenOff() {
        for first in UInt8.min...UInt8.max {
            for last in UInt8.min...UInt8.max where ValueEdges.arePlain(first, last) {
                let value = [first, 0x31, last]
                #expect(Array(value.meantValue()) == value)
            }
        }
    }
}

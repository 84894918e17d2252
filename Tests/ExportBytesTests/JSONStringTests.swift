import ExportBytes
import Testing

@Suite struct JSONStringTests {
    private func unescape(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let unescaped = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { JSONString.unescape($0, from: 0, to: bytes.count) } ?? []
        }
        return String(decoding: unescaped, as: UTF8.self)
    }

    @Test func replacesEveryEscape() {
        #expect(unescape(#"\"\\\/\b\f\n\r\t"#) == "\"\\/\u{8}\u{C}\n\r\t")
        #expect(unescape(#"caf\u00e9 \u00E9 é"#) == "café é é")
        #expect(unescape(#"\u0000"#) == "\0")
    }

    @Test func joinsSurrogatePairsAndReplacesHalves() {
        #expect(unescape(#"\ud83d\ude00"#) == "😀")
        #expect(unescape(#"\udbff\udfff"#) == "\u{10FFFF}")
        #expect(unescape(#"\ud83dx"#) == "\u{FFFD}x")
        #expect(unescape(#"\ude00\ud83d"#) == "\u{FFFD}\u{FFFD}")
        #expect(unescape(#"\ud83d\ud83d\ude00"#) == "\u{FFFD}😀")
        #expect(unescape(#"\ud83d\u0041"#) == "\u{FFFD}A")
    }
}

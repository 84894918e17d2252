import ExportBytes
import TestSupport
import Testing

/// What the splitter made of a document that came in pieces.
struct SplitDocument: Equatable, CustomStringConvertible {
    var elements: [JSONElement] = []
    var texts: [[UInt8]] = []
    var error: JSONFault?
    /// The most bytes that were kept from one call to the next.
    var mostKept = 0
    var description: String { "\(elements) \(error.map { "\($0)" } ?? "fine")" }

    /// Feeds `document` in pieces whose lengths `piece` gives, keeping what is not consumed, as a reader would.
    init(
        _ document: [UInt8], path: [String], maximumRecordBytes: Int = 1 << 20, level: ScanLevel = .best,
        piece: () -> Int = { Int.max }
    ) {
        var splitter = JSONArraySplitter(path: path, maximumRecordBytes: maximumRecordBytes, level: level)
        var (start, end) = (0, 0)
        repeat {
            end = min(document.count, end + min(piece(), document.count))
            // A copy, so that a look at bytes that were given back would read something else.
            let window = Array(document[start..<end]) + [UInt8](repeating: UInt8(ascii: "\""), count: 64)
            do throws(JSONFault) {
                start += try window.withUnsafeBufferPointer { buffer throws(JSONFault) -> Int in
                    guard let base = buffer.baseAddress else { return 0 }
                    return try splitter.scan(
                        window: base, count: end - start, windowOffset: start, isLast: end == document.count
                    ) { element in
                        elements.append(element)
                        guard !element.isTooLong else { return }
                        texts.append(Array(window[element.start - start..<element.end - start]))
                    }
                }
                mostKept = max(mostKept, end - start)
            } catch {
                self.error = error
                return
            }
        } while end < document.count
    }

    static func == (left: SplitDocument, right: SplitDocument) -> Bool {
        left.elements == right.elements && left.texts == right.texts && left.error == right.error
    }
}

@Suite struct JSONArraySplitterTests {
    /// A document with its records under `data.trips`, among other members.
    private func document(_ generator: inout JSONGenerator, path: [String]) -> String {
        let elements = (0..<Int.random(in: 0..<7, using: &generator.random)).map { _ in
            generator.space() + (generator.chance(5) ? generator.value() : generator.record()) + generator.space()
        }
        var text = "[" + elements.joined(separator: ",") + "]"
        for key in path.reversed() {
            let before = generator.chance(2) ? #""before":"# + generator.value() + "," : ""
            let after = generator.chance(2) ? #","after":"# + generator.value() : ""
            text = "{" + before + generator.space() + #""\#(key)""# + ":" + generator.space() + text + after + "}"
        }
        return generator.space() + text + generator.space()
    }

    private func elementCount(_ value: ReferenceJSON.Value, path: [String]) -> Int? {
        guard let key = path.first else {
            if case .array(_, let elements) = value { return elements.count }
            return nil
        }
        guard case .object(_, let members) = value else { return nil }
        let matching = members.filter { $0.key == Array(key.utf8) }
        guard matching.count == 1, let member = matching.first else { return nil }
        return elementCount(member.value, path: Array(path.dropFirst()))
    }

    @Test(arguments: [[], ["data"], ["data", "trips"]])
    func judgesDocumentsAsTheReferenceDoesWhateverTheCut(path: [String]) {
        var generator = JSONGenerator(seed: 31)
        var valid = 0
        for round in 0..<1500 {
            var bytes = Array(document(&generator, path: path).utf8)
            if round % 2 == 1 { bytes = generator.damage(bytes) }
            let whole = SplitDocument(bytes, path: path)
            let isFine = whole.error == nil && whole.texts.allSatisfy { ReferenceJSON.parse($0) != nil }
            let expected = ReferenceJSON.parse(bytes).flatMap { elementCount($0, path: path) }
            let shown = "\(String(decoding: bytes, as: UTF8.self)) \(whole)"
            #expect(isFine == (expected != nil), "\(shown)")
            if let expected {
                valid += 1
                #expect(whole.elements.count == expected, "\(shown)")
            }
            for level in ScanLevel.available {
                let most = Int.random(in: 1...90, using: &generator.random)
                let cut = SplitDocument(bytes, path: path, level: level) {
                    Int.random(in: 1...most, using: &generator.random)
                }
                #expect(cut == whole, "\(shown) \(cut)")
            }
        }
        #expect((600...1400).contains(valid))
    }

    private func split(_ text: String, path: [String] = []) -> SplitDocument {
        SplitDocument(Array(text.utf8), path: path)
    }

    @Test func reportsWhereTheElementsLie() {
        let text = #"[{"a":"]}"} , {"b":[1]},7]"#
        let found = split(text)
        #expect(found.error == nil)
        #expect(found.texts.map { String(decoding: $0, as: UTF8.self) } == [#"{"a":"]}"}"#, #"{"b":[1]}"#, "7"])
        #expect(found.elements.first == JSONElement(start: 1, end: 11, isTooLong: false))
    }

    @Test func aBrokenElementWhoseBracketsBalanceEndsNothing() {
        let found = split(#"[{"a":1},{"a":tru e,,},{"a" "x}" 1},{"a":2}]"#)
        #expect(found.error == nil)
        #expect(found.elements.count == 4)
    }

    @Test(arguments: [
        (#"[{"a":1}{"a":2}]"#, 8), (#"[,{"a":1}]"#, 1), (#"[{"a":1}]]"#, 9), (#"[] x"#, 3),
        (#"[{"a":1}"#, 8), (#"[{"a":1},{"a":[}]"#, 17), (#"[{"a":1},{"a":{}]"#, 17), (#"[{"a":1},{"a":{"#, 9),
        (#"{"a":1}"#, 0), ("", 0), ("[}", 1),
    ])
    func namesTheByteThatEndsTheDocument(text: String, position: Int) {
        #expect(split(text).error?.position == position)
    }

    @Test func refusesAPathThatIsMissingTwofoldOrOfAnotherKind() {
        #expect(split(#"{"x":[{}]}"#, path: ["data"]).error?.kind == .pathMissing)
        #expect(split(#"{"x":{"data":[{}]}}"#, path: ["data"]).error?.kind == .pathMissing)
        #expect(split(#"{"data":[{}],"data":[{}]}"#, path: ["data"]).error?.kind == .duplicateKey)
        #expect(split(#"{"data":null}"#, path: ["data"]).error?.kind == .arrayExpected)
        #expect(split(#"{"data":[]}"#, path: ["data", "trips"]).error?.kind == .pathObjectExpected)
        #expect(split(#"{"d\u0061ta":[{}]}"#, path: ["data"]).elements.count == 1)
    }

    @Test func holdsNoMoreThanTheLongestRecord() {
        let long = #"{"a":""# + String(repeating: "x\\\"", count: 100_000) + #""}"#
        let text = #"{"skipped":"# + long + #","data":[{"a":1},"# + long + #",{"a":2}],"also":"# + long + "}"
        let found = SplitDocument(Array(text.utf8), path: ["data"], maximumRecordBytes: 2000) { 777 }
        #expect(found.error == nil)
        #expect(found.elements.map(\.isTooLong) == [false, true, false])
        #expect(found.elements[1].end - found.elements[1].start == long.utf8.count)
        #expect(found.mostKept <= 2000)
    }

    @Test func bombsEndWithAnError() {
        #expect(split(String(repeating: "[", count: 100_000)).error?.position == 1)
        let nested = #"{"x":"# + String(repeating: "[", count: 100_000)
        #expect(split(nested, path: ["data"]).error?.kind == .depth)
    }
}

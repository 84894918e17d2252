import ExportBytes
import TestSupport

/// Random documents of each arrangement of records.
struct JSONShapeMaker {
    var generator: JSONGenerator
    /// Whether there are other members beside the records.
    var hasOthers = true
    static let shapes: [JSONShape] = [
        .sequence, .members(path: []), .members(path: ["data", "byId"]),
        .rows(path: ["data"], names: ["id", "cost", "x"]),
        .rows(path: [], names: nil), .columns(path: []), .columns(path: ["data"]),
        .nested(JSONNesting(path: ["data"], inner: [["units"]])),
        .documents(path: ["data"]), .nested(JSONNesting(path: [], inner: [["units"]])),
        .nested(JSONNesting(path: ["d", "list"], inner: [["a", "units"], ["events"]])),
    ]

    init(seed: UInt64) { generator = JSONGenerator(seed: seed) }

    private mutating func several(_ most: Int, _ make: (inout JSONGenerator) -> String) -> String {
        let parts = (0..<Int.random(in: 0...most, using: &generator.random)).map { _ in
            generator.space() + make(&generator) + generator.space()
        }
        return parts.joined(separator: ",")
    }

    /// A document with its records in this arrangement, among other members.
    mutating func document(_ shape: JSONShape) -> String {
        switch shape {
        case .lines, .sequence: return sequence()
        case .array(let path): return below(path, "[" + several(5) { $0.record() } + "]")
        case .members(let path):
            var number = 0
            let members = several(4) { generator in
                number += 1
                let value = generator.chance(9) ? generator.value() : generator.record()
                return "\"k\(number)\"" + generator.space() + ":" + generator.space() + value
            }
            return below(path, "{" + members + "}")
        case .rows(let path, let names):
            var isFirst = names == nil
            let rows = several(5) { generator in
                if isFirst {
                    isFirst = false
                    return #"["id" , "cost","x\"y"]"#
                }
                let count = generator.chance(9) ? 2 : 3
                return "[" + (0..<count).map { _ in generator.space() + generator.value() }.joined(separator: ",") + "]"
            }
            return below(path, "[" + rows + "]")
        case .columns(let path):
            let count = Int.random(in: 0...4, using: &generator.random)
            var number = 0
            let columns = several(4) { generator in
                number += 1
                let length = generator.chance(12) ? count + 1 : count
                let values = (0..<length).map { _ in generator.space() + generator.value() + generator.space() }
                return "\"c\(number)\":[" + values.joined(separator: ",") + "]"
            }
            return below(path, "{" + columns + "}")
        case .nested(let nesting):
            return below(nesting.path ?? [], "[" + several(4) { Self.parent(nesting.inner[...], &$0) } + "]")
        case .documents(let path):
            let between = generator.pick(["\n", " ", "", ",", "\u{1E}"], else: "\n")
            return (0..<Int.random(in: 1...3, using: &generator.random)).map { _ in
                below(path, "[" + several(3) { $0.record() } + "]")
            }.joined(separator: between)
        }
    }

    private mutating func sequence() -> String {
        let between = generator.pick(["\n", "\r\n", " ", "", ",", " , ", "\u{1E}"], else: "\n")
        var text = generator.chance(4) ? "\u{1E}" : ""
        let count = Int.random(in: 0...5, using: &generator.random)
        for number in 0..<count {
            text += number == 0 ? generator.record() : between + generator.record()
        }
        return text + (generator.chance(2) ? "\n" : "")
    }

    /// A record whose array of records, at the first of the paths, may be missing, empty, or something else.
    private static func parent(_ inner: ArraySlice<[String]>, _ generator: inout JSONGenerator) -> String {
        guard let path = inner.first, let name = path.last else { return generator.record() }
        let elements = (0..<Int.random(in: 0...3, using: &generator.random)).map { _ in
            generator.space() + parent(inner.dropFirst(), &generator) + generator.space()
        }
        let list = generator.chance(8) ? generator.value() : "[" + elements.joined(separator: ",") + "]"
        var members = [#""n":"# + generator.scalar()]
        if !generator.chance(8) { members.append("\"\(name)\"" + generator.space() + ":" + generator.space() + list) }
        if generator.chance(2) { members.append(#""x":"# + generator.value()) }
        members.shuffle(using: &generator.random)
        let object = "{" + generator.space() + members.joined(separator: "," + generator.space()) + "}"
        return path.dropLast().reversed().reduce(object) { #"{"y":1,"\#($1)":\#($0)}"# }
    }

    private mutating func below(_ path: [String], _ text: String) -> String {
        let document = path.reversed().reduce(text) { inner, key in
            let before = hasOthers && generator.chance(2) ? #""before":"# + generator.value() + "," : ""
            let after = hasOthers && generator.chance(2) ? #","after":"# + generator.value() : ""
            return "{" + before + generator.space() + "\"\(key)\"" + generator.space() + ":" + inner + after + "}"
        }
        return generator.space() + document + generator.space()
    }
}

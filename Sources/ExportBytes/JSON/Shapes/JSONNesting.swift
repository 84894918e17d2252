/// Records within records: each element of an inner array becomes a record of its own, with its parent's fields around
/// it.
package struct JSONNesting: Sendable, Hashable {
    /// The keys that lead to the outer array; nil: the outer records are no array but objects one after another.
    package var path: [String]?
    /// Whether documents with such an array follow one another.
    package var isRepeated = false
    /// The keys that lead from a record to its inner array, from the outside in.
    package var inner: [[String]]
    /// By place in `inner`: the paths of values of the parents that only the first element has, so that each counts once.
    package var once: [[[String]]] = []

    package init(path: [String]?, isRepeated: Bool = false, inner: [[String]]) {
        self.path = path
        self.isRepeated = isRepeated
        self.inner = inner
    }

    /// The lines of a record: the array at the first of the paths is replaced by each of its elements in turn, and so
    /// on inwards. A record without the array, or with an empty one, is one record.
    func records(of record: [UInt8]) -> [UInt8] {
        var lines = [record]
        var prefix: [String] = []
        for (step, path) in inner.enumerated() {
            prefix += path
            lines = lines.flatMap { line in
                guard let first = Self.elements(in: line, at: prefix) else { return [line] }
                if first.parts.isEmpty {
                    return [
                        Array(line[..<first.array.lowerBound]) + Array("null".utf8) + line[first.array.upperBound...]
                    ]
                }
                let single = once.indices.contains(step) && first.parts.count > 1 ? once[step] : []
                let rest = single.isEmpty ? line : single.reduce(line, Self.withoutValue)
                let others = single.isEmpty ? first : Self.elements(in: rest, at: prefix) ?? first
                return zip(first.parts, others.parts).enumerated().map { index, parts in
                    index == 0
                        ? Array(line[..<first.array.lowerBound]) + line[parts.0] + line[first.array.upperBound...]
                        : Array(rest[..<others.array.lowerBound]) + rest[parts.1] + rest[others.array.upperBound...]
                }
            }
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// An object in which the value at a path is null, nested or under one literal dotted key.
    private static func withoutValue(_ line: [UInt8], at path: [String]) -> [UInt8] {
        var line = line
        for keys in path.count > 1 ? [path, [path.joined(separator: ".")]] : [path] {
            var at = 0
            for key in keys {
                guard let value = value(of: key, in: line, at: at) else {
                    at = line.count
                    break
                }
                at = value
            }
            guard at < line.count else { continue }
            line.replaceSubrange(at..<endOfValue(line, at), with: Array("null".utf8))
        }
        return line
    }

    /// Where the array at a path lies in an object, and each of its elements in it; nil if there is none.
    private static func elements(
        in line: [UInt8], at path: [String]
    ) -> (array: Range<Int>, parts: [Range<Int>])? {
        var at = 0
        for key in path {
            guard let value = value(of: key, in: line, at: at) else { return nil }
            at = value
        }
        guard at < line.count, line[at] == UInt8(ascii: "[") else { return nil }
        let start = at
        var parts: [Range<Int>] = []
        at += 1
        while true {
            at = skipBlanks(line, at)
            // Of an array with wrong commas the record stays as it is, and the parser refuses it.
            if !parts.isEmpty, at < line.count, line[at] != UInt8(ascii: "]") {
                guard line[at] == UInt8(ascii: ",") else { return nil }
                at = skipBlanks(line, at + 1)
            }
            guard at < line.count else { return nil }
            if line[at] == UInt8(ascii: "]") { return (start..<at + 1, parts) }
            let end = endOfValue(line, at)
            guard end > at else { return nil }
            parts.append(at..<end)
            at = end
        }
    }

    private static func value(of key: String, in line: [UInt8], at start: Int) -> Int? {
        var at = skipBlanks(line, start)
        guard at < line.count, line[at] == UInt8(ascii: "{") else { return nil }
        at += 1
        while true {
            at = skipBlanks(line, at)
            guard at < line.count, line[at] != UInt8(ascii: "}") else { return nil }
            if line[at] == UInt8(ascii: ",") {
                at += 1
                continue
            }
            let end = endOfValue(line, at)
            guard line[at] == UInt8(ascii: "\""), end > at else { return nil }
            let isWanted = JSONPull.text(of: Array(line[at..<end])) == key
            at = skipBlanks(line, end)
            guard at < line.count, line[at] == UInt8(ascii: ":") else { return nil }
            at = skipBlanks(line, at + 1)
            if isWanted { return at }
            let next = endOfValue(line, at)
            guard next > at else { return nil }
            at = next
        }
    }

    private static func skipBlanks(_ line: [UInt8], _ start: Int) -> Int {
        line[min(start, line.count)...].firstIndex { !JSONStreamMachine.isWhitespace($0) } ?? line.count
    }

    private static func endOfValue(_ line: [UInt8], _ start: Int) -> Int {
        var at = start, depth = 0
        while at < line.count {
            switch line[at] {
            case UInt8(ascii: "\""):
                at += 1
                while at < line.count, line[at] != UInt8(ascii: "\"") { at += line[at] == UInt8(ascii: "\\") ? 2 : 1 }
                at = min(at + 1, line.count)
                if depth == 0 { return at }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return at }
                depth -= 1
                if depth == 0 { return at + 1 }
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return at }
            default: break
            }
            at += 1
        }
        return at
    }
}

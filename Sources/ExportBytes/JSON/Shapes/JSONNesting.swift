/// Records within records: each element of an inner array becomes a record of its own, with its parent's fields around
/// it.
enum JSONNesting {
    /// The lines of a record: the array at the first of the paths is replaced by each of its elements in turn, and so
    /// on inwards. A record without the array, or with an empty one, is one record.
    static func records(of record: [UInt8], inner: ArraySlice<[String]>) -> [UInt8] {
        var lines = [record]
        var prefix: [String] = []
        for path in inner {
            prefix += path
            lines = lines.flatMap { line in
                guard let elements = elements(in: line, at: prefix) else { return [line] }
                if elements.parts.isEmpty {
                    return [
                        Array(line[..<elements.array.lowerBound]) + Array("null".utf8)
                            + line[elements.array.upperBound...]
                    ]
                }
                return elements.parts.map { part in
                    Array(line[..<elements.array.lowerBound]) + line[part] + line[elements.array.upperBound...]
                }
            }
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
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

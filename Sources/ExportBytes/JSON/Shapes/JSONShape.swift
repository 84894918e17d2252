/// How the records of a JSON export are arranged.
package enum JSONShape: Sendable, Hashable {
    /// NDJSON: an object a line.
    case lines
    /// Objects one after another, on one line or on several.
    case sequence
    /// The array at a path; no path: the top.
    case array(path: [String])
    /// The members of the object at a path, whose keys are ids.
    case members(path: [String])
    /// Arrays of values in the array at a path. Names nil: the first of them names the columns.
    case rows(path: [String], names: [String]?)
    /// The object at a path has an array for each column.
    case columns(path: [String])
    /// Arrays within the records of an array, each of whose elements is a record with its parent's fields.
    case nested(JSONNesting)
    /// Documents one after another, each with an array of records at the path.
    case documents(path: [String])

    /// Whether the text is rearranged to lines before it is read: see `JSONLines`.
    package var isRearranged: Bool {
        switch self {
        case .lines, .array: false
        case .sequence, .members, .rows, .columns, .nested, .documents: true
        }
    }

    /// The name under which a record of `members` has its key.
    package static let keyName = "@key"

    /// What it is, for people.
    package var name: String {
        switch self {
        case .lines: "an object a line"
        case .sequence: "objects one after another"
        case .array(let path): path.isEmpty ? "an array of records" : "an array of records below keys"
        case .members: "an object of records by their ids"
        case .rows: "rows of values below names of columns"
        case .columns: "an array for each column"
        case .nested: "records within records"
        case .documents: "documents one after another, each with records below keys"
        }
    }
}

/// An arrangement that the first bytes of a JSON text may have.
package struct JSONCandidate: Sendable {
    package var shape: JSONShape
    /// The keys of the first record.
    package var keys: [String]
}

extension JSONShape {
    /// The arrangements that a text may have, by its first bytes. Several: only a person, or known names, can say
    /// which is meant.
    package static func candidates(_ head: [UInt8], isWhole: Bool) -> [JSONCandidate] {
        guard let (root, next) = JSONOutline.of(head) else { return [] }
        switch root {
        case .array(let first, _):
            return array(first, path: []).map { [$0] } ?? [JSONCandidate(shape: .array(path: []), keys: [])]
        case .object(_, let isClosed):
            // Each record may begin with a record separator (RFC 7464).
            if head.prefix(64).first(where: { $0 == 0x1E || $0 > 0x20 }) == 0x1E {
                return [JSONCandidate(shape: .sequence, keys: root.keys())]
            }
            let after = head[min(next, head.count)...].firstIndex { $0 > 0x20 && $0 != 0x1E && $0 != 0x2C }
            if isClosed, let after {
                let isLine = !head[..<min(next, head.count)].drop { $0 <= 0x20 }.contains(0x0A)
                let isBetween = head[next..<after].contains(0x0A) && !head[next..<after].contains(0x2C)
                let inner = candidates(in: root, path: []).compactMap { candidate -> JSONCandidate? in
                    guard case .array(let path) = candidate.shape else { return nil }
                    return JSONCandidate(shape: .documents(path: path), keys: candidate.keys)
                }
                return [JSONCandidate(shape: isLine && isBetween ? .lines : .sequence, keys: root.keys())] + inner
            }
            let inner = candidates(in: root, path: [])
            // One object, which may be one record.
            return inner + [JSONCandidate(shape: .sequence, keys: root.keys())]
        default: return []
        }
    }

    /// Whether a whole text is one object on one line: NDJSON with one record.
    package static func isOneLine(_ text: [UInt8]) -> Bool {
        guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let (root, next) = JSONOutline.of(text),
            case .object(_, true) = root, next <= text.count
        else { return false }
        return !text[..<next].drop { $0 <= 0x20 }.contains(0x0A) && text[next...].allSatisfy { $0 <= 0x20 }
    }

    /// The arrangement at a path that a profile states.
    package static func stated(_ path: [String], _ head: [UInt8]) -> JSONShape {
        let start = JSONOutline.of(head)
        let isSequence = start.map { isFollowed(head, $0.next) } ?? false
        if path.contains(where: { $0.hasSuffix("[]") }) { return nested(path, start?.outline, isSequence: isSequence) }
        if isSequence, case .object? = start?.outline { return .documents(path: path) }
        guard var (node, _) = JSONOutline.of(head) else { return .array(path: path) }
        var parent: JSONOutline?
        for key in path {
            guard case .object(let members, _) = node, let member = members.first(where: { $0.key == key }) else {
                return .array(path: path)
            }
            parent = node
            node = member.value
        }
        switch node {
        case .array(let first, _):
            if case .array = first.first { return .rows(path: path, names: parent.flatMap { names(in: $0) }) }
            return .array(path: path)
        case .object(let members, _):
            return members.allSatisfy { if case .array = $0.value { true } else { false } }
                ? .columns(path: path) : .members(path: path)
        default: return .array(path: path)
        }
    }

    /// Arrays within the elements of an array: `incidents[].units[]`, or `[].units[]` where no key leads to the outer one.
    private static func nested(_ path: [String], _ root: JSONOutline?, isSequence: Bool) -> JSONShape {
        var steps: [[String]] = [], step: [String] = []
        for key in path {
            if key != "[]" { step.append(key.hasSuffix("[]") ? String(key.dropLast(2)) : key) }
            guard key.hasSuffix("[]") else { continue }
            steps.append(step)
            step = []
        }
        var isArray = false
        if case .array? = root { isArray = true }
        if path.first == "[]" {
            return .nested(JSONNesting(path: isArray ? [] : nil, inner: Array(steps.dropFirst())))
        }
        if isArray, steps.count == 1 { return .nested(JSONNesting(path: [], inner: steps)) }
        return .nested(JSONNesting(path: steps[0], isRepeated: isSequence, inner: Array(steps.dropFirst())))
    }

    /// Whether another value comes after the first one.
    private static func isFollowed(_ head: [UInt8], _ next: Int) -> Bool {
        head[min(next, head.count)...].contains { $0 > 0x20 && $0 != 0x1E && $0 != 0x2C }
    }

    private static let mostSteps = 8

    private static func candidates(in node: JSONOutline, path: [String]) -> [JSONCandidate] {
        guard case .object(let members, let isWhole) = node, path.count < mostSteps else { return [] }
        if let table = table(members, path: path) { return [table] }
        if let columns = columns(members, path: path) { return [columns] }
        if let byID = byID(members, isWhole: isWhole, path: path) { return [byID] }
        return members.flatMap { member -> [JSONCandidate] in
            let path = path + [member.key]
            switch member.value {
            case .array(let first, let isWhole):
                if first.isEmpty, isWhole, dataKeys.contains(member.key.lowercased()) {
                    return [JSONCandidate(shape: .array(path: path), keys: [])]
                }
                return array(first, path: path).map { [$0] } ?? []
            case .object: return candidates(in: member.value, path: path)
            default: return []
            }
        }
    }

    private static func array(_ first: [JSONOutline], path: [String]) -> JSONCandidate? {
        switch first.first {
        case .object: return JSONCandidate(shape: .array(path: path), keys: first[0].keys())
        case .array(let names, true):
            let texts = names.compactMap { if case .text(let text) = $0 { text } else { nil } }
            guard texts.count == names.count, texts.count > 1, Set(texts).count == texts.count else { return nil }
            return JSONCandidate(shape: .rows(path: path, names: nil), keys: texts)
        default: return nil
        }
    }

    private static let dataKeys: Set<String> = [
        "data", "rows", "values", "records", "value", "trips", "items", "results", "features",
    ]
    private static let nameKeys: Set<String> = [
        "columns", "fields", "headers", "header", "cols", "columnnames", "names",
    ]

    /// The names of columns in a member of an object, perhaps deeper in it: texts, or objects with names.
    private static func names(in node: JSONOutline) -> [String]? {
        guard case .object(let members, _) = node else { return nil }
        for member in members where nameKeys.contains(member.key.lowercased()) {
            guard case .array(let first, true) = member.value, first.count > 1 else { continue }
            let texts = first.compactMap { element -> String? in
                switch element {
                case .text(let text): return text
                case .object(let inner, _):
                    for key in ["fieldName", "name", "label", "id"] {
                        if case .text(let text) = inner.first(where: { $0.key == key })?.value { return text }
                    }
                    return nil
                default: return nil
                }
            }
            if texts.count == first.count { return texts }
        }
        return members.lazy.compactMap { names(in: $0.value) }.first
    }

    private static func table(_ members: [JSONOutline.Member], path: [String]) -> JSONCandidate? {
        guard let data = members.first(where: { dataKeys.contains($0.key.lowercased()) }),
            case .array(let first, _) = data.value, case .array = first.first,
            let names = names(in: .object(members: members, isWhole: true))
        else { return nil }
        return JSONCandidate(shape: .rows(path: path + [data.key], names: names), keys: names)
    }

    /// At least two arrays of values and nothing else.
    private static func columns(_ members: [JSONOutline.Member], path: [String]) -> JSONCandidate? {
        guard members.count > 1 else { return nil }
        let areColumns = members.allSatisfy { member in
            guard case .array(let first, _) = member.value, !first.isEmpty else { return false }
            return first.allSatisfy { if case .object = $0 { false } else if case .array = $0 { false } else { true } }
        }
        return areColumns ? JSONCandidate(shape: .columns(path: path), keys: members.map(\.key)) : nil
    }

    /// Objects that have keys in common.
    private static func byID(_ members: [JSONOutline.Member], isWhole: Bool, path: [String]) -> JSONCandidate? {
        let objects = members.map { Set($0.value.keys()) }
        guard members.count > 1, let first = objects.first, first.count > 1 else { return nil }
        // The last one may be cut off.
        let sure = isWhole ? objects[1...] : objects[1..<max(1, objects.count - 1)]
        let areAlike = sure.allSatisfy { !$0.isEmpty && $0.intersection(first).count * 2 >= max($0.count, first.count) }
        guard areAlike, isWhole || !sure.isEmpty else { return nil }
        return JSONCandidate(shape: .members(path: path), keys: [keyName] + members[0].value.keys())
    }
}

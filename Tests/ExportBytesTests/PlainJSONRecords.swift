import ExportBytes

/// The records of a document of JSON, from its whole tree: what the streams that rearrange it are compared with.
enum PlainJSONRecords {
    /// A value in one spelling: equal values have equal texts.
    static func canonical(_ value: ReferenceJSON.Value, _ source: [UInt8]) -> String {
        switch value {
        case .null: return "null"
        case .literal(let range): return "=" + String(decoding: source[range], as: UTF8.self)
        case .string(_, let text): return quoted(text)
        case .array(_, let elements):
            return "[" + elements.map { canonical($0, source) }.joined(separator: ",") + "]"
        case .object(_, let members): return object(members.map { ($0.key, canonical($0.value, source)) })
        }
    }

    private static func quoted(_ text: [UInt8]) -> String {
        "'" + text.map { String($0, radix: 16) }.joined(separator: " ") + "'"
    }

    private static func object(_ members: [(key: [UInt8], text: String)]) -> String {
        "{" + members.map { quoted($0.key) + ":" + $0.text }.joined(separator: ",") + "}"
    }

    /// The records in one spelling each; nil: the document does not have this arrangement.
    static func of(_ root: ReferenceJSON.Value, _ shape: JSONShape, _ source: [UInt8]) -> [String]? {
        switch shape {
        case .lines, .sequence, .documents: return nil
        case .array(let path):
            guard case .array(_, let elements)? = value(at: path, root) else { return nil }
            return elements.map { canonical($0, source) }
        case .members(let path):
            guard case .object(_, let members)? = value(at: path, root) else { return nil }
            return members.map { member in
                guard case .object(_, let inner) = member.value else { return canonical(member.value, source) }
                let key = [(key: Array(JSONShape.keyName.utf8), text: quoted(member.key))]
                return object(key + inner.map { ($0.key, canonical($0.value, source)) })
            }
        case .rows(let path, let names):
            return rows(value(at: path, root), names.map { $0.map { Array($0.utf8) } }, source)
        case .columns(let path):
            guard case .object(_, let members)? = value(at: path, root) else { return nil }
            var columns: [(key: [UInt8], values: [ReferenceJSON.Value])] = []
            for member in members {
                guard case .array(_, let values) = member.value else { return nil }
                columns.append((member.key, values))
            }
            guard Set(columns.map(\.values.count)).count <= 1 else { return nil }
            return (0..<(columns.first?.values.count ?? 0)).map { row in
                object(columns.map { ($0.key, canonical($0.values[row], source)) })
            }
        case .nested(let nesting):
            guard case .array(_, let elements)? = value(at: nesting.path ?? [], root) else { return nil }
            return elements.flatMap { nested($0, nesting.inner[...], source) }
        }
    }

    /// The first member of this name, as the stream goes through the first.
    private static func value(at path: [String], _ root: ReferenceJSON.Value) -> ReferenceJSON.Value? {
        var value = root
        for key in path {
            guard case .object(_, let members) = value, let member = members.first(where: { $0.key == Array(key.utf8) })
            else { return nil }
            value = member.value
        }
        return value
    }

    private static func rows(_ value: ReferenceJSON.Value?, _ given: [[UInt8]]?, _ source: [UInt8]) -> [String]? {
        guard case .array(_, let elements)? = value else { return nil }
        var names = given ?? [], records: [String] = []
        for element in elements {
            guard case .array(_, let values) = element else {
                records.append(canonical(element, source))
                continue
            }
            if names.isEmpty {
                for value in values {
                    guard case .string(_, let text) = value else { return nil }
                    names.append(text)
                }
                continue
            }
            // Of another number of values it is no record: the parser refuses it.
            let isRecord = values.count == names.count
            records.append(isRecord ? object(zip(names, values).map { ($0, canonical($1, source)) }) : "[]")
        }
        return records
    }

    /// A record for each element of the array at the first of the paths; the record itself where there is none.
    private static func nested(
        _ value: ReferenceJSON.Value, _ inner: ArraySlice<[String]>, _ source: [UInt8]
    ) -> [String] {
        guard let path = inner.first else { return [canonical(value, source)] }
        return spread(value, path[...], inner.dropFirst(), source) ?? [canonical(value, source)]
    }

    private static func spread(
        _ value: ReferenceJSON.Value, _ path: ArraySlice<String>, _ rest: ArraySlice<[String]>, _ source: [UInt8]
    ) -> [String]? {
        guard let key = path.first else {
            guard case .array(_, let elements) = value else { return nil }
            return elements.isEmpty ? ["null"] : elements.flatMap { nested($0, rest, source) }
        }
        guard case .object(_, let members) = value,
            let place = members.firstIndex(where: { $0.key == Array(key.utf8) }),
            let inside = spread(members[place].value, path.dropFirst(), rest, source)
        else { return nil }
        return inside.map { text in
            object(
                members.enumerated().map { at, member in
                    (member.key, at == place ? text : canonical(member.value, source))
                })
        }
    }
}

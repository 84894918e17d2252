/// A list of objects within the records of a JSON export.
package struct JSONInnerList: Sendable {
    /// The arrangement in which each of its objects is a record.
    package let shape: JSONShape
    /// The path to the records, as a profile states it: `incidents[]`, `units[]`.
    package let path: [String]
    /// The keys of its objects, nested ones dotted.
    package let keys: [String]

    private static let mostRecords = 40
    private static let mostSteps = 3

    /// The lists of objects within the first records, each once, in the order of the first that has them.
    ///
    /// - Parameter shape: how the records lie: an array, documents or objects one after another. Of other arrangements there are none.
    package static func all(in head: [UInt8], _ shape: JSONShape) -> [JSONInnerList] {
        guard let (records, outer) = records(in: head, shape) else { return [] }
        var order: [[String]] = [], keys: [[String]: [String]] = [:]
        for record in records.prefix(mostRecords) {
            for (path, own) in lists(in: record, path: []) {
                if keys[path] == nil { order.append(path) }
                for key in own where !(keys[path]?.contains(key) ?? false) { keys[path, default: []].append(key) }
            }
        }
        return order.map { inner in
            var path = outer
            path[path.count - 1] += "[]"
            let stated = path + inner.dropLast() + [(inner.last ?? "") + "[]"]
            return JSONInnerList(shape: JSONShape.stated(stated, head), path: stated, keys: keys[inner] ?? [])
        }
    }

    /// The keys of the first records, nested ones dotted, without those of lists.
    package static func keysOfRecords(in head: [UInt8], _ shape: JSONShape) -> [String] {
        let records = records(in: head, shape)?.0 ?? []
        return Array(Set(records.prefix(mostRecords).flatMap { $0.keys() }))
    }

    /// The records that the head shows, and the keys that lead to them: one that is empty where none does.
    private static func records(in head: [UInt8], _ shape: JSONShape) -> ([JSONOutline], path: [String])? {
        switch shape {
        case .array(let path), .documents(let path):
            guard var (node, _) = JSONOutline.of(head) else { return nil }
            for key in path {
                guard case .object(let members, _) = node, let member = members.first(where: { $0.key == key }) else {
                    return nil
                }
                node = member.value
            }
            guard case .array(let first, _) = node else { return nil }
            return (first, path.isEmpty ? [""] : path)
        case .lines, .sequence:
            var found: [JSONOutline] = [], next = 0
            while found.count < mostRecords, let (record, end) = JSONOutline.of(head, from: next), end > next {
                found.append(record)
                next = end
            }
            return (found, [""])
        case .members, .rows, .columns, .nested: return nil
        }
    }

    private static func lists(in record: JSONOutline, path: [String]) -> [(path: [String], keys: [String])] {
        guard case .object(let members, _) = record, path.count < mostSteps else { return [] }
        return members.flatMap { member -> [(path: [String], keys: [String])] in
            let own = path + [member.key]
            switch member.value {
            case .object: return lists(in: member.value, path: own)
            case .array(let first, _):
                let keys = first.flatMap { $0.keys() }
                return keys.isEmpty ? [] : [(own, keys)]
            default: return []
            }
        }
    }
}

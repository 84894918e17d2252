/// Finds where the records of a JSON document lie: the keys that lead to its first array of objects, such as `data`.
enum JSONRecordsPath {
    /// - Parameter head: the first bytes of an export that begins with an object.
    /// - Returns: nil if a second object follows the first (lines of NDJSON), or if there is no array of objects below keys with usual names.
    static func find(in head: [UInt8]) -> [String]? {
        var keys: [String] = []
        var found: [String]?
        var lastText: String?
        var place = 0
        func next(after place: Int) -> UInt8? { head[place...].dropFirst().first { $0 > 0x20 } }
        // In arrays that are not the records nothing is looked for, but their end is.
        var arrayDepth = 0
        while place < head.count {
            let byte = head[place]
            switch byte {
            case UInt8(ascii: "\""):
                let start = place + 1
                place = endOfText(head, from: start)
                lastText =
                    place <= head.count ? String(decoding: head[start..<min(place, head.count)], as: UTF8.self) : nil
            case UInt8(ascii: "{"):
                keys.append("")
            case UInt8(ascii: ":"):
                if arrayDepth == 0, let last = keys.indices.last { keys[last] = lastText ?? "" }
            case UInt8(ascii: "["):
                if arrayDepth == 0, found == nil, next(after: place) == UInt8(ascii: "{") { found = keys }
                arrayDepth += 1
            case UInt8(ascii: "]"):
                arrayDepth -= 1
            case UInt8(ascii: "}"):
                _ = keys.popLast()
                if keys.isEmpty { return next(after: place) == nil ? usable(found) : nil }
            default: break
            }
            place += 1
        }
        return usable(found)
    }

    /// The place of the quotation mark that ends a text.
    private static func endOfText(_ head: [UInt8], from start: Int) -> Int {
        var place = start
        while place < head.count, head[place] != UInt8(ascii: "\"") {
            place += head[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }

    /// Only keys that name data: any other may be a value, and the path is printed.
    private static func usable(_ path: [String]?) -> [String]? {
        guard let path, (1...16).contains(path.count) else { return nil }
        return path.allSatisfy { names.contains($0.lowercased()) } ? path : nil
    }

    private static let names: Set<String> = [
        "body", "calls", "content", "d", "data", "dataset", "document", "entries", "export", "features", "incidents",
        "items", "list", "manifest", "payload", "records", "response", "result", "results", "rides", "root", "rows",
        "runs",
        "table", "transports", "tripdata", "triplist", "trips", "value", "values",
    ]
}

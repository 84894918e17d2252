import ExportBytes
import Profiles
import Trips

/// How the records of a JSON export are arranged: by its first bytes and, where these leave a choice, by the names of
/// its fields.
enum JSONArrangement {
    /// - Parameters:
    ///   - profile: its path to the records, and the columns that it names.
    ///   - opensInnerLists: whether the records may be those of a list within the outer ones; else such a list is an error where no
    ///     profile says what a record is.
    /// - Throws: if several arrangements are as likely.
    static func find(
        in head: [UInt8], isWhole: Bool, profile: Profile?, opensInnerLists: Bool = false, file: String
    ) throws(ExportError) -> (shape: JSONShape, path: [String]?) {
        let shape = try outer(in: head, isWhole: isWhole, profile: profile, file: file)
        guard profile == nil, let inner = innerTrips(in: head, shape) else { return (shape, nil) }
        guard opensInnerLists else {
            throw ExportError(
                kind: .missingColumns, file: file,
                problem:
                    "its records hold lists whose entries have times of their own, so each entry may be a trip",
                remedy: "run `tripkpi map suggest FILE --write profiles/NAME.yaml` and load with that profile")
        }
        return (inner.shape, inner.path)
    }

    /// The list within the records whose entries have more times of a trip than the records themselves: at least two, or an id and
    /// one.
    private static func innerTrips(in head: [UInt8], _ shape: JSONShape) -> JSONInnerList? {
        let lists = JSONInnerList.all(in: head, shape)
        guard !lists.isEmpty else { return nil }
        let outer = events(JSONInnerList.keysOfRecords(in: head, shape))
        let scored = lists.map { ($0, events($0.keys)) }.filter { $0.1 > outer }
        return scored.max { $0.1 < $1.1 }.flatMap { $0.1 > 1 ? $0.0 : nil }
    }

    /// How many times of a trip the keys are known to be.
    private static func events(_ keys: [String]) -> Int {
        let times = Set(TripEvent.allCases.map(\.field) + [.serviceDate])
        return Set(keys.compactMap(field).filter(times.contains)).count
    }

    private static func outer(
        in head: [UInt8], isWhole: Bool, profile: Profile?, file: String
    ) throws(ExportError) -> JSONShape {
        if let profile, !profile.recordsPath.isEmpty {
            let stated = JSONShape.stated(profile.recordsPath, head)
            guard case .nested(var nesting) = stated else { return stated }
            nesting.once = try ParentAmounts(profile, nesting).once(file: file)
            return .nested(nesting)
        }
        var candidates = JSONShape.candidates(head, isWhole: isWhole)
        let wanted = Set(profile.map { Array($0.columns.values.joined()) } ?? [])
        // A record may hold a list: only where it has no field itself it is a document.
        if let first = candidates.first, score(first.keys, wanted: wanted) > 0 {
            candidates.removeAll { if case .documents = $0.shape { true } else { false } }
        }
        let scores = candidates.map { score($0.keys, wanted: wanted) }
        let most = scores.max() ?? 0
        var best = zip(candidates, scores).filter { $0.1 == most }.map(\.0)
        // What is within one object is sooner meant than the object itself.
        let inner = best.filter { $0.shape != .sequence && (most == 0 || $0.shape != .lines) }
        if !inner.isEmpty { best = inner }
        guard best.count < 2 else { throw severalLists(file) }
        if let only = best.first, case .array = only.shape {
            let others = candidates.filter { other in
                if case .array = other.shape { other.shape != only.shape } else { false }
            }
            if others.contains(where: { mayBeTrips($0.keys, beside: only.keys, profile: profile) }) {
                throw severalLists(file)
            }
        }
        try checkColumns(best.first, head, wanted: wanted, file: file)
        if best.first?.shape == .sequence, isWhole, JSONShape.isOneLine(head) { return .lines }
        // Of a text that is no JSON at all the strict reader says what is wrong.
        return best.first?.shape ?? (head.first { $0 > 0x20 } == UInt8(ascii: "[") ? .array(path: []) : .lines)
    }

    static func severalLists(_ file: String) -> ExportError {
        ExportError(
            kind: .malformed, file: file, problem: "it has several lists of records that may be meant",
            remedy: "say in a profile which one, by the keys that lead to it, for example “records_path: data.trips”")
    }

    /// Whether records with some keys may be trips too, beside those that are read.
    static func mayBeTrips(_ keys: [String], beside read: [String], profile: Profile?) -> Bool {
        let wanted = Set(profile.map { Array($0.columns.values.joined()) } ?? [])
        let own = score(keys, wanted: wanted), most = score(read, wanted: wanted)
        return own > 1 && own * 4 >= most * 3
    }

    /// - Throws: if the text is an object of objects by field, whose keys are the numbers of records.
    private static func checkColumns(
        _ found: JSONCandidate?, _ head: [UInt8], wanted: Set<String>, file: String
    ) throws(ExportError) {
        guard let found, case .members(let path) = found.shape, var (node, _) = JSONOutline.of(head),
            found.keys.dropFirst().allSatisfy({ Int($0) != nil })
        else { return }
        for key in path {
            guard case .object(let members, _) = node, let member = members.first(where: { $0.key == key }) else {
                return
            }
            node = member.value
        }
        guard case .object(let members, _) = node, score(members.map(\.key), wanted: wanted) > 1 else { return }
        throw ExportError(
            kind: .malformed, file: file, problem: "it has an object for each column, with the number of each record",
            remedy: "have it exported record by record: in pandas df.to_json(FILE, orient='records')")
    }

    /// How many fields the keys are known to be.
    private static func score(_ keys: [String], wanted: Set<String>) -> Int {
        if !wanted.isEmpty { return Set(keys).intersection(wanted).count }
        return Set(keys.compactMap(field)).count
    }

    private static func field(_ key: String) -> CanonicalField? {
        SynonymTable.standard.meaning(of: key)?.field
            ?? key.split(separator: ".").last.flatMap { SynonymTable.standard.meaning(of: String($0))?.field }
    }
}

/// Which paths to the records of a JSON document may be shown.
enum JSONRecordsPath {
    /// Only keys that name data: any other may be a value, and the path is printed.
    static func usable(_ path: [String]) -> [String]? {
        guard (1...16).contains(path.count) else { return nil }
        return path.allSatisfy { key in
            let name = key.hasSuffix("[]") ? String(key.dropLast(2)) : key
            return name.isEmpty || names.contains(name.lowercased())
        } ? path : nil
    }

    private static let names: Set<String> = [
        "apparatus", "assignments", "dispatches", "legs", "resources", "responders", "responses", "segments", "unit",
        "units", "vehicles", "bookings", "orders", "requests", "journeys", "routes", "manifests", "pages", "days",
        "batches", "edges", "body", "calls", "content", "d", "data", "dataset",
        "document",
        "entries", "export", "features", "incidents",
        "items", "list", "manifest", "payload", "records", "response", "results", "rides", "root", "rows",
        "runs",
        "result", "table", "transports", "tripdata", "triplist", "trips", "value", "values",
    ]
}

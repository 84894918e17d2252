import GRDB

/// What decides between the versions of a trip: which export is later, and whose parts a supplement has.
struct LoadedExports {
    var ranks: [Int32: ExportRank] = [:]
    /// Of supplements, the source that they are from.
    var partSources: [Int32: String] = [:]

    init() {}

    init(_ db: Database) throws {
        let select = "SELECT export_id, as_of, modified_ns, bytes, sha256, source, supplements IS NULL FROM exports"
        for row in try Row.fetchAll(db, sql: select) {
            let id: Int32 = try row.decode(atIndex: 0)
            ranks[id] = ExportRank(
                asOf: try row.decode(atIndex: 1), modifiedNs: try row.decode(atIndex: 2),
                bytes: try row.decode(atIndex: 3), sha256: try row.decode(atIndex: 4))
            if try !row.decode(Bool.self, atIndex: 6) { partSources[id] = try row.decode(atIndex: 5) }
        }
    }
}

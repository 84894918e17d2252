import GRDB
package import Trips

extension TripStore {
    /// How far the crosswalk went when an export last came in; nil if none was ever loaded with a crosswalk.
    package func crosswalkMark() throws -> CrosswalkMark? {
        try read { db in
            guard try db.tableExists("crosswalk") else { return nil }
            return try Row.fetchOne(db, sql: "SELECT file_id, byte_count, tag FROM crosswalk").map { row in
                CrosswalkMark(
                    fileID: try row.decode(atIndex: 0), byteCount: try row.decode(atIndex: 1),
                    tag: try row.decode(atIndex: 2))
            }
        }
    }

    /// The crosswalk is gone or another one: the next load begins or takes that.
    package func forgetCrosswalk() throws {
        try write { try $0.execute(sql: "DELETE FROM crosswalk") }
    }

    /// Within the transaction of an export.
    static func remember(_ mark: CrosswalkMark, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO crosswalk VALUES (1, ?, ?, ?)",
            arguments: [mark.fileID, mark.byteCount, mark.tag])
    }
}

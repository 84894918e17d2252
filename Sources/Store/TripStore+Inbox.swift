import GRDB

extension TripStore {
    /// How a file looked when its content was hashed. While it looks the same it need not be hashed again.
    package struct FileLook: Sendable, Hashable {
        /// A keyed hash: file names may hold names.
        package var pathHash: String
        package var bytes: Int
        package var modifiedNanoseconds: Int
        package var inode: Int

        package init(pathHash: String, bytes: Int, modifiedNanoseconds: Int, inode: Int) {
            self.pathHash = pathHash
            self.bytes = bytes
            self.modifiedNanoseconds = modifiedNanoseconds
            self.inode = inode
        }
    }

    /// The SHA-256 of a file that looks as it did when it was hashed; nil for a new or changed one.
    package func contentHash(of look: FileLook) throws -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT sha256 FROM inbox_files WHERE path_hash = ? AND bytes = ? AND modified_ns = ? AND inode = ?
                    """, arguments: [look.pathHash, look.bytes, look.modifiedNanoseconds, look.inode])
        }
    }

    package func remember(_ looks: [(look: FileLook, sha256: String)]) throws {
        guard !looks.isEmpty else { return }
        try write { db in
            for (look, sha256) in looks {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO inbox_files VALUES (?, ?, ?, ?, ?)",
                    arguments: [look.pathHash, look.bytes, look.modifiedNanoseconds, look.inode, sha256])
            }
        }
    }
}

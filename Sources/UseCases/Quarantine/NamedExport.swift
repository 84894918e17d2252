import Store

/// The export that a command names by the beginning of its SHA-256: one that failed, or one that is in the store.
struct NamedExport {
    let sha256: String
    let label: String
    let bytes: Int
    let isFailed: Bool
    let rejected: Int

    /// - Throws: `QuarantineError`, or `StoreError.ambiguous` if several exports begin with these digits.
    init(_ hash: String, in store: TripStore) throws {
        let digits = hash.lowercased()
        guard (8...64).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
            throw QuarantineError.notAHash
        }
        let matches =
            try store.failedExports().map {
                Self(sha256: $0.sha256, label: $0.label, bytes: $0.bytes, isFailed: true, rejected: $0.recordsRejected)
            }
            + store.exports().map {
                Self(sha256: $0.sha256, label: $0.label, bytes: $0.bytes, isFailed: false, rejected: $0.recordsRejected)
            }
        let found = matches.filter { $0.sha256.hasPrefix(digits) }
        guard let match = found.first else { throw QuarantineError.unknown }
        guard found.count == 1 else { throw StoreError.ambiguous(hash: digits) }
        self = match
    }

    private init(sha256: String, label: String, bytes: Int, isFailed: Bool, rejected: Int) {
        self.sha256 = sha256
        self.label = label
        self.bytes = bytes
        self.isFailed = isFailed
        self.rejected = rejected
    }
}

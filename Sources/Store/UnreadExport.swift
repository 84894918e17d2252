/// What is known of an export before it is read, and how the rest is found if it is needed earlier.
package struct UnreadExport {
    /// Its row of the ledger; without its SHA-256 where that is still being found.
    package var record: ExportRecord
    let findSHA256: () throws -> String
    let findAsOf: () throws -> Int

    /// - Parameters:
    ///   - findSHA256: called as late as possible; nil: the record has it.
    ///   - findAsOf: the date of the export by its whole content. Called only if its name has none and two versions of a trip are
    ///     equal otherwise.
    package init(
        _ record: ExportRecord, findSHA256: (() throws -> String)? = nil, findAsOf: @escaping () throws -> Int
    ) {
        self.record = record
        self.findSHA256 = findSHA256 ?? { record.sha256 }
        self.findAsOf = findAsOf
    }

    func rank() throws -> ExportRank { try rank(asOf: record.asOf ?? findAsOf()) }

    func rank(asOf: Int) throws -> ExportRank {
        ExportRank(asOf: asOf, modifiedNs: record.modifiedNs, bytes: record.bytes, sha256: try findSHA256())
    }
}

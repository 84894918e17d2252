package import ExportBytes
package import Trips

/// Where an export's records can be read again: from the file, or from what was put aside of one that is read only once.
///
/// One thread uses it at a time.
package protocol VersionSource: AnyObject {
    /// Whether records are read again with their exact keys.
    var isRepeatable: Bool { get }

    /// What to compare of the records at these places, in their order.
    func candidates(_ places: [Int]) throws(ExportError) -> [VersionCandidate]

    /// The records' trips, batch by batch; dictionaries come with those that still have to be classified.
    func forBatches(of places: [Int], _ body: (inout TripBatch, [TextDictionary]?) -> Void) throws(ExportError)

    /// Frees memory, and closes a file that can be opened again.
    func close()
}

/// What decides between two records whose keys have one hash.
package struct VersionCandidate: Sendable {
    /// The exact key; nil where the record cannot be read again. Compared, never kept or printed.
    package var key: Sensitive<[UInt8]>?
    /// A second, independent hash of the key.
    package var keyCheck: UInt64
    package var version: TripVersion
    /// Hash of all bytes of the record: equal records are one version, repeated.
    package var contentHash: UInt64
    /// Of the record in its export.
    package var offset: Int

    package init(
        key: Sensitive<[UInt8]>?, keyCheck: UInt64, version: TripVersion, contentHash: UInt64, offset: Int
    ) {
        self.key = key
        self.keyCheck = keyCheck
        self.version = version
        self.contentHash = contentHash
        self.offset = offset
    }
}

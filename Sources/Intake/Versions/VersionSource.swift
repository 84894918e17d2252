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

import ExportBytes
import Intake
import Keys
import Store
import Trips

extension ExportFileStat {
    /// The file's signature in the store, which keeps paths as keyed hashes only.
    func signature(path: String, pseudonyms: Pseudonymizer) -> TripStore.FileSignature {
        let key = pseudonyms.tripKey(tripID: Array(path.utf8), legID: [])
        return TripStore.FileSignature(
            pathHash: "\(key.high).\(key.low)", bytes: bytes, modifiedNanoseconds: modifiedNanoseconds,
            inode: Int(truncatingIfNeeded: inode))
    }
}

import ExportBytes
import Intake
import Keys
import Store
import Trips

extension ExportFileStat {
    /// The file's signature in the store, which keeps paths as keyed hashes only.
    func signature(path: String, pseudonyms: Pseudonymizer) -> TripStore.FileSignature {
        TripStore.FileSignature(
            pathHash: pseudonyms.hash(ofText: path), bytes: bytes, modifiedNanoseconds: modifiedNanoseconds,
            inode: Int(truncatingIfNeeded: inode))
    }
}

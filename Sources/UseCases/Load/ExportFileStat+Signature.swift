import ExportBytes
import Foundation
import Intake
import Keys
import Store
import Trips

extension ExportFileStat {
    /// The file's signature in the store, which keeps paths as keyed hashes only. `inbox/a.csv` and the absolute path of the same
    /// file have one signature.
    func signature(path: String, pseudonyms: Pseudonymizer) -> TripStore.FileSignature {
        TripStore.FileSignature(
            pathHash: pseudonyms.hash(ofText: URL(fileURLWithPath: path).standardizedFileURL.path), bytes: bytes,
            modifiedNanoseconds: modifiedNanoseconds, changedNanoseconds: changedNanoseconds,
            inode: Int(truncatingIfNeeded: inode))
    }
}

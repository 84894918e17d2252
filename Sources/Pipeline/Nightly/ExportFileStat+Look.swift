import Hashing
import Intake
import Store
import Trips

extension ExportFileStat {
    /// How the file looks to the store, which knows paths by a keyed hash only.
    func look(path: String, pseudonyms: Pseudonymizer) -> TripStore.FileLook {
        let key = pseudonyms.tripKey(tripID: Array(path.utf8), legID: [])
        return TripStore.FileLook(
            pathHash: "\(key.high).\(key.low)", bytes: bytes, modifiedNanoseconds: modifiedNanoseconds,
            inode: Int(truncatingIfNeeded: inode))
    }
}

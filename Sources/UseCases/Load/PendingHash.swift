import Dispatch
import ExportBytes
import Intake
import Synchronization

/// The content hash of a file, found beside what else is done with it: to hash years of trips takes a twentieth of the
/// time it takes to load them.
final class PendingHash: Sendable {
    private let path: String
    private let file: ExportFileStat
    private let result = Mutex<Result<ExportFingerprint, ExportError>?>(nil)
    private let group = DispatchGroup()

    /// - Parameter file: what is hashed must still be this when all of it is.
    init(path: String, _ file: ExportFileStat) {
        self.path = path
        self.file = file
        DispatchQueue.global().async(group: group) {
            let found = Result { () throws(ExportError) in try ExportFingerprint.of(path: path) }
            self.result.withLock { $0 = found }
        }
    }

    /// The SHA-256, once all of the file is hashed.
    func sha256() throws(ExportError) -> String {
        group.wait()
        let fingerprint = try result.withLock { $0 }?.get()
        guard let fingerprint, fingerprint.file == file else { throw ExportError.changed(path) }
        return fingerprint.sha256
    }
}

import Files
import Foundation
import Operations
package import Reporting
import Synchronization
import Trips

/// Facts on their way to a file or to standard output, recorded in the audit log.
package struct FactsWriting {
    /// Nil: standard output.
    private let output: String?
    private let audit: AuditRecorder

    package init(output: String?, audit: AuditRecorder) {
        self.output = output
        self.audit = audit
    }

    /// A file is there only when all facts are in it. Standard output is recorded before the first of them is written.
    package func write(_ run: FactsRun) throws -> FactsRun.Outcome {
        guard let output else {
            return try run.run {
                try audit.recordInternal(.facts, output: .init(name: "standard output", bytes: 0, sha256: nil))
            } write: {
                try StandardOutput.write($0)
            }
        }
        let draft = try AtomicFile(output: output), file = draft.file
        let written = Mutex<(hash: ContentHash, bytes: Int)>((ContentHash(), 0))
        let outcome = try run.run {
        } write: { lines in
            try file.write(lines)
            written.withLock { written in
                written.hash.update(lines.span.bytes)
                written.bytes += lines.count
            }
        }
        let (sha256, bytes) = written.withLock { ($0.hash.hexadecimal, $0.bytes) }
        let name = FileLabel(fileName: (output as NSString).lastPathComponent).description
        try audit.recordInternal(.facts, output: .init(name: name, bytes: bytes, sha256: sha256))
        try draft.publish()
        return outcome
    }
}

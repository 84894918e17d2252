import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where it is written down, for good, that somebody was told who a trip was about.
package protocol AuditTrail: Sendable {
    /// Returns once the entry cannot be lost any more; throws if that cannot be had.
    func record(_ entry: ReidentificationEntry) throws
}

/// What is written down: no identifier.
package struct ReidentificationEntry: Sendable, Hashable, Encodable {
    package var action = "reidentify"
    package var at: String
    package var user: String
    package var host: String
    package var tool: String
    package var reason: String
    /// As they were asked for.
    package var publicIDs: [String]
    /// How many of them were found in the crosswalk.
    package var found: Int
}

/// A file of JSON lines, mode 0600, only ever added to.
package struct ReidentificationLog: AuditTrail {
    package let path: String

    package init(path: String) { self.path = path }

    package func record(_ entry: ReidentificationEntry) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(entry) + Data([0x0A])
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AuditError(path: path, code: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        errno = 0
        do {
            try file.write(contentsOf: line)
        } catch {
            throw AuditError(path: path, code: errno)
        }
        guard fsync(descriptor) == 0 else { throw AuditError(path: path, code: errno) }
    }
}

/// Nothing can be told, since it cannot be written down that it was.
package struct AuditError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var code: Int32

    package var description: String {
        "\(path): the audit log cannot be written (\(String(cString: strerror(code)))), so nothing is told; mend the file, "
            + "its folder or the disk, and run again"
    }
}

import Foundation
import KPIContract

/// Which entry of an audit log was the last, so that a log whose end was cut off does not pass for a shorter one: the file
/// `<log>.head`, and what the store remembers.
package struct AuditHead: Codable, Hashable, Sendable {
    package var sequence: Int
    package var line: Int
    package var sha256: String
    /// Where the entry begins and ends in the log, in bytes.
    package var start: Int
    package var end: Int

    package init(sequence: Int, line: Int, sha256: String, start: Int, end: Int) {
        self.sequence = sequence
        self.line = line
        self.sha256 = sha256
        self.start = start
        self.end = end
    }

    init(_ entry: AuditChain.Entry) {
        sequence = entry.sequence
        line = entry.line
        sha256 = entry.sha256
        start = entry.start
        end = entry.end
    }

    var entry: AuditChain.Entry {
        AuditChain.Entry(line: line, sequence: sequence, sha256: sha256, start: start, end: end)
    }

    /// - Parameter text: of `text`.
    package init?(text: String) {
        guard let head = try? JSONDecoder().decode(AuditHead.self, from: Data(text.utf8)) else { return nil }
        self = head
    }

    /// As JSON, to be kept elsewhere.
    package var text: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

    var bytes: [UInt8] {
        CanonicalJSON.object([
            .init("sequence", .integer(sequence)), .init("line", .integer(line)), .init("sha256", .text(sha256)),
            .init("start", .integer(start)), .init("end", .integer(end)),
        ]).line
    }
}

import Foundation
import KPIContract

/// `<log>.head`: which entry was the last, so that a log whose end was cut off does not pass for a shorter one.
struct AuditHead: Codable, Hashable {
    var sequence: Int
    var line: Int
    var sha256: String
    /// Where the entry begins and ends in the log, in bytes.
    var start: Int
    var end: Int

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

    var bytes: [UInt8] {
        CanonicalJSON.object([
            .init("sequence", .integer(sequence)), .init("line", .integer(line)), .init("sha256", .text(sha256)),
            .init("start", .integer(start)), .init("end", .integer(end)),
        ]).line
    }
}

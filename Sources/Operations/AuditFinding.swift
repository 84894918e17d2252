/// A finding in an audit log.
package enum AuditFinding: Sendable, Hashable, CustomStringConvertible {
    /// A line that is not an entry, and that no later entry names as cut short by a kill.
    case malformed(line: Int)
    /// An entry that does not go on from the one before it: one of the two was changed, or lines in between were
    /// removed or put in another order.
    case unlinked(line: Int)
    /// The last entry that was written is gone or was replaced.
    case truncated(expected: Int, found: Int)
    case lastChanged(line: Int)
    /// There is a log, but not the file that knows its last entry.
    case headMissing
    /// An entry that the store remembers is gone.
    case forgotten(sequence: Int)

    package var description: String {
        switch self {
        case .malformed(let line): "line \(line) is no entry"
        case .unlinked(let line): "line \(line) does not go on from the line before it: changed, removed or moved"
        case .truncated(let expected, let found): "its end is missing: \(found) entries, and \(expected) were written"
        case .lastChanged(let line): "line \(line), the last that is known, was changed"
        case .forgotten(let sequence): "entry \(sequence), which the store remembers, is not in it"
        case .headMissing: "its .head file, which knows the last entry, is missing or cannot be read"
        }
    }
}

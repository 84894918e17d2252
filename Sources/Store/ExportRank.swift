/// Which of two exports is later, where their versions of a trip do not say: what the export says of itself, never when
/// it was loaded, so that any order of loading ends in the same store (docs/decisions/0007).
package struct ExportRank: Sendable, Hashable, Comparable {
    /// Microseconds since 1970: the date in the file's name, else the newest `updated_at` in it, else its newest trip.
    package var asOf: Int
    /// Of two that are as old, the longer one: a file that was cut off while it was copied is the shorter.
    package var bytes: Int
    /// Of its content; decides between equals.
    package var sha256: String

    package init(asOf: Int, bytes: Int, sha256: String) {
        self.asOf = asOf
        self.bytes = bytes
        self.sha256 = sha256
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.asOf, left.bytes, left.sha256) < (right.asOf, right.bytes, right.sha256)
    }
}

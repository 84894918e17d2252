/// Which of two exports is later, where their versions of a trip are equal. It depends on the export alone, never on when
/// it was loaded, so that any order of loading makes the same store (docs/decisions/0007).
package struct ExportRank: Sendable, Hashable, Comparable {
    /// Microseconds since 1970: the date in the file's name, else the newest `updated_at` in it, else its newest trip.
    package var asOf: Int
    /// When its file was last changed: of two with the same date the newer file is later.
    package var modifiedNs: Int
    /// Of two files of one time the longer one is later: a file whose copy was cut off is shorter.
    package var bytes: Int
    /// Of its content; decides between equals.
    package var sha256: String

    package static func < (left: Self, right: Self) -> Bool {
        (left.asOf, left.modifiedNs, left.bytes, left.sha256)
            < (right.asOf, right.modifiedNs, right.bytes, right.sha256)
    }

    /// Whether nothing that says which of them is later differs: what their content is decides.
    func isTied(with other: ExportRank) -> Bool { asOf == other.asOf && modifiedNs == other.modifiedNs }
}

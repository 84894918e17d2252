/// How far a crosswalk went when a store last took an export in: what the store remembers of it, in the transaction of
/// that export. A crosswalk that does not reach its mark, or reads otherwise there, was cut or changed.
package struct CrosswalkMark: Sendable, Hashable {
    /// Which crosswalk: 32 hexadecimal digits.
    package var fileID: String
    /// Bytes of the file up to there.
    package var byteCount: Int
    /// The tag of the last record, which all before it went into: 32 hexadecimal digits.
    package var tag: String

    package init(fileID: String, byteCount: Int, tag: String) {
        self.fileID = fileID
        self.byteCount = byteCount
        self.tag = tag
    }
}

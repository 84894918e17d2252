/// How far a crosswalk went when an export was last loaded. The store records it in the transaction of that export. A
/// crosswalk that is shorter than its mark, or differs there, was cut or changed.
package struct CrosswalkMark: Sendable, Hashable {
    /// Which crosswalk: 32 hexadecimal digits.
    package var fileID: String
    /// Bytes of the file up to there.
    package var byteCount: Int
    /// The tag of the last record, which depends on all records before it: 32 hexadecimal digits.
    package var tag: String

    package init(fileID: String, byteCount: Int, tag: String) {
        self.fileID = fileID
        self.byteCount = byteCount
        self.tag = tag
    }
}

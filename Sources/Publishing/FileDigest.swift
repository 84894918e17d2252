package import Files

/// The size and the SHA-256 of a file of any size, read a megabyte at a time.
package struct FileDigest: Sendable, Hashable {
    package let bytes: Int
    /// 64 hexadecimal digits.
    package let sha256: String

    package init(of path: String) throws(FileError) {
        var hash = ContentHash()
        var count = 0
        try OpenFile(path, for: .read).forEachPiece { piece throws(FileError) in
            hash.update(piece)
            count += piece.count
        }
        bytes = count
        sha256 = hash.hexadecimal
    }

    package init(of content: [UInt8]) {
        bytes = content.count
        sha256 = ContentHash.of(content)
    }
}

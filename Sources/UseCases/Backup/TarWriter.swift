import Files

/// Writes regular files to a tar archive, one after the other, and hashes what it writes.
final class TarWriter {
    private let file: OpenFile
    private let modified: Int
    private var hash = ContentHash()
    private(set) var bytes = 0

    /// - Parameter modified: the time of all entries, in seconds since 1970.
    init(_ file: OpenFile, modified: Int) {
        self.file = file
        self.modified = modified
    }

    /// Of all that was written.
    var sha256: String { hash.hexadecimal }

    /// - Parameter content: calls its argument with the pieces of the content.
    /// - Throws: `BackupError.changed` if the content is not the one that the manifest names.
    func append(
        _ entry: BackupManifest.File,
        _ content: (_ write: ([UInt8]) throws(FileError) -> Void) throws(FileError) -> Void
    ) throws {
        guard let header = TarHeader(name: entry.name, size: entry.bytes, modified: modified) else {
            throw BackupError.inconsistent("the name of an entry is too long")
        }
        try write(header.block)
        var own = ContentHash(), count = 0
        try content { piece throws(FileError) in
            own.update(piece)
            count += piece.count
            try write(piece)
        }
        guard count == entry.bytes, own.hexadecimal == entry.sha256 else { throw BackupError.changed(entry.name) }
        try write([UInt8](repeating: 0, count: TarHeader.padding(after: count)))
    }

    /// The mark of the end: two blocks of zeros.
    func finish() throws(FileError) { try write([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes)) }

    private func write(_ piece: [UInt8]) throws(FileError) {
        try file.write(piece)
        hash.update(piece)
        bytes += piece.count
    }
}

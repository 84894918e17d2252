import Basics
import Files

/// A backup that is open to be read. Every byte of it is determined by its manifest and the files' contents, and is checked:
/// entries that the manifest does not name, links, other names, a cut or longer file cannot be in it.
final class BackupArchive {
    let path: String
    let manifest: BackupManifest
    /// Of the manifest's bytes: identifies the backup.
    let manifestDigest: (bytes: Int, sha256: String)
    private let file: OpenFile
    private let modified: Int
    /// Where the header of each file is, in the order of the manifest.
    private var offsets: [String: Int] = [:]

    var createdAt: UTCTime { UTCTime(secondsSince1970: modified) }

    /// Reads the manifest, and checks that the size of the file is the one that follows from it.
    ///
    /// - Throws: `BackupError`, or `FileError` where the machine failed.
    init(_ path: String) throws {
        self.path = path
        do throws(FileError) {
            file = try OpenFile(path, for: .readLinked)
        } catch {
            if error.isNoFile { throw BackupError.missing(path: path) }
            throw error
        }
        guard try file.status().kind == .file, let header = TarHeader(try file.read(count: TarHeader.blockBytes)),
            header.name == BackupPlace.manifestName, header.size <= BackupManifest.mostBytes
        else { throw BackupError.notABackup(path: path) }
        let content = try file.read(at: TarHeader.blockBytes, count: header.size)
        guard content.count == header.size else { throw BackupError.cutShort(path: path) }
        manifest = try BackupManifest(content, path: path)
        manifestDigest = (content.count, ContentHash.of(content))
        modified = header.modified
        guard modified == manifest.createdAtEpochSeconds else {
            throw BackupError.damaged(path: path, detail: "the time of its manifest is another one")
        }
        var end = TarHeader.blockBytes + content.count
        try checkZeros(at: end, count: TarHeader.padding(after: content.count))
        end += TarHeader.padding(after: content.count)
        for entry in manifest.files {
            offsets[entry.name] = end
            let (sum, isTooLarge) = end.addingReportingOverflow(entry.bytes)
            guard !isTooLarge, sum < Int.max - 4 * TarHeader.blockBytes else {
                throw BackupError.damaged(path: path, detail: "its manifest names a file of an impossible size")
            }
            end = sum + TarHeader.blockBytes + TarHeader.padding(after: entry.bytes)
        }
        let size = try file.status().size, expected = end + 2 * TarHeader.blockBytes
        guard size >= expected else { throw BackupError.cutShort(path: path) }
        guard size == expected else {
            throw BackupError.damaged(path: path, detail: "there are bytes after its end")
        }
        try checkZeros(at: end, count: 2 * TarHeader.blockBytes)
    }

    /// Reads a file of it to its end, and checks its header, its content and the zeros after it.
    ///
    /// - Parameter write: receives the pieces before the last of them is checked: use them only if this function returns.
    func read(_ entry: BackupManifest.File, _ write: ([UInt8]) throws(FileError) -> Void = { _ in }) throws {
        guard let start = offsets[entry.name],
            let header = TarHeader(name: entry.name, size: entry.bytes, modified: modified)
        else { throw BackupError.damaged(path: path, detail: "its manifest names a file that no backup has") }
        func failure(_ what: String) -> BackupError { .damaged(path: path, detail: "\(entry.name) \(what)") }
        guard try file.read(at: start, count: TarHeader.blockBytes) == header.block else {
            throw failure("is not where the manifest says")
        }
        var hash = ContentHash(), done = 0
        while done < entry.bytes {
            let piece = try file.read(
                at: start + TarHeader.blockBytes + done, count: min(1 << 20, entry.bytes - done))
            guard !piece.isEmpty else { throw BackupError.cutShort(path: path) }
            hash.update(piece)
            try write(piece)
            done += piece.count
        }
        guard hash.hexadecimal == entry.sha256 else { throw failure("is not what the manifest says") }
        try checkZeros(
            at: start + TarHeader.blockBytes + entry.bytes, count: TarHeader.padding(after: entry.bytes))
    }

    /// The bytes of a small file of it.
    func bytes(of entry: BackupManifest.File) throws -> [UInt8] {
        guard entry.bytes <= BackupManifest.mostBytes else {
            throw BackupError.damaged(path: path, detail: "\(entry.name) is too large")
        }
        var all: [UInt8] = []
        try read(entry) { all += $0 }
        return all
    }

    /// Writes a file of it, checked, to a path where there is nothing.
    func extract(_ entry: BackupManifest.File, to target: String) throws {
        let copy = try OpenFile(target, for: .create)
        try read(entry) { piece throws(FileError) in try copy.write(piece) }
        try copy.sync()
    }

    private func checkZeros(at offset: Int, count: Int) throws {
        guard try file.read(at: offset, count: count) == [UInt8](repeating: 0, count: count) else {
            throw BackupError.damaged(path: path, detail: "there are bytes between its files")
        }
    }
}

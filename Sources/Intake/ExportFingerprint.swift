package import ExportBytes
import Files
import Keys

/// What an export is recognised by: the SHA-256 of its bytes as they lie on the disk, and the state of the file that
/// had them.
package struct ExportFingerprint: Sendable, Hashable {
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    package var file: ExportFileStat

    package var bytes: Int { file.bytes }

    private static let blockBytes = 1 << 20

    package init(sha256: String, file: ExportFileStat) {
        self.sha256 = sha256
        self.file = file
    }

    /// Reads the whole file, a block at a time.
    ///
    /// Throws if it is not a regular file, or if it changed meanwhile: its writer has not finished.
    package static func of(path: String) throws(ExportError) -> ExportFingerprint {
        // Before it is opened, which has effects on some devices.
        _ = try ExportFileStat.of(path: path)
        let file = try ExportFile(path: path, mustBeRegular: true)
        let before = try ExportFileStat.of(file)
        if file.member != nil { return try ofMember(file, before) }
        try file.adviseSequential()
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: blockBytes)
        defer { block.wipeAndDeallocate(count: blockBytes) }
        var hash = ContentHash()
        var offset = 0
        while true {
            let count = try file.read(into: block, count: blockBytes, at: offset)
            // `read` has initialised the first `count` bytes.
            hash.update(UnsafeRawBufferPointer(start: block, count: count).bytes)
            offset += count
            if count < blockBytes { break }
        }
        guard try ExportFileStat.of(file) == before, offset == before.bytes else {
            throw ExportError.changed(path)
        }
        try file.checkUnchanged()
        return ExportFingerprint(sha256: hash.hexadecimal, file: before)
    }
}

extension ExportFingerprint {
    /// That of a member of a zip file is made of the member's own bytes: it is the same export in another archive.
    private static func ofMember(_ file: ExportFile, _ state: ExportFileStat) throws(ExportError) -> ExportFingerprint {
        let directory = try ZipDirectory(file)
        guard let name = file.member, let member = directory.member(named: name) else {
            throw ExportError(
                kind: .missing, file: file.name, problem: "the zip file has no such member", remedy: "check the name")
        }
        var stream = try directory.open(member)
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: blockBytes)
        defer { block.wipeAndDeallocate(count: blockBytes) }
        var hash = ContentHash()
        while true {
            let count = try stream.read(into: block, count: blockBytes)
            if count == 0 { break }
            // `read` has initialised the first `count` bytes.
            hash.update(UnsafeRawBufferPointer(start: block, count: count).bytes)
        }
        guard try ExportFileStat.of(file) == state else { throw ExportError.changed(file.name) }
        try file.checkUnchanged()
        return ExportFingerprint(sha256: hash.hexadecimal, file: state)
    }
}

extension ExportReader {
    /// The state of the file that the records come from, to see whether it is still the one with some fingerprint;
    /// throws for a pipe, and for a file that changed since it was opened, even if its times were set back.
    package func fileStat() throws(ExportError) -> ExportFileStat {
        try file.checkUnchanged()
        return try .of(file)
    }
}

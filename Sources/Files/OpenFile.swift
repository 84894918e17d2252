#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// An open file descriptor, closed at deinit. Symbolic links are followed for `readLinked` only, pipes are never waited for, and
/// programs that this process starts do not inherit it.
package final class OpenFile: Sendable {
    /// What the file is opened for.
    package enum Access: Sendable {
        case read
        /// As `read`, also through a symbolic link: for files that a person names.
        case readLinked
        /// Read and write; created if it is not there.
        case update
        /// As `update`, and each write goes to the end.
        case append
        /// A new file; something at the path already is an error.
        case create
        /// As `create`, and read again.
        case scratch
        /// An existing folder, to sync it.
        case folder

        fileprivate var createsOnly: Bool { self == .create || self == .scratch }

        fileprivate var flags: Int32 {
            switch self {
            case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
            case .readLinked: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .update: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
            case .append: O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
            case .create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .scratch: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    package let path: String
    let descriptor: Int32

    /// A file that is created is for its owner only (0600).
    package init(_ path: String, for access: Access) throws(FileError) {
        descriptor = systemOpen(path, access.flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path, access.createsOnly ? "be created" : "be opened") }
        self.path = path
    }

    /// A new file in `folder` that has lost its name already: it is gone when it is closed.
    package static func nameless(in folder: String) throws(FileError) -> OpenFile {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        let file = try OpenFile("\(folder)/.tripkpi-\(name)", for: .scratch)
        guard unlink(file.path) == 0 else { throw FileError(file.path, "be removed") }
        return file
    }

    deinit { close(descriptor) }

    package func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus(descriptor: descriptor) else { throw FileError(path, "be read") }
        return status
    }

    /// Up to `count` bytes from an offset on; fewer at the end of the file.
    package func read(at offset: Int = 0, count: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { room in
                pread(descriptor, room.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileError(path, "be read") }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// All bytes from an offset on.
    package func read(from offset: Int = 0) throws(FileError) -> [UInt8] {
        try read(at: offset, count: max(0, try status().size - offset))
    }

    /// Calls `body` with the file's bytes in pieces of a megabyte at most.
    package func forEachPiece(_ body: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
        var offset = 0
        while true {
            let piece = try read(at: offset, count: 1 << 20)
            if piece.isEmpty { return }
            try body(piece)
            offset += piece.count
        }
    }

    /// Writes all bytes at the current position, or at the end of a file opened for `append`. A full disk leaves the
    /// bytes that had room.
    package func write(_ bytes: [UInt8]) throws(FileError) { try Self.write(bytes[...], to: descriptor, path) }

    /// The same of a part of an array, without a copy.
    package func write(_ bytes: ArraySlice<UInt8>) throws(FileError) { try Self.write(bytes, to: descriptor, path) }

    /// Writes all bytes from an offset on, whatever the current position.
    package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try Self.write(bytes[...], to: descriptor, path, at: offset)
    }

    /// - Parameter offset: nil: the current position.
    static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String, at offset: Int? = nil
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let put = systemWrite(descriptor, bytes, from: done, at: offset)
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw FileError(path, "be written", code: put < 0 ? errno : ENOSPC) }
            done += put
        }
    }

    /// Cuts the file off, and sets the position for writes to its new end.
    package func truncate(to count: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw FileError(path, "be cut")
        }
    }

    package func setMode(_ mode: mode_t) throws(FileError) {
        guard fchmod(descriptor, mode) == 0 else { throw FileError(path, "be written") }
    }

    /// Gives a file that root has made the owner and the group of another one: what root writes among another user's files must
    /// not lock that user out. Where not even root may (a container, a network file system), the file stays root's.
    package func setOwner(like other: FileStatus) throws(FileError) {
        guard geteuid() == 0, try status().owner == 0, other.owner != 0 else { return }
        guard fchown(descriptor, other.owner, other.group) == 0 || errno == EPERM || errno == EINVAL else {
            throw FileError(path, "be given to its owner")
        }
    }

    /// Waits until the content is on the disk.
    package func sync(_ action: String = "be written") throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError(path, action) }
    }

    /// Waits until names that were added to a folder or removed from it are on the disk.
    package static func sync(folder: String) throws(FileError) {
        try OpenFile(folder, for: .folder).sync("be synced")
    }
}

/// `flock(2)` on an open file. The kernel gives a lock back when its process ends, however it ends.
extension OpenFile {
    package enum Lock: Sendable {
        /// One reader among others.
        case shared
        /// The one writer.
        case exclusive
    }

    /// Waits for the lock.
    package func lock(_ kind: Lock) throws(FileError) {
        guard flock(descriptor, kind.operation) == 0 else { throw FileError(path, "be locked") }
    }

    /// Takes the lock if it is free; false if another process has it.
    ///
    /// - Parameter tries: how often, at intervals of 25 ms. A program that is being started by the holder keeps the lock
    ///   for an instant after the holder has given it back.
    package func lockAtOnce(_ kind: Lock, tries: Int = 1) throws(FileError) -> Bool {
        for attempt in 1...tries {
            if flock(descriptor, kind.operation | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { throw FileError(path, "be locked") }
            if attempt < tries { usleep(25_000) }
        }
        return false
    }

    /// Gives the lock back before the file is closed: a child between its fork and its exec still has the file open.
    package func unlock() { flock(descriptor, LOCK_UN) }
}

extension OpenFile.Lock {
    fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
}

/// `open(2)`, `write(2)` and `pwrite(2)`, under names that no method shadows.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

private func systemWrite(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>, from start: Int, at offset: Int?) -> Int {
    bytes.withUnsafeBytes { room in
        let rest = room.baseAddress.map { $0 + start }
        guard let offset else { return write(descriptor, rest, room.count - start) }
        return pwrite(descriptor, rest, room.count - start, off_t(offset + start))
    }
}

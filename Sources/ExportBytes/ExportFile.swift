import Foundation
import Synchronization
import Trips

/// An export: a regular file, a pipe or standard input. Its descriptor is closed with its last user.
///
/// A regular file can be closed: the next reader opens it again, if it is still the same file.
package final class ExportFile: Sendable {
    /// For messages: its label, since the name may be a person's.
    package let name: String
    /// Bytes of a regular file; nil for a pipe.
    package let size: Int?
    /// The member of a zip file that is read; nil: the file itself.
    package let member: String?
    private let path: String
    /// Of a regular file, when it was opened; nil for a pipe.
    private let opened: ExportFileState?
    private let descriptor: Mutex<OpenDescriptor?>

    /// How often the state of a file that is being changed is asked for, and the microseconds between.
    private static let attempts = (most: 2500, pause: UInt32(500))

    /// Closed with its last owner, so never while somebody reads.
    private final class OpenDescriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }

        /// Lets later reads wait for data. A pipe that no process writes to yet would read as an empty file, so its
        /// first data or its end is waited for.
        func waitForData(isPipe: Bool, name: String) throws(ExportError) {
            var pipe = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            while isPipe, poll(&pipe, 1, -1) < 0 {
                guard errno == EINTR else { throw ExportFile.failure(name, errno) }
            }
            let flags = fcntl(number, F_GETFL)
            guard flags >= 0, fcntl(number, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
                throw ExportFile.failure(name, errno)
            }
        }

        deinit { Foundation.close(number) }
    }

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - mustBeRegular: whether a pipe or device is refused; else the call waits for the writer of a named pipe.
    package init(path: String, mustBeRegular: Bool = false) throws(ExportError) {
        name = path == "-" ? "standard input" : FileLabel(fileName: path).description
        let place = ExportPath(path)
        member = place.member
        let path = place.file
        self.path = path
        let own = try Self.open(path, name: name)
        var status = try Self.status(own, name: name)
        if status.st_mode & S_IFMT == S_IFDIR {
            throw ExportError(
                kind: .unreadable, file: name, problem: "it is a folder",
                remedy: "name the export files in it, for example inbox/*.csv")
        }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        if mustBeRegular, !isRegular { throw .notRegular(name) }
        // Standard input is shared with other processes, and so are its flags.
        if path != "-" { try own.waitForData(isPipe: status.st_mode & S_IFMT == S_IFIFO, name: name) }
        if isRegular { status = try Self.stable(own, status, name: name) }
        opened = isRegular ? ExportFileState(status) : nil
        // Standard input may stand in the middle of a file: it is read on from where it is.
        size = isRegular && path != "-" ? Int(status.st_size) : nil
        descriptor = Mutex(own)
    }

    /// Never waits, not even for the writer of a pipe that has taken the place of a file since its status was read.
    private static func open(_ path: String, name: String) throws(ExportError) -> OpenDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let number = path == "-" ? dup(STDIN_FILENO) : Foundation.open(path, flags)
        guard number >= 0 else { throw failure(name, errno, path: path) }
        return OpenDescriptor(number)
    }

    private static func status(_ descriptor: OpenDescriptor, name: String) throws(ExportError) -> stat {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw failure(name, errno) }
        return status
    }

    /// The state of a file from which every later change can be told. It takes a few milliseconds if the file was
    /// written just now.
    private static func stable(
        _ descriptor: OpenDescriptor, _ first: stat, name: String
    ) throws(ExportError) -> stat {
        var status = first
        for _ in 0..<attempts.most {
            if ExportFileState(status).showsLaterChanges { return status }
            usleep(attempts.pause)
            status = try Self.status(descriptor, name: name)
        }
        throw .changed(name)
    }

    /// The open descriptor; opens a file that was closed.
    private func current() throws(ExportError) -> OpenDescriptor {
        try descriptor.withLock { held throws(ExportError) in
            if let held { return held }
            // A stream cannot be read again.
            guard let opened, size != nil else { throw .changed(name) }
            let again = try Self.open(path, name: name)
            let status = try Self.status(again, name: name)
            guard status.st_mode & S_IFMT == S_IFREG, ExportFileState(status) == opened else { throw .changed(name) }
            held = again
            return again
        }
    }

    /// Lets go of the descriptor until the file is read again. A pipe, and what is read in order, then ends.
    package func close() { descriptor.withLock { $0 = nil } }

    /// Throws if the file has changed since it was opened, or another one has taken its path.
    ///
    /// Call it when all is read and nothing is published yet. A file that was replaced is an error too, although the
    /// old content could be read to its end: the figures would be those of a file that is no longer there.
    package func checkUnchanged() throws(ExportError) {
        guard let opened else { return }
        var status = stat()
        if path == "-" {
            status = try Self.status(current(), name: name)
        } else {
            guard stat(path, &status) == 0 else {
                // A file that is gone has changed. Another failure does not say whether it has.
                throw errno == ENOENT || errno == ENOTDIR ? .changed(name) : Self.failure(name, errno, path: path)
            }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .changed(name) }
        }
        guard ExportFileState(status) == opened else { throw .changed(name) }
    }

    /// What the system says of the open file now.
    func status() throws(ExportError) -> stat { try Self.status(current(), name: name) }

    /// How far it is read in order; nil for a pipe.
    package var position: Int? {
        guard let descriptor = try? current() else { return nil }
        let position = lseek(descriptor.number, 0, SEEK_CUR)
        return position < 0 ? nil : Int(position)
    }

    /// Tells the system that it will be read from its start to its end.
    package func adviseSequential() throws(ExportError) {
        #if canImport(Glibc)
        posix_fadvise(try current().number, 0, 0, POSIX_FADV_SEQUENTIAL)
        #endif
    }

    /// Reads up to `count` bytes at `offset` of a regular file; 0 at its end.
    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(ExportError) -> Int {
        let descriptor = try current()
        var done = 0
        while done < count {
            let got = pread(descriptor.number, target + done, count - done, off_t(offset + done))
            if got < 0 {
                if errno == EINTR { continue }
                throw Self.failure(name, errno)
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// The last bytes of a regular file, at most 16; nil of a pipe.
    package var tail: [UInt8]? {
        get throws(ExportError) {
            guard let size else { return nil }
            let count = min(size, 16)
            var failure: ExportError?
            let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, filled in
                guard let start = buffer.baseAddress else { return }
                do throws(ExportError) {
                    filled = try read(into: start, count: count, at: size - count)
                } catch { failure = error }
            }
            if let failure { throw failure }
            return bytes
        }
    }

    /// Reads up to `count` bytes from where the last call ended; 0 at the end.
    func readOn(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let descriptor = try current()
        while true {
            let got = Foundation.read(descriptor.number, target, count)
            if got >= 0 { return got }
            if errno != EINTR { throw Self.failure(name, errno) }
        }
    }

    /// What a failed call of the system says about the file named, in words.
    ///
    /// - Parameter path: as it was given; its characters may say more than the system does.
    static func failure(_ name: String, _ code: Int32, path: String = "") -> ExportError {
        switch code {
        case ENOENT where path.unicodeScalars.contains("\u{FFFD}"):
            // What is not UTF-8 in an argument is U+FFFD by now: the system was asked for another name.
            ExportError(
                kind: .missing, file: name,
                problem: "there is no such file, or its name is not UTF-8 and so cannot be named here",
                remedy: "rename it, or give it as standard input: tripkpi scan - < FILE")
        case ENOENT, ENOTDIR:
            ExportError(kind: .missing, file: name, problem: "there is no such file", remedy: "check the path")
        case EACCES, EPERM:
            ExportError(
                kind: .forbidden, file: name, problem: "it may not be read by this user",
                remedy: "give the user of the job read access to it")
        case EMFILE, ENFILE:
            ExportError(
                kind: .readFailed, file: name, problem: "too many exports are open at once",
                remedy: "raise the limit of open files (ulimit -n) or give fewer exports a run")
        default:
            ExportError(
                kind: .readFailed, file: name, problem: String(cString: strerror(code)),
                remedy: "check the disk or the mount and run again")
        }
    }
}

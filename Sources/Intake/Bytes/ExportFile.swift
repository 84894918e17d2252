import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open export: a regular file, a pipe or standard input. Closed when the last user lets go.
final class ExportFile: Sendable {
    /// For messages: its label, since the name may be a person's.
    let name: String
    let descriptor: Int32
    /// Bytes of a regular file; nil for a pipe.
    let size: Int?

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(ExportError) {
        name = path == "-" ? "standard input" : FileLabel(fileName: path).description
        let opened = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(name, errno) }
        descriptor = opened
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let code = errno
            close(opened)
            throw Self.failure(name, code)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            close(opened)
            throw ExportError(
                kind: .unreadable, file: name, problem: "it is a folder",
                remedy: "name the export files in it, for example inbox/*.csv")
        }
        // Standard input may stand in the middle of a file: it is read on from where it is.
        size = status.st_mode & S_IFMT == S_IFREG && path != "-" ? Int(status.st_size) : nil
    }

    deinit { close(descriptor) }

    /// Reads up to `count` bytes at `offset` of a regular file; 0 at its end.
    func read(into target: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(ExportError) -> Int {
        var done = 0
        while done < count {
            let got = pread(descriptor, target + done, count - done, off_t(offset + done))
            if got < 0 {
                if errno == EINTR { continue }
                throw Self.failure(name, errno)
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// What a failed call of the system says about the file named, in words.
    static func failure(_ name: String, _ code: Int32) -> ExportError {
        switch code {
        case ENOENT, ENOTDIR:
            ExportError(kind: .missing, file: name, problem: "there is no such file", remedy: "check the path")
        case EACCES, EPERM:
            ExportError(
                kind: .forbidden, file: name, problem: "it may not be read by this user",
                remedy: "give the user of the job read access to it")
        case EMFILE, ENFILE:
            ExportError(
                kind: .unreadable, file: name, problem: "too many exports are open at once",
                remedy: "raise the limit of open files (ulimit -n) or give fewer exports a run")
        default:
            ExportError(
                kind: .unreadable, file: name, problem: String(cString: strerror(code)),
                remedy: "check the disk or the mount and run again")
        }
    }
}

import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The log's file, open for one writer or reader, and its head beside it. Links are not followed, and what others
/// could change is not taken.
struct AuditFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    private var headPath: String { path + ".head" }

    /// Waits for another writer, who holds the file for a few milliseconds.
    init(_ path: String, forWriting: Bool) throws(AuditError) {
        descriptor = try Self.open(path, forWriting: forWriting)
        self.path = path
    }

    deinit { close(descriptor) }

    private static func open(_ path: String, forWriting: Bool) throws(AuditError) -> Int32 {
        let flags = forWriting ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY
        let descriptor = openFile(path, flags | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .notOurs(path: path, problem: "it is a symbolic link") }
            throw .system(action: "be opened", path: path, code: errno)
        }
        guard flock(descriptor, forWriting ? LOCK_EX : LOCK_SH) == 0 else {
            let code = errno
            close(descriptor)
            throw .system(action: "be locked", path: path, code: code)
        }
        if let problem = problem(of: descriptor) {
            close(descriptor)
            throw .notOurs(path: path, problem: problem)
        }
        return descriptor
    }

    private static func problem(of descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "it cannot be looked at" }
        if status.st_mode & S_IFMT != S_IFREG { return "it is not a file" }
        if status.st_nlink != 1 { return "it has a second name (a hard link)" }
        if status.st_uid != geteuid(), geteuid() != 0 { return "it belongs to another user" }
        return status.st_mode & 0o022 == 0 ? nil : "others may write to it"
    }

    func size() throws(AuditError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(action: "be read", path: path, code: errno) }
        return Int(status.st_size)
    }

    /// The bytes from an offset on.
    func read(from offset: Int) throws(AuditError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, try size() - offset))
        var done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                pread(descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(offset + done))
            }
            guard got >= 0 else { throw .system(action: "be read", path: path, code: errno) }
            if got == 0 { break }
            done += got
        }
        return Array(bytes[..<done])
    }

    /// One write, so that a kill leaves all of a line or its beginning.
    func append(_ bytes: [UInt8]) throws(AuditError) {
        errno = ENOSPC
        guard Self.write(descriptor, bytes), fsync(descriptor) == 0 else {
            throw .system(action: "be written", path: path, code: errno)
        }
    }

    /// Nil where there is none, or none that can be read.
    func head() -> AuditHead? {
        let file = openFile(headPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard let bytes = try? handle.read(upToCount: 4096) else { return nil }
        return try? JSONDecoder().decode(AuditHead.self, from: bytes)
    }

    func write(_ head: AuditHead) throws(AuditError) {
        let part = headPath + ".part"
        unlink(part)
        let file = openFile(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw .system(action: "be written", path: headPath, code: errno) }
        defer { close(file) }
        let bytes = head.bytes
        guard Self.write(file, bytes), fsync(file) == 0, rename(part, headPath) == 0 else {
            let code = errno
            unlink(part)
            throw .system(action: "be written", path: headPath, code: code)
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let parent = openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func write(_ file: Int32, _ bytes: [UInt8]) -> Bool {
        #if canImport(Glibc)
        Glibc.write(file, bytes, bytes.count) == bytes.count
        #else
        Darwin.write(file, bytes, bytes.count) == bytes.count
        #endif
    }
}

/// `open(2)`, under a name that no method shadows; what it makes is for its owner only.
private func openFile(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags, 0o600)
}

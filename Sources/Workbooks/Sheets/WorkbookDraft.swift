package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The unfinished workbook beside its target: same folder, mode 0600, renamed over the target when complete.
struct WorkbookDraft {
    let path: String
    let folder: String
    private let target: String

    init(for target: String) throws(WorkbookError) {
        self.target = target
        let slash = target.lastIndex(of: "/")
        let name = slash.map { String(target[target.index(after: $0)...]) } ?? target
        let parent = slash.map { String(target[..<$0]) } ?? "."
        folder = parent.isEmpty ? "/" : parent
        path = "\(folder)/.\(name).\(getpid()).partial"
        guard !name.isEmpty else {
            throw WorkbookError(.cannotCreate, place: target, reason: "the path names a folder")
        }
        // A draft of a killed run with this process id may be left; libxlsxwriter would keep its mode.
        unlink(path)
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WorkbookError(.cannotCreate, place: folder, reason: Self.lastReason()) }
        closeDescriptor(descriptor)
    }

    /// Fills a draft, and replaces what is at `target` only when it is complete.
    ///
    /// - Parameter check: shown the whole file before that; what it throws keeps the file back.
    static func write(
        to target: String, check: ([UInt8]) throws -> Void, fill: (WorkbookDraft) throws -> Void
    ) throws {
        let draft = try WorkbookDraft(for: target)
        do {
            try fill(draft)
            try check(draft.bytes())
            try draft.publish()
        } catch {
            draft.discard()
            throw error
        }
    }

    /// All of the draft.
    func bytes() throws(WorkbookError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw WorkbookError(.cannotWrite, place: path, reason: Self.lastReason()) }
        defer { closeDescriptor(descriptor) }
        var all: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &room, room.count)
            guard count >= 0 else { throw WorkbookError(.cannotWrite, place: path, reason: Self.lastReason()) }
            if count == 0 { return all }
            all += room[..<count]
        }
    }

    /// Makes the draft durable, then puts it in the target's place.
    func publish() throws(WorkbookError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw WorkbookError(.cannotWrite, place: path, reason: Self.lastReason()) }
        let synced = fsync(descriptor)
        let reason = Self.lastReason()
        closeDescriptor(descriptor)
        guard synced == 0 else { throw WorkbookError(.cannotWrite, place: path, reason: reason) }
        guard rename(path, target) == 0 else {
            throw WorkbookError(.cannotReplace, place: target, reason: Self.lastReason())
        }
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        closeDescriptor(parent)
    }

    /// Leaves nothing behind.
    func discard() {
        unlink(path)
    }

    private static func lastReason() -> String {
        String(cString: strerror(errno))
    }
}

/// `close(2)`, under a name that no method shadows.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}

/// Why a workbook could not be written: what, where, and how to fix it. Never a cell's content.
package struct WorkbookError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case cannotCreate = "cannot_create"
        case cannotWrite = "cannot_write"
        case cannotReplace = "cannot_replace"
        case library = "library"
        case tooLarge = "too_large"
    }

    package var code: Code
    /// The file, sheet or step.
    package var place: String
    /// What the system or libxlsxwriter said.
    package var reason: String

    package init(_ code: Code, place: String, reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }

    /// Whether the system refused it for want of rights.
    package var isPermission: Bool {
        [EACCES, EPERM].contains { String(cString: strerror($0)) == reason }
    }

    package var failureKind: FailureKind {
        switch code {
        case _ where isPermission: .permission
        case .cannotCreate, .cannotReplace: .cannotCreate
        case .cannotWrite: .inputOutput
        case .library: .internalBug
        case .tooLarge: .data
        }
    }

    package var description: String {
        switch code {
        case .cannotCreate:
            "cannot create the workbook in \(place): \(reason); check that the folder exists and may be written to"
        case .cannotWrite:
            "cannot write the workbook at \(place): \(reason); check the free space and the permissions of the folder"
        case .cannotReplace:
            "cannot move the finished workbook to \(place): \(reason); close it where it is open, or name another file"
        case .library:
            "libxlsxwriter refused a part of the workbook (\(place)): \(reason); report this as a bug"
        case .tooLarge:
            "the workbook has no room for \(place): \(reason); ask for fewer months, or use --format csv"
        }
    }
}

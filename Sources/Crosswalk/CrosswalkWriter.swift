import Foundation
import Hashing
import Synchronization
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Appends the identifiers of exports to a crosswalk. Several workers may append at a time.
///
/// For each export: `begin`, `append` batch by batch, `seal` before the store commits, and `rollBack` if it does not.
/// The crosswalk is always first: killed in between it has trips that the store has not, never the other way round.
package final class CrosswalkWriter: Sendable {
    private struct State {
        var file: FileHandle
        var header: CrosswalkHeader
        var key: CrosswalkKey
        /// Nil until something is written after an opening or a rollback: then a new one.
        var session: (key: SealingKey, nextNumber: UInt64)?
        var end: CrosswalkEnd
        var sealed: CrosswalkEnd
    }

    private let place: CrosswalkPlace
    private let credentials: String?
    private let random: @Sendable (Int) -> [UInt8]
    private let state = Mutex<State?>(nil)

    /// - Parameter random: gives so many bytes that nobody can foretell.
    package init(
        _ place: CrosswalkPlace, credentials: String? = nil,
        random: @escaping @Sendable (Int) -> [UInt8] = SecretBytes.random
    ) throws(CrosswalkError) {
        try place.check()
        self.place = place
        self.credentials = credentials
        self.random = random
    }

    /// Opens the crosswalk if it is not open yet, or makes it and its key. Reads it once, and cuts off what a kill left.
    ///
    /// - Parameter mark: what the store remembers; nil if it never had a crosswalk.
    package func begin(mark: CrosswalkMark?) throws {
        try state.withLock { state in
            if state == nil { state = try open(mark: mark) }
        }
    }

    private func open(mark: CrosswalkMark?) throws -> State {
        if mark != nil, !FileManager.default.fileExists(atPath: place.file) {
            throw CrosswalkError.lost(path: place.file)
        }
        try place.makeFolder()
        try place.check()
        let key = try place.key(credentials: credentials, makesNew: true)
        let descriptor = Self.open(place.file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw CrosswalkError.opening(place.file) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try CrosswalkPlace.check(descriptor, place.file)
        // A program that is being started by this one holds what is open here for an instant.
        var tries = 40
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard tries > 0 else { throw CrosswalkError.busy(path: place.file) }
            tries -= 1
            usleep(25_000)
        }
        guard let scan = try CrosswalkScan(file, path: place.file, key: key, mark: mark) else {
            let header = CrosswalkHeader(key: key, keyVersion: 1, fileID: random(16))
            try cut(file, to: 0)
            try write(header.bytes, to: file)
            try sync(file)
            let end = CrosswalkEnd(
                byteCount: CrosswalkHeader.byteCount, tag: Array(header.code.prefix(CrosswalkFrame.tagBytes)))
            return State(file: file, header: header, key: key, session: nil, end: end, sealed: end)
        }
        let sealed = try scan.run(mark: mark) { _, _ in }
        try cut(file, to: sealed.byteCount)
        return State(file: file, header: scan.header, key: key, session: nil, end: sealed, sealed: sealed)
    }

    package func append(_ block: Sensitive<IdentifierBlock>, source: String) throws {
        let trips = block.revealed(for: .sealing)
        guard trips.count > 0 else { return }
        var plain = CrosswalkEntries.encode(trips, source: source)
        defer { SecretBytes.wipe(&plain) }
        try state.withLock { state in
            try append(.entries, plain, trips: UInt64(trips.count), to: &state)
        }
    }

    /// Ends an export: what was appended is on the disk, and the store may commit.
    ///
    /// - Returns: what the store is to remember, in its transaction.
    package func seal() throws -> CrosswalkMark {
        try state.withLock { state in
            // The session comes first: the seal counts it.
            try beginSession(&state)
            guard var end = state?.end else { throw notOpen }
            end.records += 1
            try append(.seal, CrosswalkEntries.seal(end), trips: 0, to: &state)
            guard let now = state else { throw notOpen }
            try sync(now.file)
            state?.sealed = now.end
            return CrosswalkMark(
                fileID: CrosswalkHeader.hex(now.header.fileID), byteCount: now.end.byteCount,
                tag: CrosswalkHeader.hex(now.end.tag))
        }
    }

    /// Takes back what was appended since the last seal. What cannot be taken back is cut off when the crosswalk is next
    /// opened.
    package func rollBack() {
        state.withLock { current in
            guard let now = current else { return }
            do {
                try cut(now.file, to: now.sealed.byteCount)
                current?.end = now.sealed
                // Its numbers were used; what comes next is under a key of its own.
                current?.session = nil
            } catch {
                current = nil
            }
        }
    }

    private func beginSession(_ state: inout State?) throws {
        guard let now = state else { throw notOpen }
        guard now.session == nil else { return }
        let salt = random(CrosswalkFrame.saltBytes)
        let key = now.key.sealing(salt: salt)
        let head = CrosswalkFrame.Head(kind: .session, bodyBytes: salt.count, number: 0)
        let binding = CrosswalkFrame.binding(head.bytes, headerCode: now.header.code, before: now.end.tag)
        let tag = try key.seal([], number: 0, binding: binding + salt)
        try put(head.bytes + salt + tag, &state)
        state?.session = (key, 1)
    }

    private func append(_ kind: CrosswalkFrame.Kind, _ plain: [UInt8], trips: UInt64, to state: inout State?) throws {
        try beginSession(&state)
        guard let now = state, let session = now.session else { throw notOpen }
        guard plain.count <= CrosswalkFrame.maximumBodyBytes else {
            throw CrosswalkError.system(path: place.file, action: "take a batch", code: EFBIG)
        }
        let head = CrosswalkFrame.Head(kind: kind, bodyBytes: plain.count, number: session.nextNumber)
        // Counted before it is written: a number of a record that was written in part is used up.
        state?.session?.nextNumber += 1
        let binding = CrosswalkFrame.binding(head.bytes, headerCode: now.header.code, before: now.end.tag)
        try put(head.bytes + session.key.seal(plain, number: head.number, binding: binding), &state)
        state?.end.trips += trips
    }

    private func put(_ record: [UInt8], _ state: inout State?) throws {
        guard let now = state else { throw notOpen }
        try write(record, to: now.file)
        state?.end.byteCount += record.count
        state?.end.records += 1
        state?.end.tag = Array(record.suffix(CrosswalkFrame.tagBytes))
    }

    private var notOpen: CrosswalkError { .system(path: place.file, action: "be written", code: EBADF) }

    private func write(_ bytes: [UInt8], to file: FileHandle) throws(CrosswalkError) {
        errno = 0
        do {
            try file.write(contentsOf: Data(bytes))
        } catch {
            throw .system(path: place.file, action: "be written", code: errno)
        }
    }

    private func cut(_ file: FileHandle, to count: Int) throws(CrosswalkError) {
        errno = 0
        do {
            try file.truncate(atOffset: UInt64(count))
            try file.seekToEnd()
        } catch {
            throw .system(path: place.file, action: "be cut", code: errno)
        }
    }

    private func sync(_ file: FileHandle) throws(CrosswalkError) {
        let folder = Self.open(CrosswalkPlace.folder(of: place.file), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { throw .system(path: place.file, action: "be synced", code: errno) }
        defer { close(folder) }
        guard fsync(file.fileDescriptor) == 0, fsync(folder) == 0 else {
            throw .system(path: place.file, action: "be synced", code: errno)
        }
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags, mode)
        #else
        Darwin.open(path, flags, mode)
        #endif
    }
}

import Files
import Synchronization
package import Trips

/// Appends the identifiers of exports to a crosswalk. Several workers may append at a time.
///
/// For each export: `begin`, `append` batch by batch, `seal` before the store commits, and `rollBack` if it does not.
/// The crosswalk is written before the store. A kill in between leaves trips in the crosswalk that the store lacks, never
/// the reverse.
package final class CrosswalkWriter: Sendable {
    private struct State {
        var file: OpenFile
        var header: CrosswalkHeader
        var key: CrosswalkKey
        /// Nil after an opening or a rollback, until something is written: the next record begins a new session.
        var session: (key: SealingKey, nextNumber: UInt64)?
        var end: CrosswalkEnd
        var sealed: CrosswalkEnd
    }

    private let paths: CrosswalkPaths
    private let credentials: String?
    private let random: @Sendable (Int) -> [UInt8]
    private let state = Mutex<State?>(nil)

    /// - Parameter random: returns that many unpredictable bytes.
    package init(
        _ paths: CrosswalkPaths, credentials: String? = nil,
        random: @escaping @Sendable (Int) -> [UInt8] = SecretBytes.random
    ) throws(CrosswalkError) {
        try paths.check()
        self.paths = paths
        self.credentials = credentials
        self.random = random
    }

    /// Opens the crosswalk if it is not open yet, or makes it and its key. Reads it once, and cuts off the remains of a
    /// kill.
    ///
    /// - Parameter mark: the store's mark; nil if the store never had a crosswalk.
    package func begin(mark: CrosswalkMark?) throws {
        try state.withLock { state in
            if state == nil { state = try Self.wrapped { try open(mark: mark) } }
        }
    }

    private func open(mark: CrosswalkMark?) throws -> State {
        if mark != nil, try FileStatus.lookUp(paths.file) == nil {
            throw CrosswalkError.lost(path: paths.file)
        }
        try paths.makeFolder()
        try paths.check()
        let key = try paths.key(credentials: credentials, makesNew: true)
        let file = try paths.open(for: .update)
        guard try file.lockAtOnce(.exclusive, tries: 40) else { throw CrosswalkError.busy(path: paths.file) }
        guard let scan = try CrosswalkScan(file, key: key, mark: mark) else {
            let header = CrosswalkHeader(key: key, fileID: random(16))
            try file.truncate(to: 0)
            try file.write(header.bytes)
            try sync(file)
            return State(file: file, header: header, key: key, session: nil, end: header.end, sealed: header.end)
        }
        let sealed = try scan.run()
        try file.truncate(to: sealed.byteCount)
        return State(file: file, header: scan.header, key: key, session: nil, end: sealed, sealed: sealed)
    }

    package func append(_ block: Sensitive<IdentifierBlock>, source: String) throws {
        let trips = block.revealed(for: .sealing)
        guard trips.count > 0 else { return }
        var plain = CrosswalkRecord.entries(trips, source: source)
        defer { SecretBytes.wipe(&plain) }
        try withOpenState { state in
            try append(.entries, plain, to: &state)
            state.end.trips += UInt64(trips.count)
        }
    }

    /// Ends an export: its records are on the disk, and the store may commit.
    ///
    /// - Returns: the mark that the store keeps, in its transaction.
    package func seal() throws -> CrosswalkMark {
        try withOpenState { state in
            // The session comes first: the seal counts it.
            try beginSession(&state)
            var end = state.end
            end.records += 1
            try append(.seal, CrosswalkRecord.seal(end), to: &state)
            try sync(state.file)
            state.sealed = state.end
            return CrosswalkMark(
                fileID: Hexadecimal.text(state.header.fileID), byteCount: state.end.byteCount,
                tag: Hexadecimal.text(state.end.tag))
        }
    }

    /// Removes the records since the last seal. If that fails, the next opening removes them.
    package func rollBack() {
        state.withLock { current in
            guard let now = current else { return }
            do {
                try now.file.truncate(to: now.sealed.byteCount)
                current?.end = now.sealed
                // Its nonces are used; the next record gets a new key.
                current?.session = nil
            } catch {
                current = nil
            }
        }
    }

    /// Changes of the state stay if `body` throws: a nonce of a record that was written in part is used.
    private func withOpenState<Value: Sendable>(_ body: (inout State) throws -> Value) throws -> Value {
        try state.withLock { current in
            guard var state = current else { throw CrosswalkError.system(FileError(paths.file, "be written", code: 0)) }
            defer { current = state }
            return try Self.wrapped { try body(&state) }
        }
    }

    private static func wrapped<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as FileError { throw CrosswalkError.system(error) }
    }

    private func beginSession(_ state: inout State) throws {
        guard state.session == nil else { return }
        let salt = random(CrosswalkRecord.saltBytes)
        let key = state.key.sealing(salt: salt)
        let head = CrosswalkRecord.Head(kind: .session, bodyBytes: salt.count, number: 0)
        let binding = CrosswalkRecord.binding(head.bytes, headerCode: state.header.code, before: state.end.tag)
        try write(head.bytes + salt + key.seal([], number: 0, binding: binding + salt), &state)
        state.session = (key, 1)
    }

    private func append(_ kind: CrosswalkRecord.Kind, _ plain: [UInt8], to state: inout State) throws {
        try beginSession(&state)
        guard let session = state.session, plain.count <= CrosswalkRecord.maximumBodyBytes else {
            throw FileError(paths.file, "take a batch", code: 0)
        }
        let head = CrosswalkRecord.Head(kind: kind, bodyBytes: plain.count, number: session.nextNumber)
        state.session?.nextNumber += 1
        let binding = CrosswalkRecord.binding(head.bytes, headerCode: state.header.code, before: state.end.tag)
        try write(head.bytes + session.key.seal(plain, number: head.number, binding: binding), &state)
    }

    private func write(_ record: [UInt8], _ state: inout State) throws {
        try state.file.write(record)
        state.end.byteCount += record.count
        state.end.records += 1
        state.end.tag = Array(record.suffix(CrosswalkRecord.tagBytes))
    }

    private func sync(_ file: OpenFile) throws {
        try file.sync("be synced")
        try OpenFile.sync(folder: FilePath.folder(of: paths.file))
    }
}

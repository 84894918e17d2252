import Files
package import Trips

/// Reads a whole crosswalk: there is no index, since an index would disclose trips without the key.
///
/// Everything up to the store's mark must be there, byte for byte. After it there may be remains of a kill: records of an
/// export that was never committed to the store. Without a mark (another store, or none) a record that does not open is
/// taken for tampering; only an unfinished record at the very end, and records without a seal after them, are taken for
/// remains of a kill.
package struct CrosswalkReader {
    private let paths: CrosswalkPaths
    private let credentials: String?

    package init(_ paths: CrosswalkPaths, credentials: String? = nil) {
        self.paths = paths
        self.credentials = credentials
    }

    /// - Parameters:
    ///   - mark: the store's mark.
    ///   - body: called with all trips; its results must be dropped if this throws.
    /// - Returns: the number of trips in it; a trip that was loaded several times counts each time.
    @discardableResult
    package func read(
        mark: CrosswalkMark?, _ body: (_ source: String, Sensitive<IdentifierBlock>) throws -> Void = { _, _ in }
    ) throws -> Int {
        try paths.check()
        let file: OpenFile
        do throws(CrosswalkError) {
            file = try paths.open(for: .read)
        } catch {
            guard case .system(let cause) = error, cause.isMissing else { throw error }
            throw mark == nil ? CrosswalkError.missing(path: paths.file) : .lost(path: paths.file)
        }
        let key = try paths.key(credentials: credentials, makesNew: false)
        guard let scan = try CrosswalkScan(file, key: key, mark: mark) else { return 0 }
        return Int(try scan.run(body).trips)
    }
}

/// One pass over an open crosswalk.
struct CrosswalkScan {
    let header: CrosswalkHeader
    private let file: OpenFile
    private let size: Int
    private let key: CrosswalkKey
    private let mark: CrosswalkMark?

    /// Nil if a kill left a file without a whole header, and no store has a mark of it.
    init?(_ file: OpenFile, key: CrosswalkKey, mark: CrosswalkMark?) throws {
        self.file = file
        self.key = key
        self.mark = mark
        size = try Self.wrapped { () throws(FileError) in try file.status().size }
        guard size >= CrosswalkHeader.byteCount else {
            if let mark { throw CrosswalkError.truncated(path: file.path, bytes: size, expected: mark.byteCount) }
            return nil
        }
        let bytes = try Self.wrapped { () throws(FileError) in try file.read(count: CrosswalkHeader.byteCount) }
        header = try CrosswalkHeader(bytes, key: key, path: file.path)
        if let mark, mark.fileID != Hexadecimal.text(header.fileID) { throw CrosswalkError.otherFile(path: file.path) }
    }

    private static func wrapped<Value>(_ body: () throws(FileError) -> Value) throws(CrosswalkError) -> Value {
        do throws(FileError) { return try body() } catch { throw .system(error) }
    }

    private func read(at offset: Int, _ count: Int) throws(CrosswalkError) -> [UInt8] {
        let bytes = try Self.wrapped { () throws(FileError) in try file.read(at: offset, count: count) }
        // The file became shorter in the meantime.
        guard bytes.count == count else { throw .system(FileError(file.path, "be read", code: 0)) }
        return bytes
    }

    /// - Parameter body: called with the trips record by record, also of records without a seal after them; its results
    ///   must be dropped if this throws.
    /// - Returns: the last seal; anything after it is the remains of a kill.
    func run(_ body: (_ source: String, Sensitive<IdentifierBlock>) throws -> Void = { _, _ in }) throws -> CrosswalkEnd
    {
        var end = header.end, sealed = header.end
        var session: SealingKey?
        var nextNumber: UInt64 = 0
        var isMarkMet = mark == nil
        func checkRemains(isUnfinished: Bool) throws(CrosswalkError) {
            if let mark, !isMarkMet, size < mark.byteCount {
                throw .truncated(path: file.path, bytes: size, expected: mark.byteCount)
            }
            let isTampered = mark == nil ? !isUnfinished : !isMarkMet
            if isTampered { throw .tampered(path: file.path, byteOffset: end.byteCount) }
        }
        while end.byteCount < size {
            let left = size - end.byteCount - CrosswalkRecord.headBytes
            guard left >= 0 else {
                try checkRemains(isUnfinished: true)
                break
            }
            let headBytes = try read(at: end.byteCount, CrosswalkRecord.headBytes)
            guard let head = CrosswalkRecord.Head(headBytes) else {
                try checkRemains(isUnfinished: false)
                break
            }
            let count = head.bodyBytes + CrosswalkRecord.tagBytes
            guard left >= count else {
                try checkRemains(isUnfinished: true)
                break
            }
            let bytes = try read(at: end.byteCount + CrosswalkRecord.headBytes, count)
            if head.kind == .session {
                session = key.sealing(salt: Array(bytes.prefix(head.bodyBytes)))
                nextNumber = 0
            }
            guard head.number == nextNumber, var plain = open(head, headBytes, bytes, by: session, before: end.tag)
            else {
                try checkRemains(isUnfinished: false)
                break
            }
            defer { SecretBytes.wipe(&plain) }
            nextNumber += 1
            end.byteCount += CrosswalkRecord.headBytes + count
            end.tag = Array(bytes.suffix(CrosswalkRecord.tagBytes))
            end.records += 1
            let tampered = CrosswalkError.tampered(path: file.path, byteOffset: end.byteCount)
            switch head.kind {
            case .session: break
            case .entries:
                guard let (source, block) = CrosswalkRecord.decodeEntries(plain) else { throw tampered }
                end.trips += UInt64(block.count)
                try body(source, Sensitive(block))
            case .seal:
                guard plain == CrosswalkRecord.seal(end) else { throw tampered }
                sealed = end
                if let mark, mark.byteCount == end.byteCount {
                    guard mark.tag == Hexadecimal.text(end.tag) else { throw tampered }
                    isMarkMet = true
                }
            }
        }
        if end.byteCount == size { try checkRemains(isUnfinished: true) }
        return sealed
    }

    private func open(
        _ head: CrosswalkRecord.Head, _ headBytes: [UInt8], _ bytes: [UInt8], by session: SealingKey?,
        before tag: [UInt8]
    ) -> [UInt8]? {
        let binding = CrosswalkRecord.binding(headBytes, headerCode: header.code, before: tag)
        guard head.kind == .session else { return session?.open(bytes, number: head.number, binding: binding) }
        // The salt is in clear; its tag shows that its writer had the key.
        guard head.bodyBytes == CrosswalkRecord.saltBytes else { return nil }
        let salt = Array(bytes.prefix(head.bodyBytes))
        return session?.open(Array(bytes.dropFirst(head.bodyBytes)), number: head.number, binding: binding + salt)
    }
}

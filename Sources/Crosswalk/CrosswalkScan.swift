import Foundation
import Hashing
import Trips

/// Reads a crosswalk from its beginning and tells what is whole.
///
/// What the store's mark covers must be there, byte for byte. After it there may be what a kill left: records of an
/// export that never came into the store. Without a mark (another store, or none) what does not open is taken for
/// tampering; only an unfinished record at the very end, and records that no seal follows, are taken for a kill's.
struct CrosswalkScan {
    let path: String
    let key: CrosswalkKey
    let file: FileHandle
    let size: Int
    let header: CrosswalkHeader

    /// Nil if a kill left a file without a whole header, and no store knows of it.
    init?(_ file: FileHandle, path: String, key: CrosswalkKey, mark: CrosswalkMark?) throws(CrosswalkError) {
        self.path = path
        self.key = key
        self.file = file
        do {
            size = Int(try file.seekToEnd())
            try file.seek(toOffset: 0)
        } catch {
            throw .system(path: path, action: "be read", code: errno)
        }
        guard size >= CrosswalkHeader.byteCount else {
            if let mark { throw .truncated(path: path, bytes: size, expected: mark.byteCount) }
            return nil
        }
        let bytes = try Self.read(file, CrosswalkHeader.byteCount, path)
        header = try CrosswalkHeader(bytes, key: key, path: path)
        if let mark, mark.fileID != CrosswalkHeader.hex(header.fileID) { throw .otherFile(path: path) }
    }

    var beginning: CrosswalkEnd {
        CrosswalkEnd(
            byteCount: CrosswalkHeader.byteCount, tag: Array(header.code.prefix(CrosswalkFrame.tagBytes)))
    }

    /// - Parameter body: told the trips record by record, with their source, also of records that no seal follows; what
    ///   it was told means nothing if this throws.
    /// - Returns: the last seal; what comes after it is a kill's.
    func run(
        mark: CrosswalkMark?, body: (_ source: String, Sensitive<IdentifierBlock>) throws -> Void
    ) throws -> CrosswalkEnd {
        var at = beginning, sealed = at
        var session: SealingKey?
        var nextNumber: UInt64 = 0
        var isMarkMet = mark == nil
        func fault(isUnfinished: Bool) throws(CrosswalkError) {
            if let mark, !isMarkMet {
                guard size >= mark.byteCount else {
                    throw .truncated(path: path, bytes: size, expected: mark.byteCount)
                }
                throw .tampered(path: path, byteOffset: at.byteCount)
            }
            if mark == nil, !isUnfinished { throw .tampered(path: path, byteOffset: at.byteCount) }
        }
        while at.byteCount < size {
            guard size - at.byteCount >= CrosswalkFrame.headBytes else {
                try fault(isUnfinished: true)
                break
            }
            let headBytes = try Self.read(file, CrosswalkFrame.headBytes, path)
            guard let head = CrosswalkFrame.Head(headBytes) else {
                try fault(isUnfinished: false)
                break
            }
            let rest = head.bodyBytes + CrosswalkFrame.tagBytes
            guard size - at.byteCount - CrosswalkFrame.headBytes >= rest else {
                try fault(isUnfinished: true)
                break
            }
            let bytes = try Self.read(file, rest, path)
            let isNew = head.kind == .session
            if isNew {
                session = key.sealing(salt: Array(bytes.prefix(head.bodyBytes)))
                nextNumber = 0
            }
            guard head.number == nextNumber, var plain = open(head, headBytes, bytes, by: session, before: at.tag)
            else {
                try fault(isUnfinished: false)
                break
            }
            defer { SecretBytes.wipe(&plain) }
            nextNumber += 1
            at.byteCount += CrosswalkFrame.headBytes + rest
            at.tag = Array(bytes.suffix(CrosswalkFrame.tagBytes))
            at.records += 1
            switch head.kind {
            case .session: break
            case .entries:
                guard let (source, block) = CrosswalkEntries.decode(plain) else {
                    throw CrosswalkError.tampered(path: path, byteOffset: at.byteCount)
                }
                at.trips += UInt64(block.count)
                try body(source, Sensitive(block))
            case .seal:
                guard plain == CrosswalkEntries.seal(at) else {
                    throw CrosswalkError.tampered(path: path, byteOffset: at.byteCount)
                }
                sealed = at
                if let mark, mark.byteCount == at.byteCount {
                    guard mark.tag == CrosswalkHeader.hex(at.tag) else {
                        throw CrosswalkError.tampered(path: path, byteOffset: at.byteCount)
                    }
                    isMarkMet = true
                }
            }
        }
        if at.byteCount == size { try fault(isUnfinished: true) }
        return sealed
    }

    private func open(
        _ head: CrosswalkFrame.Head, _ headBytes: [UInt8], _ bytes: [UInt8], by session: SealingKey?,
        before tag: [UInt8]
    ) -> [UInt8]? {
        let binding = CrosswalkFrame.binding(headBytes, headerCode: header.code, before: tag)
        guard head.kind == .session else { return session?.open(bytes, number: head.number, binding: binding) }
        // The salt is in clear; its tag shows that it was written by who has the key.
        guard head.bodyBytes == CrosswalkFrame.saltBytes else { return nil }
        let salt = Array(bytes.prefix(head.bodyBytes))
        return session?.open(Array(bytes.dropFirst(head.bodyBytes)), number: head.number, binding: binding + salt)
    }

    private static func read(_ file: FileHandle, _ count: Int, _ path: String) throws(CrosswalkError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while bytes.count < count {
                guard let data = try file.read(upToCount: count - bytes.count), !data.isEmpty else { break }
                bytes += Array(data)
            }
        } catch {
            throw .system(path: path, action: "be read", code: errno)
        }
        guard bytes.count == count else { throw .system(path: path, action: "be read", code: EIO) }
        return bytes
    }
}

/// What stands in the bodies of records.
enum CrosswalkEntries {
    /// The source, after its length as two bytes, and the block.
    static func encode(_ block: IdentifierBlock, source: String) -> [UInt8] {
        let name = Array(source.utf8.prefix(Int(UInt16.max)))
        return [UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name + block.bytes
    }

    static func decode(_ plain: [UInt8]) -> (source: String, IdentifierBlock)? {
        guard plain.count >= 2 else { return nil }
        let end = 2 + Int(CrosswalkFrame.number(plain[..<2]))
        guard plain.count >= end, let block = IdentifierBlock(bytes: plain[end...]) else { return nil }
        return (String(decoding: plain[2..<end], as: UTF8.self), block)
    }

    /// - Parameter end: with the seal itself counted.
    static func seal(_ end: CrosswalkEnd) -> [UInt8] {
        CrosswalkFrame.word(end.records) + CrosswalkFrame.word(end.trips)
    }
}

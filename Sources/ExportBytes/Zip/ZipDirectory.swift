import CZlib

/// The members of a zip file, by the directory at its end (APPNOTE 6.3.10, with zip64).
package struct ZipDirectory: Sendable {
    package struct Member: Sendable, Hashable {
        package let name: String
        /// Of its data in the file, and of what that is of.
        package let packedBytes: Int
        package let bytes: Int
        fileprivate let crc: UInt32
        fileprivate let method: Int
        fileprivate let isEncrypted: Bool
        fileprivate let headerOffset: Int

        package var isFolder: Bool { name.hasSuffix("/") }
    }

    package let members: [Member]
    private let file: ExportFile

    /// More are no export.
    private static let mostMembers = 65_536
    /// Of a deflated byte no more can come: more is a wrong directory.
    private static let mostInflation = 1_032

    /// - Throws: if the file is no whole zip file.
    package init(_ file: ExportFile) throws(ExportError) {
        guard let size = file.size else {
            throw ExportError(
                kind: .unreadable, file: file.name,
                problem: "a zip file or workbook is read from its end, which a pipe does not have",
                remedy: "save it to a file, and give that")
        }
        self.file = file
        let tail = try Self.bytes(file, max(0, size - 66_000)..<size)
        guard let end = Self.lastRecord(tail) else {
            throw Self.damage(file, "it has no directory at its end (truncated)")
        }
        let tailStart = size - tail.count
        var count = Self.number(tail, end + 10, 2), length = Self.number(tail, end + 12, 4)
        var start = Self.number(tail, end + 16, 4)
        if count == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
            // The locator of the larger record lies before this one.
            guard end >= 20, Self.number(tail, end - 20, 4) == 0x0706_4B50 else { throw Self.damage(file) }
            let at = Self.number(tail, end - 12, 8)
            guard at >= 0, at + 56 <= size else { throw Self.damage(file) }
            let record = try Self.bytes(file, at..<at + 56)
            guard Self.number(record, 0, 4) == 0x0606_4B50 else { throw Self.damage(file) }
            count = Self.number(record, 32, 8)
            length = Self.number(record, 40, 8)
            start = Self.number(record, 48, 8)
        }
        guard count >= 0, count <= Self.mostMembers, length >= 0, start >= 0, start <= size,
            length <= tailStart + end - start, length <= 64 << 20
        else { throw Self.damage(file) }
        let directory = try Self.bytes(file, start..<start + length)
        var members: [Member] = []
        var at = 0
        for _ in 0..<count {
            guard at + 46 <= directory.count, Self.number(directory, at, 4) == 0x0201_4B50 else {
                throw Self.damage(file)
            }
            let nameLength = Self.number(directory, at + 28, 2), extraLength = Self.number(directory, at + 30, 2)
            let next = at + 46 + nameLength + extraLength + Self.number(directory, at + 32, 2)
            guard next <= directory.count else { throw Self.damage(file) }
            var packed = Self.number(directory, at + 20, 4), unpacked = Self.number(directory, at + 24, 4)
            var header = Self.number(directory, at + 42, 4)
            let extraStart = at + 46 + nameLength
            Self.forEachLarge(directory[extraStart..<extraStart + extraLength]) { take in
                if unpacked == 0xFFFF_FFFF { unpacked = take() }
                if packed == 0xFFFF_FFFF { packed = take() }
                if header == 0xFFFF_FFFF { header = take() }
            }
            guard packed >= 0, unpacked >= 0, header >= 0, header + 30 + packed <= size,
                unpacked / Self.mostInflation <= packed
            else { throw Self.damage(file) }
            members.append(
                Member(
                    name: String(decoding: directory[(at + 46)..<(at + 46 + nameLength)], as: UTF8.self),
                    packedBytes: packed, bytes: unpacked, crc: UInt32(Self.number(directory, at + 16, 4)),
                    method: Self.number(directory, at + 10, 2),
                    isEncrypted: Self.number(directory, at + 8, 2) & 1 != 0, headerOffset: header))
            at = next
        }
        self.members = members
    }

    /// Nil: there is none of this name. Case does not count: some programs write `Workbook.xml`.
    package func member(_ name: String) -> Member? {
        members.first { $0.name == name } ?? members.first { $0.name.lowercased() == name.lowercased() }
    }

    /// What a member holds, checked by its CRC and length.
    package func stream(of member: Member, library: InflateLibrary? = nil) throws(ExportError) -> any ByteStream {
        if member.isEncrypted {
            throw ExportError(
                kind: .malformed, file: file.name, problem: "it is encrypted with a password",
                remedy: "save it without a password")
        }
        let header = try Self.bytes(file, member.headerOffset..<member.headerOffset + 30)
        guard header.count == 30, Self.number(header, 0, 4) == 0x0403_4B50 else { throw Self.damage(file) }
        let start = member.headerOffset + 30 + Self.number(header, 26, 2) + Self.number(header, 28, 2)
        guard start + member.packedBytes <= file.size ?? 0 else { throw Self.damage(file) }
        let packed = FileRange(file, start..<start + member.packedBytes)
        switch member.method {
        case 0:
            guard member.packedBytes == member.bytes else { throw Self.damage(file) }
            return StoredStream(packed, crc: member.crc, file: file.name)
        case 8:
            // With the header and the trailer of gzip around it, the inflater of gzip checks what the directory says.
            var trailer: [UInt8] = []
            for number in [member.crc, UInt32(truncatingIfNeeded: member.bytes)] {
                for shift in stride(from: UInt32(0), to: 32, by: 8) { trailer.append(UInt8(number >> shift & 0xFF)) }
            }
            let whole = JoinedStream([
                BytesStream([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]), packed, BytesStream(trailer),
            ])
            return try GzipStream(source: whole, name: file.name, library: library)
        default:
            throw ExportError(
                kind: .malformed, file: file.name, problem: "it is packed by a method that is not read",
                remedy: "pack it as a usual zip file (deflate)")
        }
    }

    private static func bytes(_ file: ExportFile, _ range: Range<Int>) throws(ExportError) -> [UInt8] {
        var stream = FileRange(file, range)
        return try stream.take(range.count)
    }

    private static func damage(
        _ file: ExportFile, _ problem: String = "its zip directory is damaged"
    ) -> ExportError {
        ExportError(
            kind: .damaged, file: file.name, problem: problem,
            remedy: "fetch or export the file again; nothing of it was loaded")
    }

    /// The end record: the last place that reads as one, and whose comment ends with the file.
    private static func lastRecord(_ tail: [UInt8]) -> Int? {
        var at = tail.count - 22
        while at >= 0 {
            if tail[at] == 0x50, number(tail, at, 4) == 0x0605_4B50, at + 22 + number(tail, at + 20, 2) == tail.count {
                return at
            }
            at -= 1
        }
        return nil
    }

    /// Little-endian. The caller has made sure that the bytes are there.
    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        var number: UInt64 = 0
        for place in (0..<count).reversed() { number = number << 8 | UInt64(bytes[at + place]) }
        return Int(exactly: number) ?? -1
    }

    /// Calls the closure with a source of the 8-byte numbers of the zip64 field, if there is one; -1 where it is too short.
    private static func forEachLarge(_ extra: ArraySlice<UInt8>, _ body: (() -> Int) -> Void) {
        var at = extra.startIndex
        let bytes = Array(extra)
        at = 0
        while at + 4 <= bytes.count {
            let length = number(bytes, at + 2, 2)
            guard at + 4 + length <= bytes.count else { return }
            if number(bytes, at, 2) == 1 {
                var next = at + 4
                let end = at + 4 + length
                body {
                    guard next + 8 <= end else { return -1 }
                    defer { next += 8 }
                    return number(bytes, next, 8)
                }
                return
            }
            at += 4 + length
        }
    }
}

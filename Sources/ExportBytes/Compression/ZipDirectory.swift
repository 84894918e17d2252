/// The directory of a zip file, read from its end: what members it has and where they lie.
///
/// In: a regular file. Out: its members, and a stream of the bytes of each, checked by length and CRC. Stored,
/// deflated and zstd members, and zip64, are read. Nothing is written anywhere.
package struct ZipDirectory: Sendable {
    package struct Member: Sendable, Hashable {
        /// As the archive writes it, with slashes between folders.
        package let name: String
        package let compressedBytes: Int
        package let bytes: Int
        let crc32: UInt32
        let method: Int
        package let isEncrypted: Bool
        /// Of its local header in the file.
        let offset: Int

        package var isFolder: Bool { name.hasSuffix("/") }
    }

    package let members: [Member]
    private let file: ExportFile

    private static let mostMembers = 100_000
    private static let signature: [UInt8] = [0x50, 0x4B, 5, 5]
    /// Of what inflates to more than `freeBytes`, as a multiple of what it is packed in.
    private static let mostRatio = 250
    private static let freeBytes = 1 << 30

    package init(_ file: ExportFile) throws(ExportError) {
        self.file = file
        let end = try ZipEnd(file)
        guard end.entries <= Self.mostMembers, end.directoryBytes <= 1 << 28 else {
            throw Self.damage(file, "it has more than \(Self.mostMembers) members")
        }
        var bytes = try ZipEnd.bytes(file, at: end.directoryOffset, count: end.directoryBytes)[...]
        var members: [Member] = []
        for _ in 0..<end.entries {
            guard let member = Member(&bytes, shift: end.shift) else {
                throw Self.damage(file, "its directory is damaged")
            }
            members.append(member)
        }
        // What is behind the last one that is counted would be lost without a word; only a signature may be there.
        guard bytes.isEmpty || bytes.starts(with: Self.signature) else {
            throw Self.damage(file, "its directory has more members than it says")
        }
        self.members = members
        // What is before the members or after the end is read by no one: two archives in one file, or another file.
        let first = members.map(\.offset).min() ?? end.directoryOffset
        if first > (try ZipEnd.bytes(file, at: 0, count: 4) == FileKind.spannedZip ? 4 : 0) {
            throw Self.extra(file, "it holds bytes before its first member")
        }
        if end.hasBytesBehind { throw Self.extra(file, "it holds bytes after its end") }
        try check()
    }

    /// - Throws: if two members have one name, a folder has bytes, members overlap as in a bomb, or they would inflate beyond all
    ///   measure.
    private func check() throws(ExportError) {
        // A folder is passed over.
        guard members.allSatisfy({ !$0.isFolder || $0.bytes == 0 }) else {
            throw Self.damage(file, "one of its members is a folder and a file")
        }
        guard Set(members.map(\.name)).count == members.count else {
            throw Self.damage(file, "two of its members have one name")
        }
        var last = 0
        for member in members.sorted(by: { $0.offset < $1.offset }) {
            guard member.offset >= last, member.offset + member.compressedBytes <= file.size ?? 0 else {
                throw Self.damage(file, "its members overlap, or lie outside of it")
            }
            last = member.offset + 30 + member.compressedBytes
        }
        let packed = members.reduce(0) { $0 + $1.compressedBytes }
        let (total, isTooMuch) = members.reduce((0, false)) { sum, member in
            let (value, isOver) = sum.0.addingReportingOverflow(member.bytes)
            return (value, sum.1 || isOver)
        }
        guard !isTooMuch, total <= Self.freeBytes || total / Self.mostRatio <= packed else {
            throw ExportError(
                kind: .malformed, file: file.name,
                problem: "its members would inflate to more than \(Self.mostRatio) times their size",
                remedy: "if that is right, unpack it and give the files themselves")
        }
    }

    package func member(named name: String) -> Member? { members.first { $0.name == name } }

    /// The bytes of a member. Whatever is wrong with them is an error at the latest when the last one is read.
    ///
    /// - Parameter library: see `GzipStream`.
    package func open(_ member: Member, library: InflateLibrary? = nil) throws(ExportError) -> any ByteStream {
        let name = file.name
        guard !member.isEncrypted else {
            throw ExportError(
                kind: .malformed, file: name, problem: "the member is encrypted with a password",
                remedy: "unpack it with its password and give the file itself")
        }
        let header = try ZipEnd.bytes(file, at: member.offset, count: 30)
        guard header.starts(with: FileKind.zipMember) else {
            throw Self.damage(file, "the header of a member is damaged")
        }
        let start = member.offset + 30 + header.number(26, 2) + header.number(28, 2)
        guard start + member.compressedBytes <= file.size ?? 0 else {
            throw Self.damage(file, "a member ends outside of it")
        }
        let packed = FileStretch(file, from: start, count: member.compressedBytes)
        switch member.method {
        case 0:
            return CheckedStream(packed, bytes: member.bytes, crc32: member.crc32, name: name)
        case 8:
            let framed = FramedDeflate(packed, crc32: member.crc32, bytes: member.bytes)
            return CheckedStream(
                try GzipStream(source: framed, name: name, library: library), bytes: member.bytes, crc32: nil,
                name: name)
        case 93:
            return CheckedStream(
                try ZstdStream(source: packed, name: name), bytes: member.bytes, crc32: member.crc32, name: name)
        default:
            throw ExportError(
                kind: .malformed, file: name,
                problem: "the member is compressed by method \(member.method), which is not read",
                remedy: "pack it again with the usual method (deflate), or unpack it and give the file itself")
        }
    }

    private static func extra(_ file: ExportFile, _ problem: String) -> ExportError {
        ExportError(
            kind: .damaged, file: file.name, problem: "\(problem), as if several files were joined",
            remedy: "give each archive as a file of its own, or pack their members into one")
    }

    static func damage(_ file: ExportFile, _ problem: String) -> ExportError {
        ExportError(
            kind: .damaged, file: file.name, problem: "\(problem), so it is no whole zip file",
            remedy: "fetch or export the file again; nothing of it was loaded")
    }
}

extension ZipDirectory.Member {
    /// Takes the next entry of the directory; nil if it is none.
    fileprivate init?(_ bytes: inout ArraySlice<UInt8>, shift: Int) {
        let entry = Array(bytes.prefix(46))
        guard entry.count == 46, entry.number(0, 4) == 0x0201_4B50 else { return nil }
        let nameLength = entry.number(28, 2), extraLength = entry.number(30, 2), commentLength = entry.number(32, 2)
        guard bytes.count >= 46 + nameLength + extraLength + commentLength else { return nil }
        let start = bytes.startIndex + 46
        name = String(decoding: bytes[start..<start + nameLength], as: UTF8.self)
        var extra = bytes[start + nameLength..<start + nameLength + extraLength]
        bytes = bytes[(start + nameLength + extraLength + commentLength)...]
        isEncrypted = entry.number(8, 2) & 1 != 0
        crc32 = UInt32(truncatingIfNeeded: entry.number(16, 4))
        var sizes = [entry.number(24, 4), entry.number(20, 4), entry.number(42, 4)]
        var declared = entry.number(10, 2)
        while extra.count >= 4 {
            let field = Array(extra.prefix(4))
            let length = field.number(2, 2)
            guard extra.count >= 4 + length else { return nil }
            var data = Array(extra.dropFirst(4).prefix(length))
            if field.number(0, 2) == 1 {
                // zip64: of the numbers that do not fit, in this order.
                for place in sizes.indices where sizes[place] == 0xFFFF_FFFF {
                    guard data.count >= 8, let value = data.largeNumber(0) else { return nil }
                    sizes[place] = value
                    data = Array(data.dropFirst(8))
                }
            } else if field.number(0, 2) == 0x9901 {
                declared = 99
            }
            extra = extra.dropFirst(4 + length)
        }
        method = declared
        (bytes: self.bytes, compressedBytes, offset) = (sizes[0], sizes[1], sizes[2] + shift)
        guard offset >= 0, offset < 1 << 60, compressedBytes < 1 << 60 else { return nil }
    }
}

/// What the end of a zip file says about its directory.
struct ZipEnd {
    var entries: Int
    var directoryBytes: Int
    var directoryOffset: Int
    /// Bytes before the archive, such as a program that unpacks it.
    var shift: Int
    /// Whether anything but zeros and blanks follows the end.
    var hasBytesBehind: Bool

    private static let endBytes = 22
    private static let mostCommentBytes = 65_535

    init(_ file: ExportFile) throws(ExportError) {
        guard let size = file.size else {
            throw ExportError(
                kind: .unreadable, file: file.name,
                problem: "it is a zip file from a pipe, and its directory is at its end",
                remedy: "give it as a file")
        }
        let length = min(size, Self.endBytes + Self.mostCommentBytes)
        let tail = try Self.bytes(file, at: size - length, count: length)
        let place = tail.indices.reversed().first { at in
            at + Self.endBytes <= tail.count && tail.number(at, 4) == 0x0605_4B50
                && at + Self.endBytes + tail.number(at + 20, 2) <= tail.count
        }
        guard let place else { throw ZipDirectory.damage(file, "its end is missing") }
        hasBytesBehind = tail[(place + Self.endBytes + tail.number(place + 20, 2))...].contains { $0 > 0x20 }
        entries = tail.number(place + 10, 2)
        directoryBytes = tail.number(place + 12, 4)
        directoryOffset = tail.number(place + 16, 4)
        var end = size - length + place
        if entries == 0xFFFF || directoryBytes == 0xFFFF_FFFF || directoryOffset == 0xFFFF_FFFF, end >= 20 {
            let locator = try Self.bytes(file, at: end - 20, count: 20)
            if locator.number(0, 4) == 0x0706_4B50, var offset = locator.largeNumber(8), offset + 56 <= end {
                var record = try Self.bytes(file, at: offset, count: 56)
                let isNext = record.largeNumber(4).map { offset + 12 + $0 == end - 20 } ?? false
                if record.number(0, 4) != 0x0606_4B50 || !isNext, end >= 76 {
                    // Behind other data, perhaps another archive, the record lies right before what locates it.
                    offset = end - 76
                    record = try Self.bytes(file, at: offset, count: 56)
                }
                guard record.number(0, 4) == 0x0606_4B50, let count = record.largeNumber(32),
                    let bytes = record.largeNumber(40), let start = record.largeNumber(48)
                else { throw ZipDirectory.damage(file, "its end is damaged") }
                (entries, directoryBytes, directoryOffset, end) = (count, bytes, start, offset)
            }
        }
        shift = end - directoryBytes - directoryOffset
        directoryOffset += shift
        guard shift >= 0, directoryOffset >= 0, directoryOffset + directoryBytes <= size else {
            throw ZipDirectory.damage(file, "its directory lies outside of it")
        }
    }

    /// So many bytes of the file, which must be there.
    static func bytes(_ file: ExportFile, at offset: Int, count: Int) throws(ExportError) -> [UInt8] {
        guard offset >= 0, count >= 0, count <= 1 << 28 else { throw ZipDirectory.damage(file, "it is damaged") }
        var stream = FileStream(file, from: offset)
        let bytes = count == 0 ? [] : try stream.take(count)
        guard bytes.count == count else { throw ZipDirectory.damage(file, "it ends early") }
        return bytes
    }
}

extension [UInt8] {
    /// A number of so many bytes, the lowest first; 0 where they are not there.
    fileprivate func number(_ at: Int, _ width: Int) -> Int {
        guard at >= 0, at + width <= count else { return 0 }
        return (0..<width).reduce(0) { $0 | Int(self[at + $1]) << (8 * $1) }
    }

    /// A number of eight bytes; nil if it is larger than any file.
    fileprivate func largeNumber(_ at: Int) -> Int? {
        guard at + 8 <= count, self[at + 7] < 0x10 else { return nil }
        return number(at, 8)
    }
}

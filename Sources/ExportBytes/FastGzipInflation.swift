import CFastInflate
import CZlib

/// A gzip file by ISA-L, which inflates the bare deflate data: headers and trailers (RFC 1952) are read here, as zlib reads them.
final class FastGzipInflation: GzipInflation {
    private enum State {
        case beforeMember, inDeflate, afterDeflate, done
    }

    private let inflater: FastInflater
    private var source: any ByteStream
    private let name: String
    private var state = State.beforeMember
    private var membersStarted = 0
    private var inflated = 0

    /// Invariant: all of it is initialised, and `input[next ..< end]` are bytes that were read and are not used yet.
    private let input: UnsafeMutablePointer<UInt8>
    private var next = FastGzipInflation.pushedCapacity
    private var end = FastGzipInflation.pushedCapacity
    private var isAtEnd = false
    private static let inputCapacity = 1 << 17
    /// Room before the input for the bytes that the inflater has read too many.
    private static let pushedCapacity = 8

    init(_ inflater: FastInflater, source: any ByteStream, name: String) {
        self.inflater = inflater
        self.source = source
        self.name = name
        input = .allocate(capacity: Self.pushedCapacity + Self.inputCapacity)
        input.initialize(repeating: 0, count: Self.pushedCapacity + Self.inputCapacity)
    }

    deinit { input.wipeAndDeallocate(count: Self.pushedCapacity + Self.inputCapacity) }

    func read(into room: UInt, count: Int) throws(ExportError) -> Int {
        guard count > 0, let room = UnsafeMutablePointer<UInt8>(bitPattern: room) else { return 0 }
        var made = 0
        while made < count, state != .done {
            switch state {
            case .beforeMember:
                state = try readHeader() ? .inDeflate : .done
                if state == .inDeflate { inflater.begin() }
            case .inDeflate:
                if next == end { try fill() }
                // `room` has `count` bytes, of which `made` are written; the input is as the invariant says.
                let (status, read, written) = inflater.run(
                    input + next, count: end - next, into: room + made, count: count - made)
                next += read
                made += written
                switch status {
                case FAST_INFLATE_GO_ON:
                    if written == 0, next == end, isAtEnd { throw damage(.truncated) }
                    if written == 0, read == 0, next < end { throw damage(.wrongData) }
                case FAST_INFLATE_END:
                    pushBack(inflater.unread())
                    state = .afterDeflate
                default: throw damage(.wrongData)
                }
            case .afterDeflate:
                try readTrailer()
                state = .beforeMember
            case .done: break
            }
        }
        inflated += made
        return made
    }

    private func fill() throws(ExportError) {
        guard !isAtEnd else { return }
        let got = try source.read(into: input + Self.pushedCapacity, count: Self.inputCapacity)
        next = Self.pushedCapacity
        end = next + got
        isAtEnd = got == 0
    }

    /// Bytes that come before those at `next`: there is room for 8 before the input, and none is there yet, since the inflater
    /// has used more of the input than it gives back, or the input of before.
    private func pushBack(_ bytes: [UInt8]) {
        next -= bytes.count
        for (place, byte) in bytes.enumerated() { input[next + place] = byte }
    }

    /// The next byte; nil at the end of the file.
    private func byte() throws(ExportError) -> UInt8? {
        if next == end { try fill() }
        guard next < end else { return nil }
        next += 1
        return input[next - 1]
    }

    /// The next byte of a header or trailer, which must be there.
    private func wantedByte() throws(ExportError) -> UInt8 {
        guard let byte = try byte() else { throw damage(.truncated) }
        return byte
    }

    // MARK: - RFC 1952

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let headerCRC = Flags(rawValue: 2)
        static let extra = Flags(rawValue: 4)
        static let name = Flags(rawValue: 8)
        static let comment = Flags(rawValue: 16)
        static let reserved = Flags(rawValue: 0xE0)
    }

    /// False at the end of the file.
    private func readHeader() throws(ExportError) -> Bool {
        var first = try byte()
        // Some writers pad the file with zeros after the last member, as gzip(1) accepts.
        if membersStarted > 0 { while first == 0 { first = try byte() } }
        guard let first else { return false }
        membersStarted += 1
        // A name may be as long as the file: no byte of the header is kept.
        var sum = Self.crc(0, first)
        func take() throws(ExportError) -> UInt8 {
            let byte = try wantedByte()
            sum = Self.crc(sum, byte)
            return byte
        }
        guard try take() == 0x8B, first == 0x1F else { throw damage(.wrongData) }
        let method = try take(), flags = Flags(rawValue: try take())
        guard method == 8, flags.isDisjoint(with: .reserved) else { throw damage(.wrongData) }
        // Time, extra flags, system.
        for _ in 0..<6 { _ = try take() }
        if flags.contains(.extra) {
            let length = try Int(take()) | Int(take()) << 8
            for _ in 0..<length { _ = try take() }
        }
        if flags.contains(.name) { while try take() != 0 {} }
        if flags.contains(.comment) { while try take() != 0 {} }
        if flags.contains(.headerCRC) {
            let wanted = UInt16(truncatingIfNeeded: sum)
            guard try UInt16(wantedByte()) | UInt16(wantedByte()) << 8 == wanted else { throw damage(.wrongData) }
        }
        return true
    }

    private static func crc(_ sum: UInt, _ byte: UInt8) -> UInt {
        var byte = byte
        return crc32(sum, &byte, 1)
    }

    private func readTrailer() throws(ExportError) {
        guard try word() == inflater.crc, try word() == inflater.length else { throw damage(.wrongData) }
    }

    private func word() throws(ExportError) -> UInt32 {
        var word: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) { word |= UInt32(try wantedByte()) << shift }
        return word
    }

    private func damage(_ damage: GzipDamage) -> ExportError { damage.error(file: name, offset: inflated) }
}

/// ISA-L, if it is installed. It owns its memory.
final class FastInflater {
    private let inflater: OpaquePointer

    /// Nil where the library is not installed.
    init?() {
        guard let made = fast_inflate_make() else { return nil }
        inflater = made
    }

    deinit { fast_inflate_free(inflater) }

    func begin() { fast_inflate_begin(inflater) }

    /// - Precondition: `input` has `inputCount` readable bytes, `output` room for `outputCount`.
    func run(
        _ input: UnsafePointer<UInt8>, count inputCount: Int, into output: UnsafeMutablePointer<UInt8>,
        count outputCount: Int
    ) -> (status: fast_inflate_status, read: Int, written: Int) {
        var next: UnsafePointer<UInt8>? = input, left = inputCount
        var target: UnsafeMutablePointer<UInt8>? = output, room = outputCount
        let status = fast_inflate_run(inflater, &next, &left, &target, &room)
        return (status, inputCount - left, outputCount - room)
    }

    /// Of the output of the stream that has ended.
    var crc: UInt32 { fast_inflate_crc(inflater) }
    var length: UInt32 { fast_inflate_length(inflater) }

    /// The bytes behind the stream that has ended which were read already.
    func unread() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = fast_inflate_unread(inflater, &bytes)
        return Array(bytes[..<count])
    }
}

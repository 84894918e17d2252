import ExportBytes
import Profiles

/// UTF-8 made of UTF-16 or Windows-1252 text, chunk by chunk.
///
/// A lone surrogate or an unassigned byte becomes U+FFFD; nothing is dropped, so no record is lost to bad text.
struct TranscodingStream: ByteStream {
    private var source: any ByteStream
    private let encoding: TextEncoding
    private var raw: [UInt8]
    private var pending: [UInt8] = []
    private var pendingStart = 0
    private var leftover: [UInt8] = []
    private var highSurrogate: UInt32?
    private var isDone = false

    private static let chunkBytes = 1 << 16

    init(source: any ByteStream, encoding: TextEncoding) {
        self.source = source
        self.encoding = encoding
        raw = Array(repeating: 0, count: Self.chunkBytes)
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        while pendingStart == pending.count {
            if isDone { return 0 }
            try fill()
        }
        let taken = min(count, pending.count - pendingStart)
        for index in 0..<taken { target[index] = pending[pendingStart + index] }
        pendingStart += taken
        return taken
    }

    private mutating func fill() throws(ExportError) {
        pending.removeAll(keepingCapacity: true)
        pendingStart = 0
        var source = source
        var failure: ExportError?
        let got = raw.withUnsafeMutableBufferPointer { buffer -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            do throws(ExportError) {
                return try source.read(into: base, count: buffer.count)
            } catch {
                failure = error
                return 0
            }
        }
        self.source = source
        if let failure { throw failure }
        if got == 0 {
            isDone = true
            if highSurrogate != nil || !leftover.isEmpty { append(0xFFFD) }
            return
        }
        switch encoding {
        case .windows1252: for index in 0..<got { append(Self.windows1252[Int(raw[index])]) }
        case .utf8: pending.append(contentsOf: raw[0..<got])
        case .utf16LittleEndian, .utf16BigEndian: decodeUTF16(got)
        }
    }

    private mutating func decodeUTF16(_ got: Int) {
        let bytes = leftover + raw[0..<got]
        let isBig = encoding == .utf16BigEndian
        var at = 0
        while at + 1 < bytes.count {
            let unit = UInt32(bytes[at + (isBig ? 0 : 1)]) << 8 | UInt32(bytes[at + (isBig ? 1 : 0)])
            at += 2
            if let high = highSurrogate {
                highSurrogate = nil
                if (0xDC00...0xDFFF).contains(unit) {
                    append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
                    continue
                }
                append(0xFFFD)
            }
            if (0xD800...0xDBFF).contains(unit) {
                highSurrogate = unit
            } else {
                append((0xDC00...0xDFFF).contains(unit) ? 0xFFFD : unit)
            }
        }
        leftover = Array(bytes[at...])
    }

    private mutating func append(_ scalar: UInt32) {
        if scalar < 0x80 {
            pending.append(UInt8(scalar))
        } else {
            let encoded = Unicode.Scalar(scalar).flatMap { UTF8.encode($0) }
            pending.append(contentsOf: encoded ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Scalars by byte, after the WHATWG Encoding Standard (the five unassigned bytes map to C1 controls there).
    private static let windows1252: [UInt32] = {
        var table = (0..<256).map { UInt32($0) }
        let high: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        for (index, scalar) in high.enumerated() { table[0x80 + index] = scalar }
        return table
    }()
}

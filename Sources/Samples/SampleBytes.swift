/// A growing buffer of UTF-8 text with the few ways of writing that samples need. Its memory is reused.
struct SampleBytes {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    @inline(__always)
    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    @inline(__always)
    mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    @inline(__always)
    mutating func append(_ text: ArraySlice<UInt8>) { bytes.append(contentsOf: text) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func removeLast(_ count: Int) { bytes.removeLast(count) }

    @inline(__always)
    mutating func append(twoDigits value: Int) {
        bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 10))
        bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }

    /// A number from 0, with leading zeros up to `width`.
    @inline(__always)
    mutating func append(number value: Int, width: Int = 1) {
        var divisor = 1, digits = 1
        while digits < width || value / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}

import Foundation

/// CSV that is being written, and read from its front.
struct CSVBuffer: ~Copyable {
    /// Invariant: `bytes[first ..< end]` are written and not read yet; `end <= capacity`.
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity = 1 << 16
    private var first = 0
    private var end = 0

    init() { bytes = .allocate(capacity: capacity) }

    deinit { bytes.wipeAndDeallocate(count: capacity) }

    var count: Int { end - first }

    /// Makes room for so many bytes behind the last.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if end + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: (count + more) * 2)
        larger.update(from: bytes + first, count: count)
        bytes.wipeAndDeallocate(count: capacity)
        bytes = larger
        capacity = (count + more) * 2
        end -= first
        first = 0
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        bytes[end] = byte
        end += 1
    }

    @inline(__always)
    mutating func append(_ byte: UInt8, count: Int) {
        reserve(count)
        memset(bytes + end, Int32(byte), count)
        end += count
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let base = text.baseAddress else { return }
        reserve(text.count)
        memcpy(bytes + end, base, text.count)
        end += text.count
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number with zeros before it, so that it has as many digits at least.
    @inline(__always)
    mutating func append(_ number: Int, digits: Int) {
        var size = digits, limit = digits == 2 ? 100 : 10_000
        while number >= limit, size < 18 {
            size += 1
            limit *= 10
        }
        reserve(size)
        var rest = number, at = end + size
        while at > end {
            at -= 1
            bytes[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        end += size
    }

    /// Appends a text as a field: in quotation marks where it has a comma, a quotation mark or a line end.
    mutating func appendField(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
            return append(text)
        }
        append(0x22)
        for byte in text {
            if byte == 0x22 { append(0x22) }
            append(byte)
        }
        append(0x22)
    }

    /// Moves at most `count` bytes to the target, which has room for them.
    mutating func take(into target: UnsafeMutablePointer<UInt8>, count wanted: Int) -> Int {
        let taken = min(wanted, count)
        memcpy(target, bytes + first, taken)
        first += taken
        if first == end {
            first = 0
            end = 0
        } else if first > capacity / 2 {
            memmove(bytes, bytes + first, count)
            end -= first
            first = 0
        }
        return taken
    }

    /// The bytes that are not read yet.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: bytes + first, count: count))
    }
}

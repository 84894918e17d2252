import Basics
import Files
import KPIs
import Keys
import Trips

/// Facts as lines of text: the values in the order of `FactColumn`, with tabs between them.
struct FactRows {
    /// Kept from line to line: making it takes longer than filling it.
    private var buffer = [UInt8](repeating: 0, count: FactRows.bufferBytes)
    private var count = 0

    private static let bufferBytes = 1 << 18
    /// More than any line has: 23 numbers of at most 20 characters, each with what comes after it.
    private static let mostBytesOfALine = 512

    var isEmpty: Bool { count == 0 }

    /// Whether one more line may not fit.
    var isFull: Bool { count > Self.bufferBytes - Self.mostBytesOfALine }

    /// In place: a copy would take longer than writing them.
    var lines: ArraySlice<UInt8> { buffer[..<count] }

    mutating func removeAll() { count = 0 }

    /// Adds the rows of a batch from one on, as long as they fit.
    ///
    /// - Parameters:
    ///   - batch: with versions, whose `keyHashes` and `keyCheck` are the pseudonyms of the trips.
    ///   - first: the row to begin with.
    ///   - pseudonyms: of the key.
    /// - Returns: the row to go on with.
    mutating func append(_ batch: borrowing TripBatch, from first: Int, pseudonyms: borrowing Pseudonymizer) -> Int {
        var row = first, at = count
        var bytes = buffer.mutableSpan, buffer = bytes.mutableBytes
        while row < batch.count, at <= Self.bufferBytes - Self.mostBytesOfALine {
            let content = pseudonyms.content(ofHash: batch.versions[row].contentHash)
            Self.put(batch, row: row, content: content, &buffer, &at)
            row += 1
        }
        count = at
        return row
    }

    /// A line.
    ///
    /// - Parameter content: a number for the record's bytes.
    private static func put(
        _ batch: borrowing TripBatch, row: Int, content: Int64, _ buffer: inout MutableRawSpan, _ at: inout Int
    ) {
        let stamp = batch.versions[row]
        put(Int(Int64(bitPattern: batch.keyHashes[row])), &buffer, &at)
        put(Int(Int64(bitPattern: stamp.keyCheck)), &buffer, &at)
        put(stamp.version.updatedAt, missing: .min, &buffer, &at)
        put(stamp.version.sequence, missing: .min, &buffer, &at)
        put(RecordLocation(batch.offsets[row]).offset, &buffer, &at)
        put(Int(content), &buffer, &at)
        put(Month(index: batch.month[row]).name, &buffer, &at)
        put(Int(batch.day[row]), &buffer, &at)
        put(Int(batch.status[row]), &buffer, &at)
        put(Int(batch.region[row]), &buffer, &at)
        put(Int(batch.tripType[row]), &buffer, &at)
        put(Int(batch.sourcing[row]), &buffer, &at)
        for interval in 0..<KPITally.intervalCount {
            put(Int(max(-1, batch.intervals[interval][row])), missing: -1, &buffer, &at)
        }
        put(batch.costCents[row], missing: AmountState.absent, &buffer, &at)
        put(batch.loadedHundredths[row], missing: AmountState.absent, &buffer, &at)
        put(batch.unloadedHundredths[row], missing: AmountState.absent, &buffer, &at)
        put(Int(Int64(bitPattern: batch.patientHashes[row])), missing: 0, &buffer, &at)
        put(Int(batch.warnings[row]), &buffer, &at)
        // In place of the last tab.
        buffer.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: at - 1, as: UInt8.self)
    }

    /// A number that may be missing, with a tab.
    private static func put(_ number: Int, missing: Int, _ buffer: inout MutableRawSpan, _ at: inout Int) {
        guard number == missing else { return put(number, &buffer, &at) }
        put(UInt8(ascii: "\t"), &buffer, &at)
    }

    /// A number with a tab. It fits.
    private static func put(_ number: Int, _ buffer: inout MutableRawSpan, _ at: inout Int) {
        let magnitude = number.magnitude
        if number < 0 { put(UInt8(ascii: "-"), &buffer, &at) }
        if magnitude < 10 {
            put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude), &buffer, &at)
        } else if magnitude < 100_000_000 {
            putFirst(magnitude, &buffer, &at)
        } else {
            let (upper, lower) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
            if upper < 100_000_000 {
                putFirst(upper, &buffer, &at)
            } else {
                let (first, second) = upper.quotientAndRemainder(dividingBy: 100_000_000)
                putFirst(first, &buffer, &at)
                putEight(second, &buffer, &at)
            }
            putEight(lower, &buffer, &at)
        }
        put(UInt8(ascii: "\t"), &buffer, &at)
    }

    @inline(__always)
    private static func put(_ byte: UInt8, _ buffer: inout MutableRawSpan, _ at: inout Int) {
        buffer.storeBytes(of: byte, toByteOffset: at, as: UInt8.self)
        at += 1
    }

    /// The digits of a number from 1 to 10⁸ - 1, without leading zeros. What is beyond them is written over later.
    private static func putFirst(_ number: UInt, _ buffer: inout MutableRawSpan, _ at: inout Int) {
        let digits = DecimalDigits.eight(UInt32(truncatingIfNeeded: number))
        let zeros = digits.trailingZeroBitCount / 8
        let text = (digits | DecimalDigits.characters) >> UInt64(8 * zeros)
        buffer.storeBytes(of: text.littleEndian, toByteOffset: at, as: UInt64.self)
        at += 8 - zeros
    }

    /// Eight digits of a number below 10⁸.
    private static func putEight(_ number: UInt, _ buffer: inout MutableRawSpan, _ at: inout Int) {
        let text = DecimalDigits.eight(UInt32(truncatingIfNeeded: number)) | DecimalDigits.characters
        buffer.storeBytes(of: text.littleEndian, toByteOffset: at, as: UInt64.self)
        at += 8
    }
}

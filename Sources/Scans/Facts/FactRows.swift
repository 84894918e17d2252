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

    /// The lines, which are gone afterwards.
    mutating func take() -> [UInt8] {
        defer { count = 0 }
        return Array(buffer[..<count])
    }

    /// Adds the rows of a batch from one on, as long as they fit.
    ///
    /// - Parameters:
    ///   - batch: with versions, whose `keyHashes` and `keyCheck` are the pseudonyms of the trips.
    ///   - first: the row to begin with.
    ///   - pseudonyms: of the key.
    /// - Returns: the row to go on with.
    mutating func append(_ batch: borrowing TripBatch, from first: Int, pseudonyms: borrowing Pseudonymizer) -> Int {
        var row = first, at = count
        var buffer = buffer.mutableSpan
        while row < batch.count, at <= Self.bufferBytes - Self.mostBytesOfALine {
            let content = pseudonyms.record(contentHash: batch.versions[row].contentHash)
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
        _ batch: borrowing TripBatch, row: Int, content: Int64, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int
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
        buffer[at - 1] = UInt8(ascii: "\n")
    }

    /// A number that may be missing, with a tab.
    private static func put(_ number: Int, missing: Int, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        guard number == missing else { return put(number, &buffer, &at) }
        buffer[at] = UInt8(ascii: "\t")
        at += 1
    }

    /// A number with a tab. It fits.
    private static func put(_ number: Int, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        let magnitude = number.magnitude
        if number < 0 {
            buffer[at] = UInt8(ascii: "-")
            at += 1
        }
        // Eight digits at a time: a division of 64 bits for each digit takes a sixth of all the time.
        if magnitude < 100_000_000 {
            putFirst(UInt32(truncatingIfNeeded: magnitude), &buffer, &at)
        } else {
            let (upper, lower) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
            if upper < 100_000_000 {
                putFirst(UInt32(truncatingIfNeeded: upper), &buffer, &at)
            } else {
                let (first, second) = upper.quotientAndRemainder(dividingBy: 100_000_000)
                putFirst(UInt32(truncatingIfNeeded: first), &buffer, &at)
                putEight(UInt32(truncatingIfNeeded: second), &buffer, &at)
            }
            putEight(UInt32(truncatingIfNeeded: lower), &buffer, &at)
        }
        buffer[at] = UInt8(ascii: "\t")
        at += 1
    }

    /// The digits of a number below 10⁸, without leading zeros.
    private static func putFirst(_ number: UInt32, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        var digits = 1
        var bound: UInt32 = 10
        while number >= bound {
            digits += 1
            bound &*= 10
        }
        var rest = number, place = at + digits
        at = place
        repeat {
            let next = rest / 10
            place -= 1
            buffer[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
        } while rest > 0
    }

    /// Eight digits of a number below 10⁸.
    private static func putEight(_ number: UInt32, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        putFour(number / 10_000, &buffer, at)
        putFour(number % 10_000, &buffer, at + 4)
        at += 8
    }

    @inline(__always)
    private static func putFour(_ number: UInt32, _ buffer: inout MutableSpan<UInt8>, _ at: Int) {
        let upper = number / 100, lower = number % 100, zero = UInt8(ascii: "0")
        buffer[at] = zero &+ UInt8(truncatingIfNeeded: upper / 10)
        buffer[at + 1] = zero &+ UInt8(truncatingIfNeeded: upper % 10)
        buffer[at + 2] = zero &+ UInt8(truncatingIfNeeded: lower / 10)
        buffer[at + 3] = zero &+ UInt8(truncatingIfNeeded: lower % 10)
    }
}

import KPIs
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

    /// - Precondition: it is not full.
    /// - Parameters:
    ///   - batch: with versions, whose `keyHashes` and `keyCheck` are the pseudonyms of the trips.
    ///   - content: a number for the record's bytes.
    mutating func append(_ batch: borrowing TripBatch, row: Int, content: Int64) {
        precondition(!isFull)
        let stamp = batch.versions[row]
        var at = count
        var buffer = buffer.mutableSpan
        Self.put(Int(Int64(bitPattern: batch.keyHashes[row])), &buffer, &at)
        Self.put(Int(Int64(bitPattern: stamp.keyCheck)), &buffer, &at)
        Self.put(stamp.version.updatedAt, missing: .min, &buffer, &at)
        Self.put(stamp.version.sequence, missing: .min, &buffer, &at)
        Self.put(RecordLocation(batch.offsets[row]).offset, &buffer, &at)
        Self.put(Int(content), &buffer, &at)
        Self.put(Month(index: batch.month[row]).name, &buffer, &at)
        Self.put(Int(batch.day[row]), &buffer, &at)
        Self.put(Int(batch.status[row]), &buffer, &at)
        Self.put(Int(batch.region[row]), &buffer, &at)
        Self.put(Int(batch.tripType[row]), &buffer, &at)
        Self.put(Int(batch.sourcing[row]), &buffer, &at)
        for interval in 0..<KPITally.intervalCount {
            Self.put(Int(max(-1, batch.intervals[interval][row])), missing: -1, &buffer, &at)
        }
        Self.put(batch.costCents[row], missing: AmountState.absent, &buffer, &at)
        Self.put(batch.loadedHundredths[row], missing: AmountState.absent, &buffer, &at)
        Self.put(batch.unloadedHundredths[row], missing: AmountState.absent, &buffer, &at)
        Self.put(Int(Int64(bitPattern: batch.patientHashes[row])), missing: 0, &buffer, &at)
        Self.put(Int(batch.warnings[row]), &buffer, &at)
        // In place of the last tab.
        buffer[at - 1] = UInt8(ascii: "\n")
        count = at
    }

    /// A number that may be missing, with a tab.
    private static func put(_ number: Int, missing: Int, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        guard number == missing else { return put(number, &buffer, &at) }
        buffer[at] = UInt8(ascii: "\t")
        at += 1
    }

    /// A number with a tab. It fits.
    private static func put(_ number: Int, _ buffer: inout MutableSpan<UInt8>, _ at: inout Int) {
        var rest = number.magnitude
        if number < 0 {
            buffer[at] = UInt8(ascii: "-")
            at += 1
        }
        var digits = 1, probe = rest
        while probe >= 100 {
            probe /= 100
            digits += 2
        }
        if probe >= 10 { digits += 1 }
        let end = at + digits
        var place = end
        repeat {
            let next = rest / 10
            place -= 1
            buffer[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
        } while rest > 0
        buffer[end] = UInt8(ascii: "\t")
        at = end + 1
    }
}

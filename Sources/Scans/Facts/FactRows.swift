import KPIs
import Trips

/// Facts as lines of text: the values in the order of `FactColumn`, with tabs between them.
struct FactRows {
    /// Kept from line to line: making it takes longer than filling it.
    private var room = [UInt8](repeating: 0, count: FactRows.roomBytes)
    private var count = 0

    private static let roomBytes = 1 << 18
    /// More than any line has: 23 numbers of at most 20 characters, each with what comes after it.
    private static let mostBytesOfALine = 512

    var isEmpty: Bool { count == 0 }

    /// Whether there may be no room for one more line.
    var isFull: Bool { count > Self.roomBytes - Self.mostBytesOfALine }

    /// The lines, which are gone afterwards.
    mutating func take() -> [UInt8] {
        defer { count = 0 }
        return Array(room[..<count])
    }

    /// - Precondition: it is not full.
    /// - Parameters:
    ///   - batch: with versions, whose `keyHashes` and `keyCheck` are the pseudonyms of the trips.
    ///   - content: what stands for the record's bytes.
    mutating func append(_ batch: borrowing TripBatch, row: Int, content: Int64) {
        precondition(!isFull)
        let stamp = batch.versions[row], month = Int(batch.month[row])
        var at = count
        var room = room.mutableSpan
        Self.put(Int(Int64(bitPattern: batch.keyHashes[row])), &room, &at)
        Self.put(Int(Int64(bitPattern: stamp.keyCheck)), &room, &at)
        Self.put(stamp.version.updatedAt, missing: .min, &room, &at)
        Self.put(stamp.version.sequence, missing: .min, &room, &at)
        Self.put(RecordLocation(batch.offsets[row]).offset, &room, &at)
        Self.put(Int(content), &room, &at)
        Self.put(month / 12 * 100 + month % 12 + 1, &room, &at)
        Self.put(Int(batch.day[row]), &room, &at)
        Self.put(Int(batch.status[row]), &room, &at)
        Self.put(Int(batch.region[row]), &room, &at)
        Self.put(Int(batch.tripType[row]), &room, &at)
        Self.put(Int(batch.sourcing[row]), &room, &at)
        for interval in 0..<KPITally.intervalCount {
            Self.put(Int(max(-1, batch.intervals[interval][row])), missing: -1, &room, &at)
        }
        Self.put(batch.costCents[row], missing: AmountState.absent, &room, &at)
        Self.put(batch.loadedHundredths[row], missing: AmountState.absent, &room, &at)
        Self.put(batch.unloadedHundredths[row], missing: AmountState.absent, &room, &at)
        Self.put(Int(Int64(bitPattern: batch.patientHashes[row])), missing: 0, &room, &at)
        Self.put(Int(batch.warnings[row]), &room, &at)
        // In place of the last tab.
        room[at - 1] = UInt8(ascii: "\n")
        count = at
    }

    /// A number that may be missing, with a tab.
    private static func put(_ number: Int, missing: Int, _ room: inout MutableSpan<UInt8>, _ at: inout Int) {
        guard number == missing else { return put(number, &room, &at) }
        room[at] = UInt8(ascii: "\t")
        at += 1
    }

    /// A number with a tab. There is room for it.
    private static func put(_ number: Int, _ room: inout MutableSpan<UInt8>, _ at: inout Int) {
        var rest = number.magnitude
        if number < 0 {
            room[at] = UInt8(ascii: "-")
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
            room[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
        } while rest > 0
        room[end] = UInt8(ascii: "\t")
        at = end + 1
    }
}

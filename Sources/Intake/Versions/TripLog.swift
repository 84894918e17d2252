package import Trips

/// What each trip of an export added to the numbers, packed, so that it can be taken out again: for exports that cannot
/// be read twice (compressed, transcoded, piped). About 45 bytes a record; no identifier, only hashes.
package struct TripLog: Sendable {
    private var chunks: [[UInt8]] = []
    /// The record being packed: 21 fields of at most ten bytes.
    private var writer = Writer()
    private static let chunkBytes = 1 << 20

    package init() {}

    /// Packs row `row` of a batch with versions; where it can be found again.
    package mutating func append(_ batch: TripBatch, row: Int) -> Int {
        writer.restart()
        Self.pack(batch, row, &writer)
        let length = writer.count
        if (chunks.last?.count ?? Self.chunkBytes) + length > Self.chunkBytes {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(Self.chunkBytes)
            chunks.append(chunk)
        }
        let last = chunks.count - 1
        let place = last * Self.chunkBytes + chunks[last].count
        chunks[last].append(contentsOf: writer.bytes[0..<length])
        return place
    }

    private static func pack(_ batch: TripBatch, _ row: Int, _ writer: inout Writer) {
        let stamp = batch.versions[row]
        writer.fixed(stamp.keyCheck)
        writer.fixed(stamp.contentHash)
        writer.signed(stamp.version.updatedAt)
        writer.signed(stamp.version.sequence)
        writer.signed(batch.offsets[row])
        writer.byte(batch.status[row] | batch.sourcing[row] << 4)
        writer.byte(batch.region[row])
        writer.byte(batch.tripType[row])
        writer.signed(Int(batch.day[row]))
        writer.signed(Int(batch.warnings[row]))
        for interval in batch.intervals { writer.signed(Int(interval[row])) }
        writer.signed(batch.costCents[row])
        writer.signed(batch.loadedHundredths[row])
        writer.signed(batch.unloadedHundredths[row])
        writer.fixed(batch.patientHashes[row])
    }

    /// The stamp and offset of the record at `place`.
    func stamp(at place: Int) -> (stamp: TripVersionStamp, offset: Int) {
        var cursor = Cursor(chunks[place / Self.chunkBytes], at: place % Self.chunkBytes)
        return Self.stamp(&cursor)
    }

    private static func stamp(_ cursor: inout Cursor) -> (stamp: TripVersionStamp, offset: Int) {
        var stamp = TripVersionStamp()
        stamp.keyCheck = cursor.fixed()
        stamp.contentHash = cursor.fixed()
        stamp.version.updatedAt = cursor.signed()
        stamp.version.sequence = cursor.signed()
        return (stamp, cursor.signed())
    }

    /// Adds the record at `place` to a batch.
    func unpack(_ place: Int, into batch: inout TripBatch) {
        var cursor = Cursor(chunks[place / Self.chunkBytes], at: place % Self.chunkBytes)
        let row = batch.count
        _ = Self.stamp(&cursor)
        let codes = cursor.byte()
        batch.status[row] = codes & 0xF
        batch.sourcing[row] = codes >> 4
        batch.region[row] = cursor.byte()
        batch.tripType[row] = cursor.byte()
        let day = CivilDay(daysSince1970: Int32(truncatingIfNeeded: cursor.signed()))
        batch.day[row] = day.daysSince1970
        batch.month[row] = day.month.index
        batch.warnings[row] = UInt32(truncatingIfNeeded: cursor.signed())
        for index in batch.intervals.indices {
            batch.intervals[index][row] = Int32(truncatingIfNeeded: cursor.signed())
        }
        batch.costCents[row] = cursor.signed()
        batch.loadedHundredths[row] = cursor.signed()
        batch.unloadedHundredths[row] = cursor.signed()
        batch.patientHashes[row] = cursor.fixed()
        batch.count += 1
    }

    // MARK: - Varints

    /// Packs to an array that has room for it.
    private struct Writer {
        var bytes: [UInt8] = Array(repeating: 0, count: 256)
        private(set) var count = 0

        mutating func restart() { count = 0 }

        @inline(__always)
        mutating func byte(_ value: UInt8) {
            bytes[count] = value
            count &+= 1
        }

        mutating func fixed(_ value: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
        }

        /// Zigzag plus one, seven bits a byte; 0 stands for `Int.min`, the mark of absence. Values lie within ±2^62.
        mutating func signed(_ value: Int) {
            var rest = value == .min ? 0 : UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))) &+ 1
            while rest >= 0x80 {
                byte(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            byte(UInt8(rest))
        }
    }

    private struct Cursor {
        private let chunk: [UInt8]
        private var at: Int

        init(_ chunk: [UInt8], at: Int) {
            self.chunk = chunk
            self.at = at
        }

        mutating func byte() -> UInt8 {
            defer { at += 1 }
            return chunk[at]
        }

        mutating func fixed() -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(byte()) << shift }
            return value
        }

        mutating func signed() -> Int {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let next = byte()
                value |= UInt64(next & 0x7F) << shift
                if next < 0x80 { break }
                shift += 7
            }
            if value == 0 { return .min }
            value -= 1
            return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
        }
    }
}

import ExportBytes
import Trips

/// The needed fields of one record of an export, on their way to the trip that they are part of.
///
/// Packed: length of the rest, place, then of each slot a length (its upper bit: a bare number of JSON) and
/// the value's bytes. Numbers are little-endian.
struct SpooledRecord {
    var place: RecordPlace
    private let bytes: ArraySlice<UInt8>
    private let values: [(range: Range<Int>, isLiteral: Bool)]

    private static var headBytes: Int { 32 }
    private static var literal: UInt64 { 1 << 63 }

    /// The value in a slot, without outer blanks; empty where the record has none.
    subscript(slot: Int) -> ArraySlice<UInt8> { bytes[values[slot].range] }

    /// Whether the value is a bare number of JSON.
    func isLiteral(_ slot: Int) -> Bool { values[slot].isLiteral }

    // MARK: - Packing

    /// The bytes of the record in row `row` of a table of `slots` slots. Words for no value are none.
    static func pack(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int, slots: Int, words: NoValueWords,
        place: RecordPlace
    ) -> [UInt8] {
        var packed: [UInt8] = []
        append(0, to: &packed)
        append(UInt64(place.block), to: &packed)
        append(UInt64(place.recordInBlock), to: &packed)
        append(UInt64(place.byteOffset), to: &packed)
        for slot in 0..<slots {
            let span = FieldSpan(packed: table.column(slot)[row])
            let written = span.value(in: bytes)
            let value = words.hold(written) ? [] : written
            append(UInt64(value.count) | (span.isLiteral ? literal : 0), to: &packed)
            packed += value
        }
        let length = UInt64(packed.count)
        for byte in 0..<8 { packed[byte] = UInt8(truncatingIfNeeded: length >> UInt64(byte * 8)) }
        return packed
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(byte * 8))) }
    }

    /// The records that were packed one after another; zeros may follow them.
    static func unpack(_ bytes: [UInt8], slots: Int) -> [SpooledRecord] {
        var records: [SpooledRecord] = []
        var at = 0
        func number(at place: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
        }
        while at + headBytes <= bytes.count {
            let length = Int(truncatingIfNeeded: number(at: at))
            if length == 0 { break }
            var values: [(range: Range<Int>, isLiteral: Bool)] = []
            var from = at + headBytes
            for _ in 0..<slots {
                let head = number(at: from), start = from + 8
                from = start + Int(truncatingIfNeeded: head & ~literal)
                values.append((start..<from, head & literal != 0))
            }
            let place = RecordPlace(
                block: Int(number(at: at + 8)), recordInBlock: Int(number(at: at + 16)),
                byteOffset: Int(number(at: at + 24)))
            records.append(
                SpooledRecord(place: place, bytes: bytes[at..<at + length], values: values))
            at += length
        }
        return records
    }

    private init(
        place: RecordPlace, bytes: ArraySlice<UInt8>, values: [(range: Range<Int>, isLiteral: Bool)]
    ) {
        self.place = place
        self.bytes = bytes
        self.values = values
    }
}

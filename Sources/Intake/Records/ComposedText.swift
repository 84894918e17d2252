import ExportBytes
import Keys
import Trips

/// The records of the composed trips as text: a row of CSV for each trip, partition after partition. It holds one partition.
struct ComposedText: ByteStream {
    private let slotCount: Int
    private let tripSlots: (trip: Int, leg: Int?)
    private let composition: TripComposition
    private let pages: SealedPages
    private let numbers: @Sendable (_ partition: Int) -> [Int]
    private let note: @Sendable (_ origins: [RecordPlace], CompositionRemarks) -> Void
    private var partition = 0
    private var text: ArraySlice<UInt8> = []
    private var remarks = CompositionRemarks()

    /// - Parameters:
    ///   - slotCount: of the records.
    ///   - numbers: the pages of a partition.
    ///   - note: gets the first record of each trip of a partition, and the remarks so far.
    init(
        slotCount: Int, composition: TripComposition, pages: SealedPages,
        numbers: @escaping @Sendable (_ partition: Int) -> [Int],
        note: @escaping @Sendable (_ origins: [RecordPlace], CompositionRemarks) -> Void
    ) {
        self.slotCount = slotCount
        tripSlots = composition.tripSlots
        self.composition = composition
        self.pages = pages
        self.numbers = numbers
        self.note = note
    }

    /// The partition of the records of a trip.
    static func partition(of key: [UInt8]) -> Int {
        // 16 bytes can be read beyond the key: 32 zeros follow it.
        let hash = (key + Array(repeating: 0, count: 32)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { TextHash.of($0, count: key.count) } ?? 0
        }
        return Int(truncatingIfNeeded: hash >> 55)
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        while text.isEmpty {
            guard partition < RecordSpool.partitionCount else { return 0 }
            text = try composePartition(partition)[...]
            partition += 1
        }
        let taken = text.prefix(count)
        for (index, byte) in taken.enumerated() { target[index] = byte }
        text = text.dropFirst(taken.count)
        return taken.count
    }

    private mutating func composePartition(_ partition: Int) throws(ExportError) -> [UInt8] {
        let records = SpooledRecord.unpack(
            try RecordSpool.bytes(of: numbers(partition), in: pages), slots: slotCount
        ).sorted { $0.place.byteOffset < $1.place.byteOffset }
        var trips: [[UInt8]: Int] = [:]
        var groups: [[SpooledRecord]] = []
        for record in records {
            let key = Array(record[tripSlots.trip]) + [0] + (tripSlots.leg.map { Array(record[$0]) } ?? [])
            let known = trips[key] ?? groups.count
            if known == groups.count {
                trips[key] = known
                groups.append([])
            }
            groups[known].append(record)
        }
        var rows: [UInt8] = []
        for group in groups { Self.append(composition.compose(group, &remarks), to: &rows) }
        note(groups.map { $0[0].place }, remarks)
        return rows
    }

    /// A row of CSV (RFC 4180).
    private static func append(_ values: [[UInt8]], to rows: inout [UInt8]) {
        for (slot, value) in values.enumerated() {
            if slot > 0 { rows.append(UInt8(ascii: ",")) }
            // Plain numbers and times stay as they are, for the fast readers.
            guard value.contains(where: { $0 == CSVDialect.quote || $0 == UInt8(ascii: ",") || $0 < 0x20 }) else {
                rows += value
                continue
            }
            rows.append(CSVDialect.quote)
            for byte in value {
                rows.append(byte)
                if byte == CSVDialect.quote { rows.append(byte) }
            }
            rows.append(CSVDialect.quote)
        }
        rows.append(CSVDialect.lineFeed)
    }
}

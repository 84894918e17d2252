import ExportBytes
import Profiles
import Trips

// Values that cannot be read, and distances that cannot be right.
extension TripDecoder {
    /// Notes the unread values of the batch with their records. A rejected record has its own place.
    func noteUnread(_ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>) {
        let undated = DecodingColumns.code(of: .noUsableDate)
        for cell in unread {
            if columns.verdicts[cell.row] == undated, undatedCells[cell.row] == nil { undatedCells[cell.row] = cell }
            guard columns.verdicts[cell.row] == 0 else { continue }
            findings.noteUnread(cell.field, cell.fault, window, record: Int(records[cell.row])) {
                let span = FieldSpan(packed: table.column(cell.slot)[cell.row])
                return ValueShape.of(FieldSpan.bytes(window.bytes + span.start, span.length, span.escaping))
            }
        }
        unread.removeAll(keepingCapacity: true)
    }

    /// Notes the values of a column of texts whose bytes are no UTF-8.
    func noteFilled(_ field: CanonicalField, slot: Int, _ column: CodedColumn, count: Int) {
        findings.note(field, filled: count - column.blanks)
        for row in column.damagedRows { unread.append(UnreadCell(field: field, slot: slot, row: row, fault: .notUTF8)) }
    }

    /// Counts the values of a column of which not all are read.
    func noteFilled(_ field: CanonicalField, _ slot: Int?, _ table: SpanTable, count: Int) {
        guard let slot else { return }
        let spans = table.column(slot)
        var filled = 0
        for row in 0..<count where FieldSpan(packed: spans[row]).length > 0 { filled += 1 }
        findings.note(field, filled: filled)
    }

    /// Leaves out the miles of trips that are longer than trips are: a slip of an odometer or of a decimal point.
    func excludeImplausibleMiles(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch
    ) {
        guard (plan.loadedMiles ?? plan.unloadedMiles ?? plan.odometerEnd) != nil else { return }
        let ground = profile.maximumMiles.ground * 100
        let most = max(
            Self.largest(of: batch.loadedHundredths, count: count),
            Self.largest(of: batch.unloadedHundredths, count: count))
        guard most > ground else { return }
        let air = profile.maximumMiles.air * 100
        for row in 0..<count {
            let code = plan.hcpcsCode.map { FieldSpan(packed: table.column($0)[row]).value(in: bytes) } ?? []
            let most = Self.airCodes.contains { code.starts(with: $0.utf8) } ? air : ground
            if batch.loadedHundredths[row] > most {
                batch.loadedHundredths[row] = AmountState.absent
                findings.implausibleMiles += 1
                columns.warn(row, WarningBit.implausibleMiles)
            }
            if batch.unloadedHundredths[row] > most {
                batch.unloadedHundredths[row] = AmountState.absent
                findings.implausibleMiles += 1
                columns.warn(row, WarningBit.implausibleMiles)
            }
        }
    }

    /// Counts the records whose code is that of mileage (A0425, A0435, A0436): lines of bills, and no trips.
    func countMileageLines(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        guard let slot = plan.hcpcsCode else { return }
        let spans = table.column(slot)
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            guard span.length >= 5 else { continue }
            let code = bytes + span.start
            guard code[0] & 0xDF == UInt8(ascii: "A"), code[1] == UInt8(ascii: "0"), code[2] == UInt8(ascii: "4") else {
                continue
            }
            let isMileage =
                code[4] == UInt8(ascii: "5") && (code[3] == UInt8(ascii: "2") || code[3] == UInt8(ascii: "3"))
                || code[3] == UInt8(ascii: "3") && code[4] == UInt8(ascii: "6")
            if isMileage { findings.mileageLines += 1 }
        }
    }

    private static func largest(of values: [Int], count: Int) -> Int {
        values.withUnsafeBufferPointer { values in
            var most = Int.min
            for row in 0..<count { most = max(most, values[row]) }
            return most
        }
    }

    /// Transport and mileage of fixed and rotary wing.
    private static let airCodes = ["A0430", "A0431", "A0435", "A0436"]
}

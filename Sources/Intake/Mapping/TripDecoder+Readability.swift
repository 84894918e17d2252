import ExportBytes
import Trips

// Whether the values of a column can be read at all: a few rows of each batch, by what was decoded of them.
extension TripDecoder {
    /// Rows of a batch that are looked at.
    private static let sampledRows = 32

    func noteReadableTimes(_ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int) {
        for event in TripEvent.allCases {
            guard event != .requested || needsRequested, let slot = plan.events[event.rawValue] else { continue }
            let local = columns.local(event), reader = timeReaders[event.rawValue]
            noteReadability(
                of: event.field, slot, window, table, records: records, count: count,
                wasRead: { local[$0] != DecodingColumns.absent },
                canBeRead: { reader.read($0.value(in: window.bytes)) != nil })
        }
    }

    func noteReadableAmounts(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int, _ batch: TripBatch
    ) {
        if let slot = plan.cost {
            noteReadability(
                of: .cost, slot, window, table, records: records, count: count,
                wasRead: { batch.costCents[$0] != AmountState.absent }, canBeRead: { self.isAmount($0, window) })
        }
        if let slot = plan.loadedMiles {
            noteReadability(
                of: .loadedMiles, slot, window, table, records: records, count: count,
                wasRead: { batch.loadedHundredths[$0] != AmountState.absent }, canBeRead: { self.isAmount($0, window) })
        }
        if let slot = plan.unloadedMiles {
            noteReadability(
                of: .unloadedMiles, slot, window, table, records: records, count: count,
                wasRead: { batch.unloadedHundredths[$0] != AmountState.absent },
                canBeRead: { self.isAmount($0, window) })
        }
    }

    /// Whether a value is an amount, of whatever sign and precision.
    private func isAmount(_ span: FieldSpan, _ window: RecordWindow) -> Bool {
        AmountReader.hundredths(amountText(window.bytes, span), isNumber: span.isLiteral) != .bad
            || AmountReader.cents(amountText(window.bytes, span), isNumber: span.isLiteral) != .bad
    }

    private func noteReadability(
        of field: CanonicalField, _ slot: Int, _ window: RecordWindow, _ table: SpanTable,
        records: UnsafePointer<Int32>, count: Int, wasRead: (Int) -> Bool, canBeRead: (FieldSpan) -> Bool
    ) {
        let spans = table.column(slot)
        var readability = ColumnReadability()
        for row in stride(from: 0, to: count, by: max(1, count / Self.sampledRows)) {
            let span = FieldSpan(packed: spans[row])
            guard span.length > 0 else { continue }
            if wasRead(row) {
                readability.filled += 1
                continue
            }
            let value = span.value(in: window.bytes)
            guard !value.isEmpty else { continue }
            readability.filled += 1
            guard !canBeRead(span) else { continue }
            readability.unread += 1
            if readability.first == nil {
                let offset = window.baseOffset + window.recordStart(Int(records[row]))
                readability.first = (offset, ValueShape.of(value))
            }
        }
        if readability.filled > 0 { findings.note(readability, of: field) }
    }
}

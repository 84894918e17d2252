/// Which of several records of one trip is newest: `updated_at`, then `sequence`; what is missing counts as oldest.
/// Between equals the later file, then the later row wins, which the caller knows.
package struct TripVersion: Sendable, Hashable, Comparable {
    /// Seconds since 1970 (as printed, where there is neither offset nor zone).
    package var updatedAt: Int
    package var sequence: Int

    package init(updatedAt: Int, sequence: Int) {
        self.updatedAt = updatedAt
        self.sequence = sequence
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.updatedAt, left.sequence) < (right.updatedAt, right.sequence)
    }
}

extension TripDecoder {
    /// The version of the record whose spans are in row `row` of `table`.
    func version(_ window: RecordWindow, _ table: SpanTable, row: Int) -> TripVersion {
        var version = TripVersion(updatedAt: .min, sequence: .min)
        if let slot = plan.updatedAt, let reading = updatedAtReader.read(value(window, table, slot, row)) {
            version.updatedAt = reading.localSeconds - (reading.offsetSeconds ?? 0)
        }
        if let slot = plan.sequence,
            case .value(let hundredths) = AmountReader.hundredths(value(window, table, slot, row))
        {
            version.sequence = hundredths
        }
        return version
    }

    /// The exact key of the record in row `row`: trip id, a mark, leg id. It is compared and then dropped.
    func key(_ window: RecordWindow, _ table: SpanTable, row: Int) -> [UInt8] {
        var key = Array(value(window, table, plan.tripID, row))
        key.append(0)
        if let slot = plan.legID { key += value(window, table, slot, row) }
        return key
    }

    private func value(_ window: RecordWindow, _ table: SpanTable, _ slot: Int, _ row: Int) -> ArraySlice<UInt8> {
        let span = FieldSpan(packed: table.column(slot)[row])
        return SpanText.bytes(window.bytes + span.start, span.end - span.start, span.escaping).trimmingBlanks()
    }
}

import ExportBytes
import OutputScan
import Trips

// Identifiers, for a run that publishes files or keeps a crosswalk. Otherwise none of this runs.
extension TripDecoder {
    /// Shows the values of identifying columns to the gatherer, as they are meant. It keeps hashes of them, which no
    /// output may match.
    func gatherIdentifiers(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        // Taken out meanwhile: in place, each value would cost a check of exclusive access.
        guard var own = gatherer else { return }
        gatherer = nil
        defer { gatherer = own }
        for (slot, isName) in plan.identifying {
            let spans = table.column(slot)
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                guard span.length > 0 else { continue }
                if span.isEscaped || !ValueEdges.arePlain(bytes[span.start], bytes[span.end &- 1]) {
                    own.add(Array(span.value(in: bytes)).span, isName: isName)
                } else {
                    let value = UnsafeBufferPointer(start: bytes + span.start, count: span.length)
                    own.add(value.span, isName: isName)
                }
            }
        }
    }

    /// Collects for the crosswalk the identifiers of the rows that are trips, as they are hashed for keys: see `identifier`.
    func collectIdentifiers(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        func value(_ slot: Int?, _ row: Int) -> ArraySlice<UInt8> {
            slot.map { identifier(bytes, FieldSpan(packed: table.column($0)[row])) } ?? []
        }
        for row in 0..<count where columns.verdicts[row] == 0 {
            identifiers.append(
                tripID: plan.hasRecordKeys ? [] : value(plan.tripID, row), legID: value(plan.legID, row),
                patientID: value(plan.patientID, row))
        }
    }
}

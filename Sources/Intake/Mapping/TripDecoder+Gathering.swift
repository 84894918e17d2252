import OutputScan

// What no output may repeat, remembered while records are read (SPEC §5).
extension TripDecoder {
    /// Shows the values of identifying columns to the gatherer, as they are meant. It keeps hashes of them.
    func gatherIdentifiers(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        // Taken out meanwhile: in its place each value would cost a check of who else has it.
        guard var own = gatherer else { return }
        gatherer = nil
        defer { gatherer = own }
        for (slot, isName) in plan.identifying {
            let spans = table.column(slot)
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                guard span.end > span.start else { continue }
                if span.isEscaped {
                    let meant = SpanText.bytes(bytes + span.start, span.end - span.start, span.escaping)
                    own.add(meant.span, isName: isName)
                } else {
                    let value = UnsafeBufferPointer(start: bytes + span.start, count: span.end &- span.start)
                    own.add(value.span, isName: isName)
                }
            }
        }
    }
}

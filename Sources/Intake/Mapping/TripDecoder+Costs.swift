import ExportBytes
import Profiles
import Trips

extension TripDecoder {
    func decodeCost(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into cents: inout [Int]
    ) {
        guard let slot = plan.cost else {
            for row in 0..<count { cents[row] = AmountState.absent }
            return
        }
        let spans = table.column(slot)
        let hasPoint = profile.decimalMark == .point && readsPlainly
        var blanks = 0, unclear = 0
        cents.withUnsafeMutableBufferPointer { cents in
            for row in 0..<count {
                let span = FieldSpan(packed: spans[row])
                if hasPoint, let plain = AmountReader.plainHundredths(bytes, span.start, span.end) {
                    cents[row] = plain
                    continue
                }
                cents[row] = AmountState.absent
                if span.end == span.start {
                    blanks &+= 1
                    continue
                }
                let text = amountText(bytes, span)
                if checksPoints, !span.isLiteral, PointBeforeThree.isUnclear(text) { unclear &+= 1 }
                let money = AmountReader.money(text, isNumber: span.isLiteral)
                switch money.cents {
                case .absent: blanks += 1
                case .value(let amount):
                    cents[row] = amount
                    if let currency = money.currency { findings.note(currency) }
                case .bad:
                    columns.warn(row, WarningBit.badCost)
                    unread.append(UnreadCell(field: .cost, slot: slot, row: row))
                }
            }
        }
        findings.note(.cost, filled: count - blanks)
        if unclear > 0 { notePoints(bytes, spans, count: count) }
        if mayHideCommas { rejectDividedCosts(bytes, spans, cents, count: count) }
        var costs = StatedCosts()
        swap(&costs, &findings.costs)
        cents.withUnsafeBufferPointer { cents in
            for row in 0..<count where cents[row] != AmountState.absent && columns.verdicts[row] == 0 {
                costs.add(cents[row])
            }
        }
        swap(&costs, &findings.costs)
    }

    /// Counts how the points of these costs are written: only where one of them is in doubt, see `PointBeforeThree`.
    @inline(never)
    private func notePoints(_ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int) {
        var points = PointBeforeThree()
        for row in 0..<count where columns.verdicts[row] == 0 {
            points.add(identifier(bytes, FieldSpan(packed: spans[row])))
        }
        findings.points.merge(points)
    }

    // MARK: - Unquoted commas

    /// In an export whose rows may end early or late, a row with an unquoted `1,200.50` has no wrong number of fields: its cost is 1,
    /// and what follows lies in the wrong columns. Such a row is rejected, where the other costs of the batch have cents.
    @inline(never)
    private func rejectDividedCosts(
        _ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, _ cents: [Int], count: Int
    ) {
        var divided: [Int] = []
        var others = 0, othersWithCents = 0
        for row in 0..<count where cents[row] != AmountState.absent {
            let span = FieldSpan(packed: spans[row])
            if Self.isDivided(bytes, span) {
                divided.append(row)
            } else {
                others += 1
                // Digits, a point and two digits.
                if span.length > 3, bytes[span.end &- 3] == 0x2E { othersWithCents += 1 }
            }
        }
        guard !divided.isEmpty, others > 0, othersWithCents * 10 >= others * 9 else { return }
        for row in divided where columns.verdicts[row] == 0 {
            columns.verdicts[row] = DecodingColumns.code(of: .fieldCount)
        }
    }

    /// Whether a field is one to three digits, and the next one begins with three digits, a point and two digits.
    private static func isDivided(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        func isDigit(_ at: Int) -> Bool { bytes[at] &- 0x30 <= 9 }
        var start = span.start
        if span.length > 1, bytes[start] == UInt8(ascii: "$") { start &+= 1 }
        guard (1...3).contains(span.end &- start), bytes[start] != 0x30, (start..<span.end).allSatisfy(isDigit),
            bytes[span.end] == UInt8(ascii: ",")
        else { return false }
        // The window's padding makes the bytes beyond the field readable.
        let next = span.end &+ 1
        return isDigit(next) && isDigit(next &+ 1) && isDigit(next &+ 2) && bytes[next &+ 3] == 0x2E
            && isDigit(next &+ 4) && isDigit(next &+ 5) && !isDigit(next &+ 6)
    }
}

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
        let areCents = profile.costUnit == .cents
        let hasPoint = profile.decimalMark == .point && readsPlainly && !areCents
        var blanks = 0
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
                let money = AmountReader.money(text, isNumber: span.isLiteral)
                switch money.cents {
                case .absent: blanks += 1
                // Of cents there are whole ones only.
                case .value(let amount) where areCents && amount % 100 == 0: cents[row] = amount / 100
                case .value(let amount) where !areCents:
                    cents[row] = amount
                    if let currency = money.currency { findings.note(currency) }
                case .value, .bad:
                    columns.warn(row, WarningBit.badCost)
                    unread.append(UnreadCell(field: .cost, slot: slot, row: row))
                }
            }
        }
        findings.note(.cost, filled: count - blanks)
        if checksPoints, !findings.points.hasFractions { notePoints(bytes, spans, count: count) }
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

    /// Notes how the points of these costs are written, see `PointBeforeThree`: up to the first that shows what a point is.
    @inline(never)
    private func notePoints(_ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int) {
        for row in 0..<count where columns.verdicts[row] == 0 && !findings.points.hasFractions {
            findings.points.add(FieldSpan(packed: spans[row]), bytes)
        }
    }

    // MARK: - Unquoted commas

    /// In an export whose rows may end early or late, a row with an unquoted `1,200.50` has no wrong number of fields: its cost is 1,
    /// and what follows lies in the wrong columns. Such a row is rejected; only called where costs have cents.
    @inline(never)
    private func rejectDividedCosts(
        _ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, _ cents: [Int], count: Int
    ) {
        for row in 0..<count
        where cents[row] != AmountState.absent && columns.verdicts[row] == 0
            && Self.isDivided(bytes, FieldSpan(packed: spans[row]))
        {
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

extension PointBeforeThree {
    /// Takes an amount of a window.
    mutating func add(_ span: FieldSpan, _ bytes: UnsafePointer<UInt8>) {
        guard !span.isEscaped else { return add(Array(span.value(in: bytes)).span) }
        // The span lies in the window.
        add(UnsafeBufferPointer(start: bytes + span.start, count: span.length).span)
    }
}

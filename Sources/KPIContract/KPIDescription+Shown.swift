/// Figures as people read them: each is rounded once.
extension KPIDescription {
    /// The sums that a quotient is of: the first over all of the others.
    package var quotient: (part: String, whole: [String])? {
        guard case .ratio(let part, let whole) = combination else { return nil }
        return (part, whole)
    }

    /// The counts that a share is a quotient of; nil for other measures, and for a share of sums that a cell has rounded.
    private var shareOfCounts: (part: String, whole: [String])? {
        guard format == .share, let quotient,
            quotient.whole.allSatisfy({ KPICatalog.description(named: $0)?.format == .count })
        else { return nil }
        return quotient
    }

    /// How people read it: a share of counts in tenths of a per cent, all else as it is held.
    package var shownFormat: FigureFormat { shareOfCounts == nil ? format : .tenthsOfPercent }

    /// The figure in the smallest unit of `shownFormat`; nil where it is suppressed or undefined.
    ///
    /// A share of counts is computed from these: the one in the cell is rounded already, and to round it again would round
    /// 60.748 per cent up to 60.8.
    package func shownFigure(_ cell: KPISummaryV1.Cell) -> Int? {
        guard let figure = figure(cell) else { return nil }
        guard let counts = shareOfCounts else { return figure }
        let whole = counts.whole.compactMap { cell[$0] }
        guard let part = cell[counts.part], whole.count == counts.whole.count,
            let share = Self.halfUp(part * FigureFormat.tenthsOfPercent.unitsPerOne, over: whole.reduce(0, +))
        else {
            return Self.halfUp(figure, over: FigureFormat.share.unitsPerOne / FigureFormat.tenthsOfPercent.unitsPerOne)
        }
        return share
    }

    /// Halves away from zero; nil over 0.
    static func halfUp(_ dividend: Int, over divisor: Int) -> Int? {
        guard divisor > 0 else { return nil }
        let size = (Int(dividend.magnitude) * 2 + divisor) / (divisor * 2)
        return dividend < 0 ? -size : size
    }
}

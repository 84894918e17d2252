/// Figures as people read them: each is rounded once.
extension KPIDescription {
    /// The sums that a quotient is of: the first over all of the others.
    package var quotient: (part: Measure, whole: [Measure])? {
        guard case .ratio(let part, let whole) = combination else { return nil }
        return (part, whole)
    }

    /// The counts that a share is a quotient of; nil for other measures, and for a share of sums that a cell has rounded.
    private var shareOfCounts: (part: Measure, whole: [Measure])? {
        guard format == .share, let quotient,
            quotient.whole.allSatisfy({ $0.kpi.format == .count })
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

    /// The figure of several months together, in the smallest unit of `shownFormat`: of a count or a sum, what it is a month;
    /// of a share or a mean, that of all their trips, and not the mean of the months' own. Nil for a percentile, which does
    /// not follow from those of months, and where a part is not shown.
    package func pooled(_ months: [KPISummaryV1.Cell]) -> Int? {
        func sum(_ measure: Measure) -> Int? {
            let figures = months.compactMap { $0[measure] }
            return figures.count == months.count ? figures.reduce(0, +) : nil
        }
        switch pooling {
        case .month: return sum(measure).flatMap { Self.halfUp($0, over: months.count) }
        case .quotient(let part, let whole, let scale):
            let wholes = whole.compactMap(sum)
            guard let dividend = sum(part), wholes.count == whole.count else { return nil }
            return Self.halfUp(dividend * scale, over: wholes.reduce(0, +))
        case .mean(let count):
            let weighed = months.compactMap { cell in figure(cell).flatMap { mean in cell[count].map { mean * $0 } } }
            guard weighed.count == months.count, let trips = sum(count) else { return nil }
            return Self.halfUp(weighed.reduce(0, +), over: trips)
        case .none: return nil
        }
    }

    /// How the figure of several months follows from theirs.
    package enum Pooling: Sendable, Hashable {
        /// The sum over the number of months.
        case month
        /// A quotient of two sums: `scale` × the first over all of the others, in smallest units.
        case quotient(part: Measure, whole: [Measure], scale: Int)
        /// A mean: weighed by its count of trips.
        case mean(count: Measure)
        case none
    }

    package var pooling: Pooling {
        switch combination {
        case .sum: return .month
        case .ratio(let part, let whole):
            let shown = format == .percent ? 100 : shownFormat.unitsPerOne
            return .quotient(
                part: part, whole: whole,
                scale: shown * whole[0].kpi.format.unitsPerOne / part.kpi.format.unitsPerOne)
        case .statistic(let count): return format == .tenthsOfSeconds ? .mean(count: count) : .none
        case .ratioOfTripsWithBoth: return .none
        }
    }

    /// Halves away from zero; nil over 0.
    static func halfUp(_ dividend: Int, over divisor: Int) -> Int? {
        guard divisor > 0 else { return nil }
        let size = (Int(dividend.magnitude) * 2 + divisor) / (divisor * 2)
        return dividend < 0 ? -size : size
    }
}

import Basics

extension KPISummaryV1 {
    /// A measure of one region and trip type by month, as statistical process control has it: mean, process limits, and
    /// the months that are unlikely to be chance alone. `docs/kpis.md` has the rules.
    public struct ControlChart: Decodable, Sendable, Hashable {
        /// The key in a cell: `trips`, `inHouseShare`, `costPerTrip`, `duration.mean`, `response.p90`.
        public var measure: String
        /// As in cells.
        public var region: String
        /// As in cells.
        public var tripType: String
        /// The last month of the chart: closed, and the one that the others are comparable with.
        public var lastMonth: String
        /// How many months have a figure in it.
        public var monthCount: Int
        /// Months between its first and its last that are not in it: without a figure, not comparable with the last, or of too few trips.
        public var monthsLeftOut: [String]
        /// In the unit of the measure, with one decimal, dollars with two and shares with four.
        public var mean: Double
        /// Of the process: mean - 2.66 × the mean moving range.
        public var lowerLimit: Double
        /// Of the process: mean + 2.66 × the mean moving range.
        public var upperLimit: Double
        /// By month, oldest first.
        public var signals: [ControlSignal]

        /// Every value as it is to be published; nothing is checked.
        public init(
            measure: String, region: String, tripType: String, lastMonth: String, monthCount: Int,
            monthsLeftOut: [String], mean: Double, lowerLimit: Double, upperLimit: Double, signals: [ControlSignal]
        ) {
            self.measure = measure
            self.region = region
            self.tripType = tripType
            self.lastMonth = lastMonth
            self.monthCount = monthCount
            self.monthsLeftOut = monthsLeftOut
            self.mean = mean
            self.lowerLimit = lowerLimit
            self.upperLimit = upperLimit
            self.signals = signals
        }
    }

    /// A month of a control chart that is unlikely to be chance alone.
    public struct ControlSignal: Decodable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// `outsideLimits`, `trend`, `twoOfThree` or `shift`.
        public var rule: String
        /// `high` (above the mean, or rising) or `low`.
        public var direction: String
        /// Nil where neither direction is better.
        public var isBetter: Bool?

        /// Every value as it is to be published; nothing is checked.
        public init(month: String, rule: String, direction: String, isBetter: Bool?) {
            self.month = month
            self.rule = rule
            self.direction = direction
            self.isBetter = isBetter
        }
    }
}

extension KPISummaryV1.ControlChart {
    /// The measures that have control charts: the ones that the cards are about.
    package static let measures: [Measure] = [.trips, .inHouseShare, .costPerTrip, .durationMean, .responseP90]
}

extension KPISummaryV1.ControlSignal {
    package var verdict: ControlVerdict {
        isBetter.map { $0 ? .better : .worse } ?? (direction == "high" ? .higher : .lower)
    }
}

extension KPISummaryV1.ControlChart {
    /// Nil for a month that is not in the chart.
    package func verdict(of month: String) -> ControlVerdict? {
        guard month >= firstMonth, month <= lastMonth, !monthsLeftOut.contains(month) else { return nil }
        return signals.first { $0.month == month }?.verdict ?? .usual
    }

    /// The chart has a figure, or leaves one out, for each month from this one to the last.
    package var firstMonth: String {
        let parts = lastMonth.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 2 else { return lastMonth }
        let first = parts[0] * 12 + parts[1] - (monthCount + monthsLeftOut.count)
        let number = first % 12 + 1
        return "\(first / 12)-\(number < 10 ? "0" : "")\(number)"
    }

    /// The measure whose chart says how a figure on a card went: that of a share in whole per cent is the exact share.
    package static func measure(ofCard measure: Measure) -> Measure {
        measure == .inHousePercent ? .inHouseShare : measure
    }
}

extension [KPISummaryV1.ControlChart] {
    /// - Parameter measure: of a card, or of a chart.
    package func chart(of measure: Measure, region: String = CellKey.all, tripType: String = CellKey.all)
        -> KPISummaryV1.ControlChart?
    {
        let name = KPISummaryV1.ControlChart.measure(ofCard: measure).name
        return first { $0.measure == name && $0.region == region && $0.tripType == tripType }
    }
}

extension FigureFormat {
    /// How many parts of one unit a line of a control chart is written in: the figure's own, or tenths.
    package var partsOfControlLimit: Int { max(10, unitsPerOne) }
}

extension KPISummaryV1.ControlChart: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "measure": measure, "region": region, "tripType": tripType, "lastMonth": lastMonth,
            "monthCount": monthCount, "monthsLeftOut": monthsLeftOut, "mean": mean, "lowerLimit": lowerLimit,
            "upperLimit": upperLimit,
            "signals": signals,
        ]
    }
}

extension KPISummaryV1.ControlSignal: CanonicalValue {
    package var canonical: CanonicalJSON {
        ["month": month, "rule": rule, "direction": direction, "isBetter": isBetter]
    }
}

extension KPISummaryV1 {
    /// What a measure is to reach in a region and trip type, and how often it did.
    ///
    /// A month counts if it is over and its figure is of all trips, of the kinds that the measure is of, and of at least
    /// 11. In a release, a month whose rounded percentile is within 5 seconds of the target does not count.
    public struct Target: Decodable, Sendable, Hashable {
        /// The key in a cell: `inHouseShare`, `costPerTrip`, `duration.mean`, `response.p90`.
        public var measure: String
        /// As in cells.
        public var region: String
        /// As in cells.
        public var tripType: String
        /// In the unit of the measure. A share is to be at least this, a cost or a time at most.
        public var target: Double
        /// How many months count.
        public var monthCount: Int
        /// In how many of them the measure reached the target.
        public var monthsMet: Int
        /// The figure of `headline.month` less the target; nil if that month does not count.
        public var gap: Double?

        /// Every value as it is to be published; nothing is checked.
        public init(
            measure: String, region: String, tripType: String, target: Double, monthCount: Int, monthsMet: Int,
            gap: Double?
        ) {
            self.measure = measure
            self.region = region
            self.tripType = tripType
            self.target = target
            self.monthCount = monthCount
            self.monthsMet = monthsMet
            self.gap = gap
        }
    }
}

extension KPISummaryV1.Target: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "measure": measure, "region": region, "tripType": tripType, "target": target, "monthCount": monthCount,
            "monthsMet": monthsMet, "gap": gap,
        ]
    }
}

extension KPISummaryV1.Target {
    package var kpi: KPIDescription? { KPICatalog.description(named: measure) }

    /// In the smallest unit of the measure; nil for a measure that is not in the catalogue.
    package var targetFigure: Int? { figure(target) }

    package var gapFigure: Int? { gap.flatMap(figure) }

    /// `at least 55.0%`, `at most 10:00`
    package var words: String {
        guard let kpi, let targetFigure else { return "" }
        return (kpi.better == .higher ? "at least " : "at most ") + kpi.format.shown(targetFigure)
    }

    /// `met`, `0:30 above`, `3.2 points below`; nil without a gap.
    package var gapWords: String? {
        guard let kpi, let gapFigure else { return nil }
        if kpi.better == .higher ? gapFigure >= 0 : gapFigure <= 0 { return "met" }
        let size = kpi.format.shown(abs(gapFigure))
        return (kpi.format == .share ? size.dropLast() + " points" : size) + (gapFigure > 0 ? " above" : " below")
    }

    /// `9 of 12 (75%)`; nil if no month counts.
    package var monthsMetText: String? {
        guard monthCount > 0 else { return nil }
        return "\(monthsMet) of \(monthCount) (\((monthsMet * 200 + monthCount) / (monthCount * 2))%)"
    }

    private func figure(_ value: Double) -> Int? {
        kpi.map { Int((value * Double($0.format.unitsPerOne)).rounded()) }
    }
}

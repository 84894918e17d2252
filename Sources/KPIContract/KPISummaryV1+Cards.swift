extension KPISummaryV1 {
    /// A card of the dashboard. Decodes as the app's `KPISummary` and has the card's words.
    public struct KPICard: Decodable, Sendable, Hashable {
        /// Stable within version 1.
        public var id: String
        /// What the card shows.
        public var title: String
        /// The figure as people read it; `Hidden` or `None` where there is none.
        public var value: String
        /// What the figure is made of.
        public var subtitle: String
        /// The card in full sentences, for a screen reader; at the end a summary of its chart.
        public var accessibilityLabel: String
        /// `up`, `down`, `flat`, or nil where there is nothing to compare with.
        public var trend: String?
        /// Whether the latest closed month is better than usual: a signal of its control chart. Nil where there is none, or no
        /// direction is better, and in a document of version 1.0.
        public var isBetter: Bool?
        /// As in the summary.
        public var totalTrips: Int
        /// As in the summary.
        public var avgDuration: Tenths
        /// The card's own figure by month, for the months in which it is shown and has a value.
        public var chartData: [Double]

        /// Every value as it is to be published; nothing is checked.
        public init(
            id: String, title: String, value: String, subtitle: String, accessibilityLabel: String, trend: String?,
            isBetter: Bool? = nil, totalTrips: Int, avgDuration: Tenths, chartData: [Double]
        ) {
            self.id = id
            self.title = title
            self.value = value
            self.subtitle = subtitle
            self.accessibilityLabel = accessibilityLabel
            self.trend = trend
            self.isBetter = isBetter
            self.totalTrips = totalTrips
            self.avgDuration = avgDuration
            self.chartData = chartData
        }
    }
}

extension KPISummaryV1.KPICard {
    /// The measure of each card, by the card's id.
    package static let measures: [String: Measure] = [
        "totalTrips": .trips, "inHousePercent": .inHousePercent, "costPerTrip": .costPerTrip,
        "averageDuration": .durationMean, "responseP90": .responseP90,
    ]

    /// What `value` is where the figure is undefined.
    package static let none = "None"

    /// What `value` is for a figure of the cell over everything.
    package static func value(_ figure: PublishedValue<Int>, _ text: (Int) -> String) -> String {
        switch figure {
        case .value(let figure): text(figure)
        case .suppressed: "Hidden"
        case .undefined: none
        }
    }

    /// - Parameter withDirection: false for a document from before `isBetter` was added.
    func canonical(withDirection: Bool) -> CanonicalJSON {
        [
            "id": id, "title": title, "value": value, "subtitle": subtitle, "accessibilityLabel": accessibilityLabel,
            "trend": trend, "isBetter": withDirection ? isBetter.canonical : CanonicalJSON.absent,
            "totalTrips": totalTrips,
            "avgDuration": avgDuration, "chartData": chartData,
        ]
    }
}

import Basics

extension KPISummaryV1 {
    /// What happened beside the trips: hazard reports, road closures, weather, counted by month, region and kind.
    public struct Events: Decodable, Sendable, Hashable {
        /// Months whose events are shown, ascending. Of another month the release has none, or too few to show.
        public var months: [String]
        /// By month; in it All before its regions, and in each of them All before its kinds.
        public var counts: [EventCount]

        /// Every value as it is to be published; nothing is checked.
        public init(months: [String], counts: [EventCount]) {
            self.months = months
            self.counts = counts
        }
    }

    /// How many events a month has in a region and of a kind; at least one.
    ///
    /// In a staff document what has no count has no events. In a release it has none, or is not shown.
    public struct EventCount: Decodable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// As in cells: a name, `Unassigned`, or `All`.
        public var region: String
        /// Such as `Flood` or `Road closure`; `Other` where the record's words do not say; or `All`.
        public var kind: String
        /// At least 1.
        public var events: Int
        /// Those that call for an evacuation. Nil: not shown.
        public var evacuations: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(month: String, region: String, kind: String, events: Int, evacuations: Int?) {
            self.month = month
            self.region = region
            self.kind = kind
            self.events = events
            self.evacuations = evacuations
        }
    }
}

extension KPISummaryV1.Events {
    /// The count of all kinds in all regions; nil if the month is not shown.
    package func total(of month: String) -> KPISummaryV1.EventCount? {
        counts.first { $0.month == month && $0.region == CellKey.all && $0.kind == CellKey.all }
    }
}

extension KPISummaryV1.Events: CanonicalValue {
    package var canonical: CanonicalJSON { ["months": months, "counts": counts] }
}

extension KPISummaryV1.EventCount: CanonicalValue {
    package var canonical: CanonicalJSON {
        ["month": month, "region": region, "kind": kind, "events": events, "evacuations": evacuations]
    }
}

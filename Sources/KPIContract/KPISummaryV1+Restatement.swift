extension KPISummaryV1 {
    /// A month whose figures differ from those that were published before.
    public struct Restatement: Codable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// `generatedAt` of the first set that says so; RFC 3339, UTC.
        public var restatedAt: String
        /// What readers saw until then.
        public var before: HeadlineFigures
        /// What they see from then on.
        public var after: HeadlineFigures

        /// Every value as it is to be published; nothing is checked.
        public init(month: String, restatedAt: String, before: HeadlineFigures, after: HeadlineFigures) {
            self.month = month
            self.restatedAt = restatedAt
            self.before = before
            self.after = after
        }
    }

    /// A month's figures over all regions and trip types, as its cell has them; nil where that set hid them, or had no
    /// such month.
    public struct HeadlineFigures: Codable, Sendable, Hashable {
        /// Completed trips.
        public var trips: Int?
        /// Whole percent, rounded half up.
        public var inHousePercent: Int?
        /// What was paid or is payable.
        public var totalCost: Cents?
        /// Total cost over the costed trips.
        public var costPerTrip: Cents?
        /// Mean seconds.
        public var avgDuration: Tenths?
        /// 90th percentile seconds.
        public var responseP90: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(
            trips: Int? = nil, inHousePercent: Int? = nil, totalCost: Cents? = nil, costPerTrip: Cents? = nil,
            avgDuration: Tenths? = nil, responseP90: Int? = nil
        ) {
            self.trips = trips
            self.inHousePercent = inHousePercent
            self.totalCost = totalCost
            self.costPerTrip = costPerTrip
            self.avgDuration = avgDuration
            self.responseP90 = responseP90
        }
    }
}

extension KPISummaryV1.Restatement {
    var canonical: CanonicalJSON {
        .object([
            .init("month", .text(month)), .init("restatedAt", .text(restatedAt)),
            .init("before", before.canonical), .init("after", after.canonical),
        ])
    }
}

extension KPISummaryV1.HeadlineFigures {
    var canonical: CanonicalJSON {
        .object([
            .init("trips", .integer(trips)), .init("inHousePercent", .integer(inHousePercent)),
            .init("totalCost", .fixed(totalCost)), .init("costPerTrip", .fixed(costPerTrip)),
            .init("avgDuration", .fixed(avgDuration)), .init("responseP90", .integer(responseP90)),
        ])
    }
}

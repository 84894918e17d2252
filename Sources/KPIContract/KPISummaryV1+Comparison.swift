extension KPISummaryV1 {
    /// A month against the month before, the same month a year before, the twelve months to it, and its fiscal year.
    public struct Comparison: Decodable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// As in cells.
        public var region: String
        /// As in cells.
        public var tripType: String
        /// The month's trips.
        public var trips: Int?
        /// Trips of the month before.
        public var previousMonthTrips: Int?
        /// Trips of the same month a year before.
        public var previousYearTrips: Int?
        /// Change against the month before and the year before, as a share of the earlier one.
        public var monthOverMonth: Share?
        /// Against the year before.
        public var yearOverYear: Share?
        /// Over the twelve calendar months that end with this one; nil unless all twelve are there.
        public var rolling12Trips: Int?
        /// Over those same months.
        public var rolling12Cost: Cents?
        /// The federal fiscal year (October to September) the month is in, and its sums up to this month.
        public var fiscalYear: Int
        /// From October to this month.
        public var fiscalYearToDateTrips: Int?
        /// From October to this month.
        public var fiscalYearToDateCost: Cents?

        /// Every value as it is to be published; nothing is checked.
        public init(
            month: String, region: String, tripType: String, trips: Int?, previousMonthTrips: Int?,
            previousYearTrips: Int?, monthOverMonth: Share?, yearOverYear: Share?, rolling12Trips: Int?,
            rolling12Cost: Cents?, fiscalYear: Int, fiscalYearToDateTrips: Int?, fiscalYearToDateCost: Cents?
        ) {
            self.month = month
            self.region = region
            self.tripType = tripType
            self.trips = trips
            self.previousMonthTrips = previousMonthTrips
            self.previousYearTrips = previousYearTrips
            self.monthOverMonth = monthOverMonth
            self.yearOverYear = yearOverYear
            self.rolling12Trips = rolling12Trips
            self.rolling12Cost = rolling12Cost
            self.fiscalYear = fiscalYear
            self.fiscalYearToDateTrips = fiscalYearToDateTrips
            self.fiscalYearToDateCost = fiscalYearToDateCost
        }
    }

    /// A month whose figures differ from those that were published before.
    public struct Restatement: Decodable, Sendable, Hashable {
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
    public struct HeadlineFigures: Decodable, Sendable, Hashable {
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

extension KPISummaryV1.Comparison: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "month": month, "region": region, "tripType": tripType, "trips": trips,
            "previousMonthTrips": previousMonthTrips, "previousYearTrips": previousYearTrips,
            "monthOverMonth": monthOverMonth, "yearOverYear": yearOverYear, "rolling12Trips": rolling12Trips,
            "rolling12Cost": rolling12Cost, "fiscalYear": fiscalYear, "fiscalYearToDateTrips": fiscalYearToDateTrips,
            "fiscalYearToDateCost": fiscalYearToDateCost,
        ]
    }
}

extension KPISummaryV1.Restatement: CanonicalValue {
    package var canonical: CanonicalJSON {
        ["month": month, "restatedAt": restatedAt, "before": before, "after": after]
    }
}

extension KPISummaryV1.HeadlineFigures: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "trips": trips, "inHousePercent": inHousePercent, "totalCost": totalCost, "costPerTrip": costPerTrip,
            "avgDuration": avgDuration, "responseP90": responseP90,
        ]
    }
}

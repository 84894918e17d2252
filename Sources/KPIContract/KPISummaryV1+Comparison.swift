extension KPISummaryV1 {
    /// A month against the month before, the same month a year before, the twelve months to it, and its fiscal year.
    public struct Comparison: Codable, Sendable, Hashable {
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
}

extension KPISummaryV1 {
    /// A card of the dashboard. Decodes as the app's `KPISummary` and has the card's words.
    public struct KPICard: Codable, Sendable, Hashable {
        public var id: String
        public var title: String
        public var value: String
        public var subtitle: String
        public var accessibilityLabel: String
        /// `up`, `down`, `flat`, or nil where there is nothing to compare with.
        public var trend: String?
        public var totalTrips: Int
        public var avgDuration: Tenths
        public var chartData: [Double]

        public init(
            id: String, title: String, value: String, subtitle: String, accessibilityLabel: String, trend: String?,
            totalTrips: Int, avgDuration: Tenths, chartData: [Double]
        ) {
            self.id = id
            self.title = title
            self.value = value
            self.subtitle = subtitle
            self.accessibilityLabel = accessibilityLabel
            self.trend = trend
            self.totalTrips = totalTrips
            self.avgDuration = avgDuration
            self.chartData = chartData
        }
    }

    /// What the dashboard can filter by; `"All"` comes first in each.
    public struct Filters: Codable, Sendable, Hashable {
        public var months: [String]
        public var regions: [String]
        public var tripTypes: [String]

        public init(months: [String], regions: [String], tripTypes: [String]) {
            self.months = months
            self.regions = regions
            self.tripTypes = tripTypes
        }
    }

    /// One cell: `"All"` where summed.
    public struct Cell: Codable, Sendable, Hashable {
        public var month: String
        public var region: String
        public var tripType: String
        /// The cell is hidden with all its measures.
        public var suppressed: Bool
        /// The split by sourcing is hidden, with everything it could be computed from.
        public var sourcingSuppressed: Bool
        public var trips: Int?
        public var cancelled: Int?
        public var noShow: Int?
        public var inHouse: Int?
        public var contracted: Int?
        public var unclassified: Int?
        public var inHousePercent: Int?
        public var inHouseShare: Share?
        public var totalCost: Cents?
        public var inHouseCost: Cents?
        public var contractedCost: Cents?
        public var costedTrips: Int?
        public var costPerTrip: Cents?
        public var loadedMiles: Tenths?
        public var unloadedMiles: Tenths?
        public var costPerLoadedMile: Cents?
        public var loadedMileRatio: Share?
        public var duration: Interval
        public var response: Interval
        public var turnout: Interval
        public var scene: Interval
        public var transport: Interval
        public var turnaround: Interval

        public init(
            month: String, region: String, tripType: String, suppressed: Bool, sourcingSuppressed: Bool, trips: Int?,
            cancelled: Int?, noShow: Int?, inHouse: Int?, contracted: Int?, unclassified: Int?, inHousePercent: Int?,
            inHouseShare: Share?, totalCost: Cents?, inHouseCost: Cents?, contractedCost: Cents?, costedTrips: Int?,
            costPerTrip: Cents?, loadedMiles: Tenths?, unloadedMiles: Tenths?, costPerLoadedMile: Cents?,
            loadedMileRatio: Share?, duration: Interval, response: Interval, turnout: Interval, scene: Interval,
            transport: Interval, turnaround: Interval
        ) {
            self.month = month
            self.region = region
            self.tripType = tripType
            self.suppressed = suppressed
            self.sourcingSuppressed = sourcingSuppressed
            self.trips = trips
            self.cancelled = cancelled
            self.noShow = noShow
            self.inHouse = inHouse
            self.contracted = contracted
            self.unclassified = unclassified
            self.inHousePercent = inHousePercent
            self.inHouseShare = inHouseShare
            self.totalCost = totalCost
            self.inHouseCost = inHouseCost
            self.contractedCost = contractedCost
            self.costedTrips = costedTrips
            self.costPerTrip = costPerTrip
            self.loadedMiles = loadedMiles
            self.unloadedMiles = unloadedMiles
            self.costPerLoadedMile = costPerLoadedMile
            self.loadedMileRatio = loadedMileRatio
            self.duration = duration
            self.response = response
            self.turnout = turnout
            self.scene = scene
            self.transport = transport
            self.turnaround = turnaround
        }
    }

    /// An interval's statistics in seconds.
    public struct Interval: Codable, Sendable, Hashable {
        public var used: Int?
        public var excluded: Int?
        public var mean: Tenths?
        public var p50: Int?
        public var p90: Int?

        public init(used: Int?, excluded: Int?, mean: Tenths?, p50: Int?, p90: Int?) {
            self.used = used
            self.excluded = excluded
            self.mean = mean
            self.p50 = p50
            self.p90 = p90
        }
    }

    /// A month against the month before, the same month a year before, the twelve months to it, and its fiscal year.
    public struct Comparison: Codable, Sendable, Hashable {
        public var month: String
        public var region: String
        public var tripType: String
        public var trips: Int?
        public var previousMonthTrips: Int?
        public var previousYearTrips: Int?
        /// Change against the month before and the year before, as a share of the earlier one.
        public var monthOverMonth: Share?
        public var yearOverYear: Share?
        /// Over the twelve calendar months that end with this one; nil unless all twelve are there.
        public var rolling12Trips: Int?
        public var rolling12Cost: Cents?
        /// The federal fiscal year (October to September) the month is in, and its sums up to this month.
        public var fiscalYear: Int
        public var fiscalYearToDateTrips: Int?
        public var fiscalYearToDateCost: Cents?

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

    /// What became of the records that were read.
    public struct Quality: Codable, Sendable, Hashable {
        public var read: Int
        public var added: Int
        public var updated: Int
        public var unchanged: Int
        public var superseded: Int
        public var skipped: Int
        public var rejected: Int
        /// By warning code; a hidden small count is nil.
        public var warnings: [String: Int?]
        public var freshness: Freshness

        public init(
            read: Int, added: Int, updated: Int, unchanged: Int, superseded: Int, skipped: Int, rejected: Int,
            warnings: [String: Int?], freshness: Freshness
        ) {
            self.read = read
            self.added = added
            self.updated = updated
            self.unchanged = unchanged
            self.superseded = superseded
            self.skipped = skipped
            self.rejected = rejected
            self.warnings = warnings
            self.freshness = freshness
        }
    }

    /// How old the newest trip is.
    public struct Freshness: Codable, Sendable, Hashable {
        /// `YYYY-MM-DD`, nil if there is no trip.
        public var newestTrip: String?
        /// Whole days from the newest trip to `generatedAt`; nil if there is no trip.
        public var ageDays: Int?

        public init(newestTrip: String?, ageDays: Int?) {
            self.newestTrip = newestTrip
            self.ageDays = ageDays
        }
    }

    /// What is promised about the people behind the numbers.
    public struct PrivacyStatement: Codable, Sendable, Hashable {
        public var statement: String
        public var minimumCell: Int
        public var suppressedCells: Int
        /// Nil: no disclosure audit was made.
        public var auditPassed: Bool?

        public init(statement: String, minimumCell: Int, suppressedCells: Int, auditPassed: Bool?) {
            self.statement = statement
            self.minimumCell = minimumCell
            self.suppressedCells = suppressedCells
            self.auditPassed = auditPassed
        }
    }

    /// Which rules sorted the trips.
    public struct RuleSetStamp: Codable, Sendable, Hashable {
        public var name: String
        /// SHA-256 of the rules and rosters.
        public var version: String

        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }
}

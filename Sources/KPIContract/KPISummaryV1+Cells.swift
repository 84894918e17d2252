extension KPISummaryV1 {
    /// One cell: `"All"` where summed.
    public struct Cell: Codable, Sendable, Hashable {
        /// `YYYY-MM`, or `All`.
        public var month: String
        /// A region's name, `Unassigned`, or `All`.
        public var region: String
        /// A trip type's name, `Unassigned`, or `All`.
        public var tripType: String
        /// Nothing of the cell is shown.
        public var suppressed: Bool
        /// The figures are of all trips of the cell. If not, they leave out trips that are shown only together with trips
        /// of other cells (`mergedGroups`). Nil: a document of version 1.0.
        public var complete: Bool?
        /// The release lacks late trips or corrections of the cell. Nil: a document of version 1.0.
        public var revisionPending: Bool?
        /// The trips by sourcing are not shown.
        public var sourcingSuppressed: Bool
        /// `classified`, or `all` where `contracted` and `contractedCost` count contracted or unclassified trips. Nil: a
        /// document of version 1.0.
        public var sourcingBasis: String?
        /// Measures whose figures leave out some of the trips that `trips` counts, because they cannot be shown of them:
        /// `cancelled`, `noShow`, `sourcing`, `cost`, `costBySourcing`, `loadedMiles`, `unloadedMiles`, or an interval's
        /// name. Nil: a document of version 1.0.
        public var incompleteMeasures: [String]?
        /// Completed trips.
        public var trips: Int?
        /// Cancelled trips; in no other figure.
        public var cancelled: Int?
        /// Trips without a patient; in no other figure.
        public var noShow: Int?
        /// Trips that the health system ran itself.
        public var inHouse: Int?
        /// Trips that a contractor ran.
        public var contracted: Int?
        /// Trips that no rule sorted.
        public var unclassified: Int?
        /// In-house of in-house and contracted trips, rounded half up.
        public var inHousePercent: Int?
        /// In-house of in-house and contracted trips.
        public var inHouseShare: Share?
        /// What was paid or is payable.
        public var totalCost: Cents?
        /// Cost of the in-house trips.
        public var inHouseCost: Cents?
        /// Cost of the contracted trips.
        public var contractedCost: Cents?
        /// Trips that have a cost.
        public var costedTrips: Int?
        /// Total cost over the costed trips.
        public var costPerTrip: Cents?
        /// Miles with a patient on board.
        public var loadedMiles: Tenths?
        /// Miles without a patient.
        public var unloadedMiles: Tenths?
        /// Staff: cost over loaded miles, of the trips that have both. Release: `totalCost` over `loadedMiles`.
        public var costPerLoadedMile: Cents?
        /// Loaded miles of all miles.
        public var loadedMileRatio: Share?
        /// Unit notified to completed, unless dateBasis says otherwise.
        public var duration: Interval
        /// Unit notified to on scene.
        public var response: Interval
        /// Unit notified to en route.
        public var turnout: Interval
        /// On scene to left scene.
        public var scene: Interval
        /// Left scene to arrived.
        public var transport: Interval
        /// Arrived to completed.
        public var turnaround: Interval

        /// Every value as it is to be published; nothing is checked.
        public init(
            month: String, region: String, tripType: String, suppressed: Bool, complete: Bool? = nil,
            revisionPending: Bool? = nil, sourcingSuppressed: Bool, sourcingBasis: String? = nil,
            incompleteMeasures: [String]? = nil, trips: Int?, cancelled: Int?, noShow: Int?, inHouse: Int?,
            contracted: Int?, unclassified: Int?, inHousePercent: Int?,
            inHouseShare: Share?, totalCost: Cents?, inHouseCost: Cents?, contractedCost: Cents?, costedTrips: Int?,
            costPerTrip: Cents?, loadedMiles: Tenths?, unloadedMiles: Tenths?, costPerLoadedMile: Cents?,
            loadedMileRatio: Share?, duration: Interval, response: Interval, turnout: Interval, scene: Interval,
            transport: Interval, turnaround: Interval
        ) {
            self.month = month
            self.region = region
            self.tripType = tripType
            self.suppressed = suppressed
            self.complete = complete
            self.revisionPending = revisionPending
            self.sourcingSuppressed = sourcingSuppressed
            self.sourcingBasis = sourcingBasis
            self.incompleteMeasures = incompleteMeasures
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

    /// A group of several regions and trip types of one month, of which only the total is shown.
    public struct MergedGroup: Codable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// As long as `tripTypes`: the two together name each region and trip type that the group may hold trips of.
        public var regions: [String]
        /// As long as `regions`.
        public var tripTypes: [String]
        /// Completed trips of the group.
        public var trips: Int

        /// Every value as it is to be published; nothing is checked.
        public init(month: String, regions: [String], tripTypes: [String], trips: Int) {
            self.month = month
            self.regions = regions
            self.tripTypes = tripTypes
            self.trips = trips
        }
    }

    /// An interval's statistics in seconds.
    public struct Interval: Codable, Sendable, Hashable {
        /// Trips whose interval counts.
        public var used: Int?
        /// Trips where it is missing, negative or too long.
        public var excluded: Int?
        /// Mean seconds.
        public var mean: Tenths?
        /// Median seconds, nearest rank.
        public var p50: Int?
        /// 90th percentile seconds, nearest rank.
        public var p90: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(used: Int?, excluded: Int?, mean: Tenths?, p50: Int?, p90: Int?) {
            self.used = used
            self.excluded = excluded
            self.mean = mean
            self.p50 = p50
            self.p90 = p90
        }
    }
}

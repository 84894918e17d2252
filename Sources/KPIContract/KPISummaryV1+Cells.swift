extension KPISummaryV1 {
    /// One cell: `"All"` where summed.
    public struct Cell: Codable, Sendable, Hashable {
        /// `YYYY-MM`, or `All`.
        public var month: String
        /// A region's name, `Unassigned`, or `All`.
        public var region: String
        /// A trip type's name, `Unassigned`, or `All`.
        public var tripType: String
        /// The cell is hidden with all its measures.
        public var suppressed: Bool
        /// The split by sourcing is hidden, with everything it could be computed from.
        public var sourcingSuppressed: Bool
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
        /// Cost over loaded miles, of the trips that have both.
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

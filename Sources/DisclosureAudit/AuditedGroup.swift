package import KPIContract

/// The trips of a month that are divided into groups by themselves.
package typealias AuditedPopulation = KPISummaryV1.Group.Population

/// The true figures of one group of the release: the smallest set of trips that a published figure may be about.
///
/// The auditor recomputes every figure from these. A group of cancelled trips or no-shows needs only the month, the
/// population, the leaves, the trips and the patients.
package struct AuditedGroup: Sendable {
    /// `YYYY-MM`.
    package var month: String
    package var population: AuditedPopulation
    /// The regions and trip types that the group may hold trips of, in any order.
    package var leaves: [AuditedLeaf]
    package var trips: Int
    /// Whether the trips name their patients. If they do not, patients are not counted.
    package var namesPatients: Bool
    /// Distinct patients; 11 means "at least 11".
    package var patients: Int
    /// Corrections of the group's trips wait for a revision.
    package var isRevisionPending: Bool
    /// A revision has changed the group's trips. Groups are never divided, so its leaves may have any counts.
    package var isRevised: Bool
    package var costCents = 0
    /// Trips that have a cost.
    package var costedTrips = 0
    /// Hundredths of a mile.
    package var loadedHundredths = 0
    package var tripsWithLoadedMiles = 0
    /// Hundredths of a mile.
    package var unloadedHundredths = 0
    package var tripsWithUnloadedMiles = 0
    /// Trips that have a cost, and loaded miles above zero.
    package var costedTripsWithLoadedMiles = 0
    /// Loaded miles of the trips that have a cost, in hundredths of a mile.
    package var loadedHundredthsWithCost = 0
    /// Six of a group of completed trips, in the contract's order: duration, response, turnout, scene, transport,
    /// turnaround.
    package var intervals: [AuditedInterval] = []

    package init(
        month: String, population: AuditedPopulation, leaves: [AuditedLeaf], trips: Int, namesPatients: Bool,
        patients: Int, isRevisionPending: Bool = false, isRevised: Bool = false
    ) {
        self.month = month
        self.population = population
        self.leaves = leaves
        self.trips = trips
        self.namesPatients = namesPatients
        self.patients = patients
        self.isRevisionPending = isRevisionPending
        self.isRevised = isRevised
    }
}

/// The true times of one group between two events.
package struct AuditedInterval: Sendable {
    /// Trips whose time counts.
    package var used: Int
    /// Trips where it is missing, negative or too long.
    package var excluded: Int
    package var sumSeconds: Int
    /// How many of the used trips took how many seconds, in any order. The auditor calls it once, and only if the group
    /// publishes the interval.
    package var histogram: @Sendable () -> [(second: Int, trips: Int)]

    package init(
        used: Int, excluded: Int, sumSeconds: Int, histogram: @escaping @Sendable () -> [(second: Int, trips: Int)]
    ) {
        self.used = used
        self.excluded = excluded
        self.sumSeconds = sumSeconds
        self.histogram = histogram
    }
}

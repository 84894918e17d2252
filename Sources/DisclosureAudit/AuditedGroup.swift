/// The true figures of one group of the release: the smallest set of trips that a published number may be about.
///
/// Everything the auditor recomputes comes from these. A group of cancelled trips or no-shows needs only the month, the
/// population, the leaves, the trips and the patients.
package struct AuditedGroup: Sendable {
    /// A whole number of each sourcing class.
    package struct BySourcing: Sendable, Hashable {
        package var inHouse: Int
        package var contracted: Int
        package var unclassified: Int
        package var total: Int { inHouse + contracted + unclassified }

        package init(inHouse: Int = 0, contracted: Int = 0, unclassified: Int = 0) {
            self.inHouse = inHouse
            self.contracted = contracted
            self.unclassified = unclassified
        }
    }

    /// Distinct patients of the parts that a group may be divided into; 11 means "at least 11".
    package struct SourcingPatients: Sendable, Hashable {
        package var inHouse: Int
        package var contracted: Int
        package var unclassified: Int
        package var contractedOrUnclassified: Int

        package init(
            inHouse: Int = 0, contracted: Int = 0, unclassified: Int = 0, contractedOrUnclassified: Int = 0
        ) {
            self.inHouse = inHouse
            self.contracted = contracted
            self.unclassified = unclassified
            self.contractedOrUnclassified = contractedOrUnclassified
        }
    }

    /// `YYYY-MM`.
    package var month: String
    package var population: AuditedPopulation
    /// The regions and trip types that the group may hold trips of: its scope.
    package var leaves: [AuditedLeaf]
    package var trips: Int
    /// Whether the trips name their patients. If they do not, patients are not counted.
    package var namesPatients: Bool
    /// Distinct patients; 11 means "at least 11".
    package var patients: Int
    /// Corrections of the group's trips wait for a revision.
    package var isRevisionPending: Bool
    /// The group was made for other trips: corrections were taken up since. It is never divided, so its leaves may have any
    /// counts.
    package var isRevised: Bool
    /// Most parts by sourcing that its trips, and its costs, are divided into: those of its first release.
    package var mostParts = 3
    package var mostPartsOfCost = 3
    package var tripsBySourcing = BySourcing()
    package var patientsBySourcing = SourcingPatients()
    package var costCentsBySourcing = BySourcing()
    /// Trips that have a cost.
    package var costedTripsBySourcing = BySourcing()
    /// Hundredths of a mile.
    package var loadedHundredths = 0
    package var tripsWithLoadedMiles = 0
    /// Hundredths of a mile.
    package var unloadedHundredths = 0
    package var tripsWithUnloadedMiles = 0
    /// Six of a completed group, in the contract's order: duration, response, turnout, scene, transport, turnaround.
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
    /// How many of the used trips took how many seconds, in any order. It is asked for once an audit, and not at all where
    /// the group's times are not published.
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

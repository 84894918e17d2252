/// What was released: the groups, and the names that a reader knows.
package struct AuditedRelease: Sendable {
    /// A population of a month.
    package struct MonthPopulation: Sendable, Hashable {
        /// `YYYY-MM`.
        package var month: String
        package var population: AuditedPopulation

        package init(month: String, population: AuditedPopulation) {
            self.month = month
            self.population = population
        }
    }

    /// Groups of all `months`, in any order. A month has groups of `completed` trips, or of in-house, contracted and
    /// unclassified ones; one of these three without groups and not in `unpublished` has no trip.
    package var groups: [AuditedGroup]
    /// Released months `YYYY-MM`, ascending. Those that the selection leaves out serve the comparisons and charts
    /// alone.
    package var months: [String]
    /// This month and later ones are under way; nil: every released month is over.
    package var firstOpenMonth: String?
    /// Released months that lack days, ascending: they are compared with none.
    package var partialMonths: [String] = []
    /// Months that are open, not released yet, or too small; ascending. As far as the selection reaches.
    package var withheldMonths: [String] = []
    /// All configured regions and `Unassigned`, in the order in which the document names the leaves of a group.
    package var regions: [String]
    /// All configured trip types and `Unassigned`, in the order in which the document names the leaves of a group.
    package var tripTypes: [String]
    /// Unclassified trips, cancelled trips or no-shows of released months of which nothing is published: there are
    /// trips, or there may be.
    package var unpublished: Set<MonthPopulation> = []
    /// Measures that no group of a population and month publishes.
    package var unpublishedMeasures: [MonthPopulation: Set<AuditedMeasure>] = [:]
    /// Released months with trips now where none were released.
    package var pendingMonths: Set<String> = []
    /// Fewest trips, patients where they are named, and values of a published measure, of a group.
    package var minimum: Int
    /// The events that each interval is measured between, in the contract's order of intervals; empty: not stated, and
    /// every mean is expected.
    package var intervalEvents: [(start: String, end: String)] = []
    /// All that trips of the release were ever measured between, in the same form.
    package var releasedIntervalEvents: [[(start: String, end: String)]] = []
    /// Whether every count of trips with or without a value, and every quotient over such a count, must be left out.
    package var omitsMissingCounts = false
    /// The events beside the trips, of any months; nil: none were read.
    package var events: [AuditedEvents]?
    /// All kinds of events there are, in their order.
    package var eventKinds: [String] = []
    /// What a document's `All` means.
    package var selection = AuditedSelection()

    package init(groups: [AuditedGroup], months: [String], regions: [String], tripTypes: [String], minimum: Int) {
        self.groups = groups
        self.months = months
        self.regions = regions
        self.tripTypes = tripTypes
        self.minimum = minimum
    }
}

/// Which part of a release a document is about; nil: all of it.
package struct AuditedSelection: Sendable, Hashable {
    package var months: Set<String>?
    package var regions: Set<String>?
    package var tripTypes: Set<String>?

    package init(months: Set<String>? = nil, regions: Set<String>? = nil, tripTypes: Set<String>? = nil) {
        self.months = months
        self.regions = regions
        self.tripTypes = tripTypes
    }

    func contains(_ leaf: AuditedLeaf) -> Bool {
        (regions?.contains(leaf.region) ?? true) && (tripTypes?.contains(leaf.tripType) ?? true)
    }

    var isEverything: Bool { months == nil && regions == nil && tripTypes == nil }
}

extension AuditedRelease {
    /// Months that a document has cells of.
    var shownMonths: [String] { months.filter { selection.months?.contains($0) ?? true } }

    /// Places of the intervals whose means other means add up to: from event to event these lead from the interval's
    /// start to its end.
    var placesWithoutMean: Set<Int> {
        releasedIntervalEvents.reduce(into: Self.placesWithoutMean(intervalEvents)) {
            $0.formUnion(Self.placesWithoutMean($1))
        }
    }

    private static func placesWithoutMean(_ intervalEvents: [(start: String, end: String)]) -> Set<Int> {
        // As the contract states it: duration, response, turnout, transport, scene, turnaround.
        let importance = [0, 1, 2, 4, 3, 5]
        var steps: [String: Set<String>] = [:]
        var without: Set<Int> = []
        for place in importance where place < intervalEvents.count {
            let (start, end) = intervalEvents[place]
            var reached: Set<String> = [start], open = [start]
            while let event = open.popLast() {
                for next in steps[event] ?? [] where reached.insert(next).inserted { open.append(next) }
            }
            if reached.contains(end) {
                without.insert(place)
            } else {
                steps[start, default: []].insert(end)
                steps[end, default: []].insert(start)
            }
        }
        return without
    }
}

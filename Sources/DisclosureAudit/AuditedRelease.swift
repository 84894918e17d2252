/// What was released: the groups, and what a reader is told the groups are of.
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

    /// Groups of all `months`, in any order.
    package var groups: [AuditedGroup]
    /// Released months `YYYY-MM`, ascending. Those that the selection leaves out serve the comparisons alone.
    package var months: [String]
    /// Months that are open, not released yet, or too small; ascending. As far as the selection reaches.
    package var withheldMonths: [String]
    /// All configured regions in their order, with `Unassigned`.
    package var regions: [String]
    /// All configured trip types in their order, with `Unassigned`.
    package var tripTypes: [String]
    /// Populations of released months of which nothing is published, since they are fewer than the minimum.
    package var unpublished: Set<MonthPopulation>
    /// Released months with trips now where none were released.
    package var pendingMonths: Set<String>
    /// Fewest trips, and patients where they are named, of a group.
    package var minimum: Int
    /// The events that each interval is measured between, in the contract's order of intervals; empty: not stated, and
    /// every mean is expected.
    package var intervalEvents: [(start: String, end: String)]
    /// All that trips of the release were ever measured between, in the same form.
    package var releasedIntervalEvents: [[(start: String, end: String)]] = []
    /// Whether every count of trips with or without a value, and every quotient over such a count, must be left out.
    package var omitsMissingCounts: Bool
    /// What a document's `All` means.
    package var selection: AuditedSelection

    package init(
        groups: [AuditedGroup], months: [String], withheldMonths: [String] = [], regions: [String],
        tripTypes: [String], unpublished: Set<MonthPopulation> = [], pendingMonths: Set<String> = [], minimum: Int = 11,
        intervalEvents: [(start: String, end: String)] = [], omitsMissingCounts: Bool = false,
        selection: AuditedSelection = AuditedSelection()
    ) {
        self.groups = groups
        self.months = months
        self.withheldMonths = withheldMonths
        self.regions = regions
        self.tripTypes = tripTypes
        self.unpublished = unpublished
        self.pendingMonths = pendingMonths
        self.minimum = minimum
        self.intervalEvents = intervalEvents
        self.omitsMissingCounts = omitsMissingCounts
        self.selection = selection
    }
}

extension AuditedRelease {
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

    /// The name of a region or trip type for trips that have none.
    static let unassigned = "Unassigned"
    /// Where a document sums.
    static let all = "All"

    /// Months that a document has cells of.
    var shownMonths: [String] { months.filter { selection.months?.contains($0) ?? true } }
}

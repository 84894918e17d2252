/// Whether the release shows how many trips have a value, and so how many lack it.
///
/// These counts are of missing values, not of people, so the release publishes them by default. An organisation whose
/// policy is stricter leaves them out, with every figure that they can be computed from.
package enum MissingCountPolicy: String, CaseIterable, Sendable, Hashable {
    case publish, omit
}

extension PublishedCell {
    /// Leaves out each count of trips with or without a value, and each quotient over such a count.
    ///
    /// The trips of the cell and its total cost stay, so a cost per trip would give the costed trips back. Exact means
    /// of a cell and of its parts would give back in which ratio the parts have the value.
    package mutating func omitMissingCounts() {
        costedTrips = nil
        costPerTripCents = nil
        for index in intervals.indices {
            intervals[index].used = nil
            intervals[index].excluded = nil
            intervals[index].meanTenths = nil
        }
    }
}

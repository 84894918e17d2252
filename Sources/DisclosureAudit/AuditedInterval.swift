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

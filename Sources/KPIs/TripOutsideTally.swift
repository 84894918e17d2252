/// A trip has a region, trip type or interval that is not among those of a tally.
package struct TripOutsideTally: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "a trip has a region, type or interval that is not in the store's lists" }
}

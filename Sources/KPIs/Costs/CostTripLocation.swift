/// The location of a trip: in a store its internal key, in exports the number of the file and the byte offset of the
/// record.
package struct CostTripLocation: Sendable, Hashable {
    package var high: Int64
    package var low: Int64

    package init(high: Int64, low: Int64) {
        self.high = high
        self.low = low
    }
}

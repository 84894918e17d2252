/// What an export says of a completed trip's bill, while it is read. Invoice, trip and vehicle are keyed digests of the
/// run; they mean nothing outside it and are in no output.
package struct BilledTrip: Sendable, Hashable {
    package var trip: CostTrip
    /// 0: none.
    package var invoice: UInt64 = 0
    /// Of the trip's id without its leg.
    package var tripID: UInt64 = 0
    /// 0: none.
    package var vehicle: UInt64 = 0
    /// Left scene to arrived, local seconds since 1970; nil unless both are there and in order.
    package var onBoard: Range<Int>?
    package var estimatedHundredths: Int?

    package init(_ trip: CostTrip) {
        self.trip = trip
    }
}

/// Who sent a bill.
struct Biller: Hashable {
    var id: Int32
    var name: Int32

    init(_ trip: CostTrip) {
        // Where there is an id, a name that is written in two ways is one provider.
        id = trip.providerID
        name = id == 0 ? trip.providerName : 0
    }
}

/// How many of a provider's trips of a month have an estimate for their mileage.
package struct EstimateShare: Sendable, Hashable {
    package static let leastTrips = 10
    /// 19 of 20.
    package static let leastShareInTwentieths = 19
    /// Both figures to a tenth of a mile: under half of one apart.
    static let tolerance = 5

    var both = 0
    var same = 0

    var isSuspect: Bool { both >= Self.leastTrips && same * 20 >= both * Self.leastShareInTwentieths }

    static func isSame(_ trip: BilledTrip) -> Bool? {
        guard let loaded = trip.trip.loadedHundredths, let estimate = trip.estimatedHundredths, estimate > 0 else {
            return nil
        }
        return abs(loaded - estimate) <= tolerance
    }
}

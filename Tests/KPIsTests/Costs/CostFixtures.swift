import Basics
import KPIs
import TestSupport
import Trips

/// A made-up fleet, the same for the same seed.
func makeTrips(_ count: Int, seed: UInt64) -> [CostTrip] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
        let month = Month(year: 2025, month: 1).index + Int32.random(in: 0..<15, using: &random)
        var trip = CostTrip(month: month, day: 20_000 + month)
        trip.providerID = Int32.random(in: 0..<4, using: &random)
        trip.contract = Int32.random(in: 0..<3, using: &random)
        trip.tripType = UInt8.random(in: 0..<3, using: &random)
        trip.sourcing = Sourcing.allCases.randomElement(using: &random) ?? .inHouse
        if Int.random(in: 0..<10, using: &random) > 0 { trip.costCents = Int.random(in: -500...90_000, using: &random) }
        if Int.random(in: 0..<10, using: &random) > 1 {
            trip.loadedHundredths = Int.random(in: 0...9_000, using: &random)
        }
        return trip
    }
}

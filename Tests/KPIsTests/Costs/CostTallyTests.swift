import Basics
import KPIs
import TestSupport
import Testing
import Trips

@Suite struct CostTallyTests {
    private func tally(_ trips: some Sequence<CostTrip>) -> CostTally {
        trips.reduce(into: CostTally()) { $0.add($1) }
    }

    private func merged(_ a: CostTally, _ b: CostTally) -> CostTally {
        var sum = a
        sum.merge(b)
        return sum
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func partsMergeIntoTheWholeInAnyOrder(seed: UInt64) {
        let trips = makeTrips(900, seed: seed)
        let (a, b, c) = (tally(trips[..<200]), tally(trips[200..<650]), tally(trips[650...]))
        let whole = tally(trips.shuffled())
        #expect(merged(merged(a, b), c) == whole)
        #expect(merged(a, merged(b, c)) == whole)
        #expect(merged(c, merged(b, a)) == whole)
        #expect(merged(CostTally(), a) == a)
        #expect(merged(a, CostTally()) == a)
        #expect(merged(a, b) != a)
    }

    @Test func removingUndoesAdding() {
        let trips = makeTrips(300, seed: 4)
        var changed = tally(trips)
        for trip in trips[..<120] { changed.remove(trip) }
        #expect(changed.withoutEmptyLines == tally(trips[120...]))
        // Changes may come before what they change.
        var changes = CostTally()
        for trip in trips[..<120] { changes.remove(trip) }
        #expect(merged(changes, tally(trips)).withoutEmptyLines == tally(trips[120...]))
    }

    @Test func sumsAreThoseOfTheTrips() {
        let trips = makeTrips(500, seed: 7)
        let total = tally(trips).total
        #expect(total.trips == 500)
        #expect(total.costedTrips == trips.count { $0.costCents != nil })
        #expect(total.costCents == trips.reduce(0) { $0 + ($1.costCents ?? 0) })
        #expect(total.loadedHundredths == trips.reduce(0) { $0 + ($1.loadedHundredths ?? 0) })
        let both = trips.filter { $0.costCents != nil && $0.loadedHundredths ?? 0 > 0 }
        #expect(total.costCentsWithMiles == both.reduce(0) { $0 + ($1.costCents ?? 0) })
        let byType = tally(trips).grouped { $0.tripType }
        #expect(byType.values.reduce(0) { $0 + $1.costCents } == total.costCents)
    }

    @Test func aTripWithoutACostIsNotOneOfCostZero() {
        var free = CostTrip(month: 24_300, day: 1), unknown = free
        free.costCents = 0
        unknown.costCents = nil
        let sums = tally([free, unknown]).total
        #expect(sums.trips == 2)
        #expect(sums.costedTrips == 1)
        #expect(sums.costPerTripCents == 0)
        #expect(tally([unknown]).total.costPerTripCents == nil)
    }

    @Test func aPartHasItsMonthsOnly() {
        let whole = tally(makeTrips(400, seed: 9))
        let first = Month(year: 2025, month: 3).index
        let part = whole.within(first...(first + 1))
        #expect(!part.lines.isEmpty)
        #expect(part.lines.keys.allSatisfy { (first...(first + 1)).contains($0.month) })
        #expect(
            part.total.trips
                == whole.grouped(by: \.month).filter { (first...(first + 1)).contains($0.key) }
                .values.reduce(0) { $0 + $1.trips })
    }
}

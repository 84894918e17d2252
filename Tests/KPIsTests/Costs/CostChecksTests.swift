import KPIs
import TestSupport
import Testing
import Trips

@Suite struct CostChecksTests {
    private func trip(_ cents: Int?, miles: Int? = 1_000, contract: Int32 = 5, type: UInt8 = 1) -> CostTrip {
        var trip = CostTrip(month: 24_300, day: 20_000)
        trip.providerID = 3
        trip.contract = contract
        trip.tripType = type
        trip.sourcing = .contracted
        trip.costCents = cents
        trip.loadedHundredths = miles
        return trip
    }

    private func judge(_ trips: [CostTrip]) -> CostChecks.Judge {
        trips.reduce(into: CostChecks()) { $0.add($1) }.finished()
    }

    @Test func aCostFarFromThoseOfItsPeersIsAnOutlier() {
        let usual = (1...40).map { trip(10_000 + 100 * $0) }
        let judge = judge(usual + [trip(99_000)])
        #expect(judge.flags(of: trip(99_000)) == CostFlags(.costOutlier))
        #expect(usual.allSatisfy { judge.flags(of: $0).isEmpty })
        // Another type has other peers.
        #expect(judge.flags(of: trip(99_000, type: 2)).isEmpty)
    }

    @Test func quartilesAreNearestRankAndTheBoundsBelongToTheUsual() throws {
        // Ranks 5, 10 and 15 of 20: 500, 1000, 1500; the spread is 1000. 500 − 3000 would be less than $0.00.
        let judge = judge((1...20).map { trip(100 * $0) })
        let usual = try #require(judge.usualCents(of: trip(0)))
        #expect(usual == 0...4_500)
        #expect(judge.flags(of: trip(0)).isEmpty && judge.flags(of: trip(-1)) == CostFlags(.costOutlier))
        #expect(judge.flags(of: trip(4_500)).isEmpty)
        #expect(judge.flags(of: trip(4_501)) == CostFlags(.costOutlier))
    }

    /// Where a quarter of the costs are refunds, a refund is usual.
    @Test func ofRefundsTheLowerBoundIsBelowZero() throws {
        let judge = judge((1...20).map { trip(100 * $0 - 1_000) })
        // −500, 0 and 500; the spread is 1000.
        #expect(judge.usualCents(of: trip(0)) == -3_500...3_500)
    }

    @Test func ofOnePriceATenthOfItIsTheSpread() throws {
        let judge = judge((1...30).map { _ in trip(20_000) })
        #expect(judge.usualCents(of: trip(0)) == 14_000...26_000)
    }

    @Test func tooFewCostsHaveNoOutliers() {
        let judge = judge((1...19).map { trip(100 * $0) })
        #expect(judge.flags(of: trip(99_999_999)).isEmpty)
    }

    @Test func spreadsOfPartsMerge() {
        let trips = makeTrips(600, seed: 21)
        var left = CostChecks(), right = CostChecks(), whole = CostChecks()
        for (index, trip) in trips.enumerated() {
            if index % 3 == 0 { left.add(trip) } else { right.add(trip) }
            whole.add(trip)
        }
        right.merge(left)
        #expect(right == whole)
        #expect(whole.groups.judged > 0)
    }

    @Test func milesOfZeroAndContractsWithoutNumberAreFlagged() {
        let judge = judge([])
        #expect(judge.flags(of: trip(1, miles: 0)) == CostFlags(.zeroMiles))
        #expect(judge.flags(of: trip(1, miles: nil)).isEmpty)
        #expect(judge.flags(of: trip(1, contract: 0)) == CostFlags(.noContractNumber))
        var own = trip(1, contract: 0)
        own.sourcing = .inHouse
        #expect(judge.flags(of: own).isEmpty)
    }

    @Test func allAreCountedAndTheDearestListed() {
        var findings = CostFindings(most: 10)
        var random = SplitMix64(seed: 5)
        let costs = (0..<500).map { _ in Int.random(in: 0...100_000, using: &random) }
        for (index, cost) in costs.enumerated() {
            findings.add(trip(cost), flags: CostFlags(.zeroMiles), at: CostTripLocation(high: 0, low: Int64(index)))
        }
        #expect(findings.totals[.zeroMiles]?.trips == 500)
        #expect(findings.totals[.zeroMiles]?.costCents == costs.reduce(0, +))
        #expect(findings.listed(.zeroMiles).compactMap(\.trip.costCents) == Array(costs.sorted(by: >).prefix(10)))
        #expect(findings.listed(.costOutlier).isEmpty)
    }
}

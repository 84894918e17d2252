import KPIs
import TestSupport
import Testing

@Suite struct CostChangeTests {
    @Test func volumeAndPriceAddUpToTheCent() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            let before = Int.random(in: 0...400, using: &random), after = Int.random(in: 0...400, using: &random)
            let old = before == 0 ? 0 : Int.random(in: -1_000...40_000_000, using: &random)
            let new = after == 0 ? 0 : Int.random(in: -1_000...40_000_000, using: &random)
            let change = try #require(
                CostChange(tripsBefore: before, costCentsBefore: old, tripsAfter: after, costCentsAfter: new))
            #expect(change.volumeCents + change.priceCents == new - old)
            guard before > 0 else { continue }
            // Against exact fractions: 2 · |volume · n − Δn · cost| is at most n.
            let error = change.volumeCents * before - (after - before) * old
            #expect(2 * abs(error) <= before)
            if after == 0 { #expect(change.priceCents == 0) }
            if after == before { #expect(change.volumeCents == 0) }
        }
    }

    @Test func halvesGoAwayFromZero() {
        #expect(CostChange(tripsBefore: 2, costCentsBefore: 1, tripsAfter: 3, costCentsAfter: 9)?.volumeCents == 1)
        #expect(CostChange(tripsBefore: 2, costCentsBefore: 1, tripsAfter: 1, costCentsAfter: 9)?.volumeCents == -1)
    }

    @Test func withoutTripsBeforeAllIsVolume() {
        let change = CostChange(from: nil, to: nil)
        #expect(change?.changeCents == 0)
        let new = CostChange(tripsBefore: 0, costCentsBefore: 0, tripsAfter: 4, costCentsAfter: 777)
        #expect(new?.volumeCents == 777)
        #expect(new?.priceCents == 0)
    }

    @Test func numbersTooLargeAreNil() {
        #expect(CostChange(tripsBefore: 3, costCentsBefore: .max / 2, tripsAfter: 90, costCentsAfter: 0) == nil)
    }
}

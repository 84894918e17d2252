import KPIs
import TestSupport
import Testing
import Trips

@Suite("Budgets") struct CostBudgetTests {
    private static func line(
        _ scope: BudgetScope, year: Int = 2025, trips: Int? = 1000, cents: Int? = 100_000_00
    ) -> BudgetLine {
        BudgetLine(fiscalYear: year, scope: scope, trips: trips, costCents: cents)
    }

    private static let north = BudgetScope(region: 1)
    private static let northRoutine = BudgetScope(region: 1, tripType: 2)
    private static let contracted = BudgetScope(sourcing: .contracted)

    @Test func aBlankContainsEverything() {
        #expect(BudgetScope().contains(Self.north) && Self.north.contains(Self.northRoutine))
        #expect(!Self.northRoutine.contains(Self.north) && !Self.north.contains(BudgetScope(region: 2)))
        #expect(Self.north.overlaps(Self.contracted) && !Self.north.overlaps(BudgetScope(region: 2)))
    }

    @Test func aPartOfAnotherLineIsNotCountedTwice() {
        let whole = Self.line(BudgetScope()), part = Self.line(Self.north), part2 = Self.line(Self.northRoutine)
        let other = Self.line(Self.north, year: 2026)
        let budget = CostBudget([part2, other, part, whole])
        #expect(budget.lines == [whole, part, part2, other])
        #expect(budget.lines.map(budget.isCounted) == [true, false, false, true])
        #expect(!budget.hasOverlap(in: 2025) && !budget.hasOverlap(in: 2026))
    }

    @Test func linesWithTripsInCommonHaveNoTotal() {
        let crossing = CostBudget([Self.line(Self.north), Self.line(Self.contracted)])
        #expect(crossing.hasOverlap(in: 2025))
        let apart = CostBudget([Self.line(Self.north), Self.line(BudgetScope(region: 2))])
        #expect(!apart.hasOverlap(in: 2025))
        let within = CostBudget([Self.line(Self.north), Self.line(Self.contracted), Self.line(BudgetScope())])
        #expect(!within.hasOverlap(in: 2025), "both are part of the whole, which is counted")
    }

    /// By hand: 600 of 1,200 trips and $300,000 of $600,000 to date; 100 trips more at $500; the rest is price.
    @Test func halfAYearByHand() throws {
        let plan = Self.line(BudgetScope(), trips: 1200, cents: 600_000_00)
        let variance = try #require(
            BudgetVariance(plan, months: 6, actualTrips: 700, actualCents: 371_000_00, costedTrips: 700))
        #expect(variance.planTripsToDate == 600 && variance.planCentsToDate == 300_000_00)
        #expect(variance.varianceCents == 71_000_00 && variance.varianceShare == 2367)
        #expect(variance.volumeCents == 50_000_00 && variance.priceCents == 21_000_00)
        #expect(variance.forecastTrips == 1400 && variance.forecastCents == 742_000_00)
        #expect(variance.forecastVarianceCents == 142_000_00 && variance.forecastVarianceShare == 2367)
    }

    /// By hand: 5/12 of 1,000 trips are 416.67, of $333,333.33 are $138,888.89; (430 − 416.67) × $333.33333 = $4,444.44.
    @Test func fractionsAreRoundedOnce() throws {
        let plan = Self.line(BudgetScope(), trips: 1000, cents: 33_333_333)
        let variance = try #require(
            BudgetVariance(plan, months: 5, actualTrips: 430, actualCents: 15_000_000, costedTrips: 430))
        #expect(variance.planTripsToDate == 417 && variance.planCentsToDate == 13_888_889)
        #expect(variance.varianceCents == 1_111_111 && variance.varianceShare == 800)
        #expect(variance.volumeCents == 444_444 && variance.priceCents == 666_667)
        #expect(variance.forecastCents == 36_000_000 && variance.forecastVarianceCents == 2_666_667)
    }

    @Test func withoutTripsThereIsNoVolume() throws {
        for trips in [nil, 0] {
            let plan = Self.line(BudgetScope(), trips: trips)
            let variance = try #require(
                BudgetVariance(plan, months: 12, actualTrips: 5, actualCents: 900, costedTrips: 5))
            #expect(variance.varianceCents == 900 - 100_000_00)
            #expect(variance.volumeCents == nil && variance.priceCents == nil)
        }
        let plan = Self.line(BudgetScope(), cents: nil)
        let variance = try #require(BudgetVariance(plan, months: 12, actualTrips: 5, actualCents: 900, costedTrips: 5))
        #expect(variance.varianceCents == nil && variance.volumeCents == nil && variance.forecastCents == 900)
        #expect(BudgetVariance(plan, months: 0, actualTrips: 0, actualCents: 0, costedTrips: 0) == nil)
    }

    /// By hand: $300 are planned a trip. 210 of 200 trips: 10 × $300. 180 have a cost, $30,000 together: $24,000 less than
    /// planned for them. 30 have none: $9,000. $3,000 − $24,000 − $9,000 = $30,000 − $60,000.
    @Test func tripsWithoutACostAreNoPrice() throws {
        let plan = Self.line(BudgetScope(), trips: 400, cents: 120_000_00)
        let variance = try #require(
            BudgetVariance(plan, months: 6, actualTrips: 210, actualCents: 30_000_00, costedTrips: 180))
        #expect(variance.varianceCents == -30_000_00 && variance.volumeCents == 3_000_00)
        #expect(variance.priceCents == -24_000_00 && variance.withoutCostCents == -9_000_00)
        let unknown = try #require(
            BudgetVariance(plan, months: 6, actualTrips: 210, actualCents: 30_000_00, costedTrips: nil))
        #expect(unknown.volumeCents == 3_000_00 && unknown.priceCents == nil && unknown.withoutCostCents == nil)
    }

    /// The cost of a costed trip above the planned one is a price above 0, however many trips have no cost.
    @Test func thePartsAddUpToTheCentAndThePriceHasItsSign() throws {
        var random = SplitMix64(seed: 15)
        for _ in 0..<500 {
            let trips = Int.random(in: 1...90_000, using: &random),
                cents = Int.random(in: 0...9_000_000_00, using: &random)
            let plan = Self.line(BudgetScope(), trips: trips, cents: cents)
            let actual = Int.random(in: 0...90_000, using: &random), costed = Int.random(in: 0...actual, using: &random)
            let cost = Int.random(in: -1_000_00...9_000_000_00, using: &random)
            let variance = try #require(
                BudgetVariance(
                    plan, months: Int.random(in: 1...12, using: &random), actualTrips: actual, actualCents: cost,
                    costedTrips: costed))
            let volume = try #require(variance.volumeCents), price = try #require(variance.priceCents)
            let without = try #require(variance.withoutCostCents)
            #expect(volume + price + without == variance.varianceCents)
            #expect(without <= 0)
            let exact = Double(cost) - Double(cents) / Double(trips) * Double(costed)
            // Plan to date, volume and the trips without a cost are rounded.
            #expect(abs(Double(price) - exact) <= 1.51)
        }
    }

    @Test func aYearThatHasEndedHasNoForecast() throws {
        let plan = Self.line(BudgetScope())
        let variance = try #require(
            BudgetVariance(plan, months: 4, actualTrips: 5, actualCents: 900, costedTrips: 5, hasEnded: true))
        #expect(variance.varianceCents != nil && variance.priceCents != nil)
        #expect(variance.forecastTrips == nil && variance.forecastCents == nil)
        #expect(variance.forecastVarianceCents == nil && variance.forecastVarianceShare == nil)
    }
}

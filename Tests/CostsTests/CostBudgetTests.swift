import Costs
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
        let variance = try #require(BudgetVariance(plan, months: 6, actualTrips: 700, actualCents: 371_000_00))
        #expect(variance.planTripsToDate == 600 && variance.planCentsToDate == 300_000_00)
        #expect(variance.varianceCents == 71_000_00 && variance.varianceShare == 2367)
        #expect(variance.volumeCents == 50_000_00 && variance.priceCents == 21_000_00)
        #expect(variance.forecastTrips == 1400 && variance.forecastCents == 742_000_00)
        #expect(variance.forecastVarianceCents == 142_000_00 && variance.forecastVarianceShare == 2367)
    }

    /// By hand: 5/12 of 1,000 trips are 416.67, of $333,333.33 are $138,888.89; (430 − 416.67) × $333.33333 = $4,444.44.
    @Test func fractionsAreRoundedOnce() throws {
        let plan = Self.line(BudgetScope(), trips: 1000, cents: 33_333_333)
        let variance = try #require(BudgetVariance(plan, months: 5, actualTrips: 430, actualCents: 15_000_000))
        #expect(variance.planTripsToDate == 417 && variance.planCentsToDate == 13_888_889)
        #expect(variance.varianceCents == 1_111_111 && variance.varianceShare == 800)
        #expect(variance.volumeCents == 444_444 && variance.priceCents == 666_667)
        #expect(variance.forecastCents == 36_000_000 && variance.forecastVarianceCents == 2_666_667)
    }

    @Test func withoutTripsThereIsNoVolume() throws {
        for trips in [nil, 0] {
            let plan = Self.line(BudgetScope(), trips: trips)
            let variance = try #require(BudgetVariance(plan, months: 12, actualTrips: 5, actualCents: 900))
            #expect(variance.varianceCents == 900 - 100_000_00)
            #expect(variance.volumeCents == nil && variance.priceCents == nil)
        }
        let plan = Self.line(BudgetScope(), cents: nil)
        let variance = try #require(BudgetVariance(plan, months: 12, actualTrips: 5, actualCents: 900))
        #expect(variance.varianceCents == nil && variance.volumeCents == nil && variance.forecastCents == 900)
        #expect(BudgetVariance(plan, months: 0, actualTrips: 0, actualCents: 0) == nil)
    }
}

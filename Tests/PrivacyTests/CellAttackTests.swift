import KPIs
import Privacy
import Testing
import TestSupport
import Trips

/// Someone who has one published cell and knows that every costed trip has the same price, which is the most that costs
/// can tell. No count that they can work out may be small.
struct CellAttackTests {
    private static let priceCents = 12_345

    @Test("No small count can be worked out inside a cell", arguments: UInt64(1)...40)
    func noSmallCountIsDerivable(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let truth = Self.randomCell(&random)
            let published = try Self.published(truth, mode: .suppressed)
            let small = Self.derivableCounts(published).filter { (1...10).contains($0) }
            #expect(small.isEmpty, "\(truth.sums)")
        }
    }

    @Test("The attack works: it finds small counts in what is not suppressed")
    func attackFindsSmallCounts() throws {
        var random = SplitMix64(seed: 7)
        let found = try (0..<200).count { _ in
            let open = try Self.published(Self.randomCell(&random), mode: .internalUse)
            return Self.derivableCounts(open).contains { (1...10).contains($0) }
        }
        #expect(found > 100)
    }

    @Test("Where no count is small nothing is hidden", arguments: UInt64(1)...20)
    func nothingIsHiddenWithoutReason(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let truth = Self.randomCell(&random, smallest: 11)
        #expect(try Self.published(truth, mode: .suppressed) == Self.published(truth, mode: .internalUse))
    }

    private static func published(_ truth: KPICell, mode: DisclosureMode) throws -> PublishedCell {
        var table = DisclosureControlTests.table { _ in }
        for index in table.cells.indices where table.cells[index].scope == truth.scope { table.cells[index] = truth }
        return try #require(
            try DisclosureControl(isComplementary: false).publish(table, mode: mode).cell(at: truth.scope))
    }

    /// What adding, subtracting and dividing the published figures gives.
    private static func derivableCounts(_ cell: PublishedCell) -> [Int] {
        var counts = [cell.trips, cell.cancelled, cell.noShow, cell.inHouse, cell.contracted, cell.unclassified]
        counts += cell.intervals.flatMap { [$0.used, $0.excluded, minus(cell.trips, $0.used)] }
        let mean = cell.costPerTripCents.flatMap { $0 > 0 ? $0 : nil }
        let costed = cell.costedTrips ?? quotient(cell.totalCostCents, mean)
        let others = minus(minus(cell.totalCostCents, cell.inHouseCostCents), cell.contractedCostCents)
        let costedByClass = [cell.inHouseCostCents, cell.contractedCostCents, others].map { quotient($0, mean) }
        counts += [costed, minus(cell.trips, costed)] + costedByClass
        counts += zip([cell.inHouse, cell.contracted, cell.unclassified], costedByClass).map(minus)
        counts.append(minus(minus(cell.trips, cell.inHouse), cell.contracted))
        return counts.compactMap { $0 }
    }

    private static func minus(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return nil }
        return left - right
    }

    private static func quotient(_ total: Int?, _ mean: Int?) -> Int? {
        guard let total, let mean else { return nil }
        return total / mean
    }

    /// Counts of 0, around the threshold, and large; none from 1 to below `smallest`.
    private static func randomCell(_ random: inout SplitMix64, smallest: Int = 1) -> KPICell {
        let sizes = [0, 1, 2, 9, 10, 11, 12, 25, 60].filter { $0 == 0 || $0 >= smallest }
        var sums = CellSums()
        for sourcing in Sourcing.allCases {
            let costed = sizes.randomElement(using: &random) ?? 0
            let uncosted = sizes.randomElement(using: &random) ?? 0
            sums.tripsBySourcing[sourcing] = costed + uncosted
            sums.costedTripsBySourcing[sourcing] = costed
            sums.costCentsBySourcing[sourcing] = costed * priceCents
        }
        sums.trips = sums.tripsBySourcing.total
        sums.cancelled = sizes.randomElement(using: &random) ?? 0
        sums.noShow = sizes.randomElement(using: &random) ?? 0
        let intervals = TripInterval.allCases.map { _ in
            let fitting = [0, 1, 10, 11, sums.trips].filter { excluded in
                [excluded, sums.trips - excluded].allSatisfy { $0 == 0 || $0 >= smallest }
            }
            let excluded = fitting.randomElement(using: &random) ?? 0
            let used = sums.trips - excluded
            return IntervalStatistics(
                used: used, excluded: excluded, sumSeconds: used * 60, p50Seconds: used == 0 ? nil : 60,
                p90Seconds: used == 0 ? nil : 60)
        }
        return KPICell(
            scope: CellScope(month: DisclosureControlTests.january), sums: sums, intervals: intervals,
            patients: .unknown)
    }
}

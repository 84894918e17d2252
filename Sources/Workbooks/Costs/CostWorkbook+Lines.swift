import Basics
import KPIs
import Reports
import Trips

/// The sheets of the ledger: costs by provider, contract, region, trip type and sourcing.
extension CostWorkbook {
    /// Of other trips than the cost and the loaded miles beside them: only of those that have both.
    private static let costWithMiles = "Cost of trips with miles"
    private static let milesWithCost = "Loaded miles of costed trips"

    private static func lineTable(
        _ name: String, _ keys: [String], _ lines: [[SheetCell]], totalNames: [String: String]
    ) -> SheetTable {
        SheetTable(
            name: name,
            columns: SheetTable.Column.texts(keys) + [
                .init(title: "Trips", unit: .count, isSummed: true),
                .init(title: "Costed trips", unit: .count, isSummed: true),
                .init(title: "Cost", unit: .cents, isSummed: true),
                .init(title: "Cost per trip", unit: .cents, derivation: .cost("Cost", per: "Costed trips")),
                .init(title: "Loaded miles", unit: .hundredthsOfMiles, isSummed: true, totalUnit: .tenthsOfMiles),
                .init(title: costWithMiles, unit: .cents, isSummed: true),
                .init(title: milesWithCost, unit: .hundredthsOfMiles, isSummed: true),
                .init(
                    title: "Cost per loaded mile", unit: .cents,
                    derivation: .cost(costWithMiles, perMile: milesWithCost)),
            ], lines: lines.sortedByKeys(), totals: .filtered, totalTitle: "All listed", totalNames: totalNames)
    }

    private static func line(_ keys: [String], _ sums: CostSums) -> [SheetCell] {
        let values: [ShownValue] = [
            .number(sums.trips, .count), .number(sums.costedTrips, .count), sums.shownCost,
            .known(sums.costPerTripCents, .cents), .number(sums.loadedHundredths, .hundredthsOfMiles),
            .number(sums.costCentsWithMiles, .cents), .number(sums.loadedHundredthsWithCost, .hundredthsOfMiles),
            .known(sums.costPerLoadedMileCents, .cents),
        ]
        return SheetCell.line(keys, values)
    }

    /// The period by provider, contract, region and sourcing.
    func providersSheet(_ ledger: CostLedger) -> SheetContent {
        let sums = ledger.period.grouped { $0.ofProvider }
        return ledgerSheet(
            "Providers", "Costs by provider, contract, region and sourcing",
            Self.lineTable(
                "Providers", Self.ledgerKeys.filter { $0 != "Trip type" },
                sums.map { Self.line(ledger.words.line($0, withType: false), $1) },
                totalNames: ["Cost": "Providers_cost_total"]))
    }

    /// Month × provider × contract × region × trip type × sourcing.
    func linesSheet(_ ledger: CostLedger) -> SheetContent {
        ledgerSheet(
            "Lines", "Costs by month, provider, contract, region, trip type and sourcing",
            Self.lineTable(
                "CostLines", ["Month"] + Self.ledgerKeys,
                ledger.period.lines.map { Self.line([Month(index: $0.month).description] + ledger.words.line($0), $1) },
                totalNames: ["Trips": "Lines_trips_total", "Cost": "Lines_cost_total"]))
    }

    private func ledgerSheet(
        _ name: String, _ title: String,
        _ table: SheetTable
    ) -> SheetContent {
        costSheet(
            name, title, paragraphs: [Self.bothText], notes: [.trips, .cost, .loadedMile],
            total: SheetTotal(
                trips: table.total(of: ["Trips"]) ?? 0, costCents: table.total(of: ["Cost"]) ?? 0), table)
    }

    /// The titles of `CostWords.line`.
    static let ledgerKeys = ["Provider id", "Provider", "Contract", "Region", "Trip type", "Sourcing"]

    static let bothText =
        "Cost per loaded mile is over the trips that have both a cost and loaded miles above zero; the cost of trips with "
        + "miles and the miles of costed trips are theirs. Loaded miles are of all trips; their total is rounded to a tenth, as in all workbooks."
}

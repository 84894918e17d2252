import Basics
import KPIContract
import Reports

/// Costs by region: each month, and each fiscal year.
extension CostWorkbook {
    /// All of them together, then each region.
    private var regions: [String] { report.summary.filters.regions }

    /// Why the regions of a release have less than its months.
    private var regionRest: String? { report.isInternal ? nil : "shown only together with other regions" }

    private func isRegion(_ line: [SheetCell]) -> Bool { line[1] != .text(CellKey.all) }

    /// Month by region; the lines that say All are the months.
    func regionsSheet() -> SheetContent {
        let hasUnclassified = hasUnclassifiedCost
        let lines = tableMonths.map(\.description).flatMap { month in
            regions.filter { $0 == CellKey.all || figures[month, $0] != nil }.map { region -> [SheetCell] in
                SheetCell.line(
                    [month, region], costValues(figures[month, region], hasUnclassified: hasUnclassified))
            }
        }
        let table = costTable(
            "RegionCosts", ["Month", "Region"], lines, parts: "Region", hasUnclassified: hasUnclassified)
        return costSheet(
            "Regions", "Costs by month, region and sourcing",
            paragraphs: [
                "Lines that say All are whole months, and the totals add up only these. \(Self.milesText)",
                "Cost per loaded mile: \(loadedMileText)",
            ], notes: [.trips, .cost, .loadedMile],
            total: SheetTotal(
                trips: table.total(of: ["Trips"], where: isRegion) ?? 0,
                costCents: table.total(of: ["Cost"], where: isRegion) ?? 0, rest: regionRest), table)
    }

    /// Cost of each fiscal year, region and sourcing by month.
    func regionYearsSheet() -> SheetContent {
        let lines = yearLines(of: regions) { ["FY\($0)", $1, $2] }
        let table = SheetTable(
            name: "RegionYears", columns: Self.yearColumns(["Fiscal year", "Region", "Measure"], isSummed: false),
            lines: lines, totals: .blank)
        let cost = table.total(of: Self.monthNames) { isRegion($0) && $0[2] == .text(Self.costMeasure) }
        return costSheet(
            "Region years", "Fiscal years by region, October to September",
            paragraphs: ["Lines that say All are all regions of the workbook."], notes: [.cost, .years],
            facts: partialYearFacts,
            total: SheetTotal(costCents: cost ?? 0, rest: regionRest), table)
    }
}

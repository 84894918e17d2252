package import Basics
package import KPIContract

/// What of a document follows from its cells: totals, cards, comparisons, control charts, targets, the headline.
///
/// The writer of a document and its auditor use it, so a derived figure is checked by being equal to what the cells give.
package struct DocumentDerivation: Sendable {
    private let everyMonth: [KPISummaryV1.Cell]
    private let firstOpenMonth: Month?
    private let targets: [MeasureTarget]
    private let monthsLeftOut: [String]

    /// - Parameters:
    ///   - everyMonth: cells of the same regions and trip types in all months, also those that the document does not show.
    ///   - firstOpenMonth: this month and later ones are under way; nil: every month is over.
    ///   - targets: what measures are to reach.
    ///   - monthsLeftOut: months without cells that the document names as withheld.
    package init(
        everyMonth: [KPISummaryV1.Cell], firstOpenMonth: Month?, targets: [MeasureTarget], monthsLeftOut: [String]
    ) {
        self.everyMonth = everyMonth
        self.firstOpenMonth = firstOpenMonth
        self.targets = targets
        self.monthsLeftOut = monthsLeftOut
    }

    /// The document with everything that follows from its cells computed again.
    package func applied(to document: KPISummaryV1) -> KPISummaryV1 {
        let regions = document.filters.regions, tripTypes = document.filters.tripTypes
        let partial = document.partialMonths ?? [], isRelease = document.audience == KPISummaryV1.releaseAudience
        let derived = DerivedFigures(
            document.cells, lastClosed: lastClosed(document.cells)?.description, partialMonths: partial,
            isRelease: isRelease, intervalEvents: document.intervalEvents ?? [])
        let charts = SummaryReport.controlCharts(
            of: everyMonth.filter {
                regions.contains($0.region) && tripTypes.contains($0.tripType) && !partial.contains($0.month)
            }, lastClosed: lastClosed(everyMonth), isRelease: isRelease)
        var document = document
        document.totalTrips = derived.totalTrips
        document.avgDuration = derived.avgDuration
        document.inHousePercent = derived.inHousePercent
        document.cost = derived.cost
        document.chartData = derived.chartData
        document.months = derived.months
        document.withheldMonths = (derived.hiddenMonths + monthsLeftOut).sorted()
        document.kpiCards = derived.cards(charts)
        document.filters.months = [CellKey.all] + derived.months
        document.withheldHeadlines = derived.withheldHeadlines
        document.comparisons = derived.comparisons(
            everyMonth.filter {
                $0.month != CellKey.all && $0.region == CellKey.all && $0.tripType == CellKey.all
            })
        document.controlCharts = charts
        document.targets = derived.targets(regions: regions, tripTypes: tripTypes) {
            targets.target(of: $0, region: $1, tripType: $2)?.figure
        }
        document.headline = derived.headline(charts, regions: Array(regions.dropFirst()))
        document.qualityShares?.take(derived)
        document.privacy.suppressedCells = derived.suppressedCells
        document.privacy.statement = KPISummaryV1.statement(
            KPISummaryV1.statementWithoutHeadlines(document.privacy.statement),
            withheldHeadlines: derived.withheldHeadlines)
        return document
    }

    /// The last month that is over.
    private func lastClosed(_ cells: [KPISummaryV1.Cell]) -> Month? {
        cells.compactMap { Month($0.month) }.filter { month in firstOpenMonth.map { month < $0 } ?? true }.max()
    }
}

import KPIContract
import KPIs
import Privacy
import Reports
import Trips

/// The release that readers have. A month of it may be released again only with the same figures: a new store, or a copy
/// of the store from before the release, has other trips, and readers could subtract one release from the other.
struct PublishedRelease {
    private let summary: KPISummaryV1?
    private let context: KPITally.TableContext
    private let missingCounts: MissingCountPolicy

    /// - Parameter summary: nil: readers have nothing.
    init(_ summary: KPISummaryV1?, _ context: KPITally.TableContext, missingCounts: MissingCountPolicy) {
        self.summary = summary
        self.context = context
        self.missingCounts = missingCounts
    }

    /// - Parameters:
    ///   - months: about to be released for the first time by this store.
    ///   - tally: of their trips.
    /// - Throws: `DisclosureError.releasedByAnotherStore`.
    func requireSame(_ months: [ReleasedMonth], in tally: KPITally) throws {
        guard let summary else { return }
        let again = months.filter { summary.months.contains($0.month.description) }
        let changed = try again.filter { try !isSame($0, summary, tally) }
        guard changed.isEmpty else {
            throw DisclosureError.releasedByAnotherStore(months: changed.map(\.month.description))
        }
    }

    private func isSame(_ month: ReleasedMonth, _ summary: KPISummaryV1, _ tally: KPITally) throws -> Bool {
        func isOfMonth(_ cell: KPISummaryV1.Cell) -> Bool { cell.month == month.month.description }
        func key(_ cell: KPISummaryV1.Cell) -> [String] { [cell.region, cell.tripType] }
        let publishable = try Publishable(
            releasing: [month], tally: tally, withholding: [], context: context,
            minimumCell: month.partition.minimumCell, missingCounts: missingCounts)
        let cells = SummaryReport.cells(of: publishable).filter(isOfMonth)
        let known = Dictionary(
            summary.cells.filter(isOfMonth).map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        // Rows of Unassigned are there if any month of the release may have such trips.
        return cells.allSatisfy { cell in known[key(cell)].map { $0 == cell } ?? (cell.trips ?? 0 == 0) }
    }
}

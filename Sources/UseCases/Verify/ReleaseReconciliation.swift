import KPIContract
import KPIs
import Privacy
import Reporting
import Reports
import Store
import Trips

/// A published release against the releases that the store has recorded.
struct ReleaseReconciliation {
    private let store: TripStore
    private let limits: MonthLimits

    init(_ store: TripStore, months limits: MonthLimits) {
        self.store = store
        self.limits = limits
    }

    /// Cells that are not those of the recorded groups; each in words, without a figure.
    func contradictions(to summary: KPISummaryV1) throws -> [String] {
        let shape = try store.shape()
        // A tally that cannot be used is a finding of its own; without it pending revisions are unknown.
        var current: KPITally?
        do { current = try store.tally(of: nil, shape: shape) } catch StoreError.stale, StoreError.damaged {}
        let rule = PartitionRule(minimumCell: summary.privacy.minimumCell)
        let register = ReleaseRegister(store: store, rule: rule, months: limits)
        let releases = try store.releases(), exports = try store.exports()
        let released = try register.figures(releases, current: current ?? KPITally(shape: shape))
        let lists = try store.lists()
        let publishable = try Publishable(
            releasing: released.months, tally: released.tally, withholding: [],
            context: KPITally.TableContext(
                regions: lists.regions, tripTypes: lists.tripTypes,
                intervalPairs: exports.map(SourceReading.init).intervalPairs,
                releasedPairs: StoreFigures.releasedPairs(
                    exports.map(\.intervalPairs), released.months.map(\.partition))),
            minimumCell: summary.privacy.minimumCell,
            missingCounts: summary.omitsMissingCounts ? .omit : .publish)
        let expected = SummaryReport.cells(of: publishable)
        guard expected.count == summary.cells.count else { return ["the cells are not those of the released months"] }
        return zip(summary.cells, expected).compactMap { cell, expected in
            var cell = cell, expected = expected
            if current == nil {
                cell.revisionPending = nil
                expected.revisionPending = nil
            }
            // An earlier version published other figures of the same groups. The next run publishes these again.
            let isSame =
                summary.groups == nil
                ? cell.trips == expected.trips && cell.complete == expected.complete : cell.agrees(with: expected)
            guard !isSame else { return nil }
            return "\(cell.month), \(cell.region), \(cell.tripType): not the figures of its groups"
        }
    }
}

import Basics
import KPIContract
import Privacy
import Publishing
import Store

/// Which published sets may have what was removed from the store: those that were made before the removal.
struct RemovalCutoff {
    private let times: RemovalTimes
    private let firstMonth: Month?
    /// A set of a later time was made by a clock that was ahead, maybe before a removal.
    private let now: UTCTime

    init(_ store: TripStore, at now: UTCTime) throws {
        self.now = now
        times = try store.removalTimes()
        firstMonth = try store.firstKeptMonth()
    }

    /// The cutoff of a publication, which dates the removals since the last one. Their time is later than that of every staff set
    /// that was made until now: two commands may be done in one second.
    init(_ store: TripStore, publishingTo published: PublishedSets, at now: UTCTime) throws {
        if try store.removalTimes().trips == RemovalTimes.undated {
            let newest = try published.folder(.staff).list().compactMap { $0.generatedAt.flatMap(UTCTime.init) }
                .filter { $0 <= now }.max()
            let next = newest.map { $0.secondsSince1970 + 1 } ?? 0
            try store.dateRemovals(at: max(now.secondsSince1970, next))
        }
        try self.init(store, at: now)
    }

    /// Whether anything was ever removed.
    var hasRemovals: Bool { times.trips != nil }

    /// Whether a set may have removed trips as rows.
    ///
    /// - Parameter generatedAt: RFC 3339; nil: not known.
    func precedes(_ generatedAt: String?) -> Bool { isEarlier(generatedAt, than: times.trips) }

    /// A summary as far as later figures may be compared with it: the difference would state what was removed. Trips that leave by
    /// their age are whole months, and only these are left out.
    func comparable(_ summary: KPISummaryV1?) -> KPISummaryV1? {
        guard var summary, !isEarlier(summary.generatedAt, than: times.named) else { return nil }
        guard let first = firstMonth?.description else { return summary }
        summary.cells.removeAll { $0.month != CellKey.all && $0.month < first }
        summary.restatements?.removeAll { $0.month < first }
        return summary
    }

    private func isEarlier(_ generatedAt: String?, than removal: Int?) -> Bool {
        guard let removal else { return false }
        guard let time = generatedAt.flatMap({ UTCTime($0) }) else { return true }
        return time.secondsSince1970 < removal || time > now
    }
}

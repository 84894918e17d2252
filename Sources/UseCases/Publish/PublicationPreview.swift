package import Basics
import KPIs
import Privacy
import Reporting
import Rules
import Settings
import Store

/// `publish --preview`: what would be released, without releasing it. Nothing is written or locked.
package struct PublicationPreview: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings

    package init(_ site: StoreSite, _ figures: FigureSettings) {
        self.site = site
        self.figures = figures
    }

    /// - Parameter now: the time of the publication.
    /// - Throws: `StoreError.stale` if a run was stopped: the next run or `publish` finishes its months.
    package func lines(revision: RevisionRequest, at now: UTCTime) throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        let store = try TripStore(reading: site.store)
        let tally = try store.tally(shape: store.shape())
        var shown = tally
        shown.removeMonths(outside: figures.months)
        let rule = figures.disclosure.rule
        let plan = try PublicationPlan(
            ReleaseRegister(store: store, rule: rule, months: figures.months),
            ReleaseRevision(store: store, rule: rule),
            PublicationPlan.Request(
                tally: shown, rulesVersion: figures.rules.version, schedule: figures.disclosure.revisions,
                revision: revision, generatedAt: now,
                approval: .never, isApproved: false),
            everyMonth: { tally }, check: nil)
        let stored = try store.rules().version == figures.rules.version
        let note =
            stored ? [] : ["the rules have changed since the last run: the next one classifies all trips again first"]
        return try ReleasePreview(plan, tally: tally, store: store).lines() + note
    }
}

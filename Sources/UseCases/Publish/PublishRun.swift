import Basics
import Operations
import Publishing
import Reporting
import Store

/// `publish`: publishes the store as it is, without looking for exports.
package struct PublishRun: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings
    private let policy: PublicationPolicy

    package init(_ site: StoreSite, _ figures: FigureSettings, _ policy: PublicationPolicy) {
        self.site = site
        self.figures = figures
        self.policy = policy
    }

    /// Months that a stopped run left unfinished are tallied first, and trips are classified again if the rules have
    /// changed.
    ///
    /// - Throws: `StoreError.missing` without a store, `PublishingError.nothingPublished` if the store holds no export.
    package func publish(
        _ request: PublishRequest = PublishRequest(), _ environment: RunEnvironment
    ) throws -> NightlyOutcome {
        try WritingSession.run(site, environment) { session in
            if request.acceptsClock {
                let newest = try session.store.newestTime()
                try session.audit.recording(
                    .acceptClock, isUndone: { try session.store.newestTime() == newest }
                ) { try session.store.takeBackTimes(after: environment.generatedAt.secondsSince1970) }
            } else {
                try session.requireClock(for: policy.audiences)
            }
            try session.adoptRules(of: figures)
            let months = try session.refreshTallies()
            if !months.isEmpty { environment.tell(.monthsTouched(months)) }
            try environment.checkpoint()
            var outcome = NightlyOutcome()
            try StorePublication(session, figures, policy, request).publish(into: &outcome)
            guard outcome.publication != nil else { throw PublishingError.nothingPublished(root: site.reports) }
            return outcome
        }
    }
}

import Operations
import Publishing
import Releases
import Scans
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
            let published = PublishedSets(root: site.reports), now = environment.generatedAt
            if request.acceptsClock {
                let time = UTCTime(secondsSince1970: now).description
                // Another set would take the place of the one that a person holds.
                if let held = try published.laterHeldSet(than: time) { throw PublishingError.heldLater(run: held) }
                try session.audit?.record(.acceptClock)
                try session.store.takeBackTimes(after: now)
            } else {
                try ClockCheck(store: session.store, published: published).require(now)
            }
            try session.adoptRules(of: figures)
            let months = try session.refreshTallies()
            if !months.isEmpty { environment.tell(.monthsTouched(months)) }
            try environment.checkpoint()
            var outcome = NightlyOutcome()
            let result = Result { try StorePublication(session, figures, policy, request).publish(into: &outcome) }
            // Also where nothing could be published: the later sets would refuse the next night too.
            if request.acceptsClock {
                try published.removeSets(after: UTCTime(secondsSince1970: now).description)
            }
            try result.get()
            guard outcome.publication != nil else { throw PublishingError.nothingPublished(root: site.reports) }
            return outcome
        }
    }
}

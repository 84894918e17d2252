package import Basics
import Keys
import Operations
import Reporting
package import Store
package import Trips

/// `purge`: trips leave the store and the crosswalk for good, and the sets that have them as rows are replaced.
package struct TripRemoval: Sendable {
    /// What is to be removed, by the names that people have for it.
    package struct Request: Sendable {
        package var before: Month?
        /// Trip and leg; the leg is empty where there is none.
        package var trips: [(trip: Sensitive<String>, leg: Sensitive<String>)]
        package var patients: [Sensitive<String>]
        package var publicIDs: [PublicTripID]

        package init(
            before: Month? = nil, trips: [(trip: Sensitive<String>, leg: Sensitive<String>)] = [],
            patients: [Sensitive<String>] = [], publicIDs: [PublicTripID] = []
        ) {
            self.before = before
            self.trips = trips
            self.patients = patients
            self.publicIDs = publicIDs
        }
    }

    package struct Outcome: Sendable {
        package var removed: RemovedTrips
        package var nightly: NightlyOutcome
    }

    private let site: StoreSite
    private let figures: FigureSettings
    private let policy: PublicationPolicy

    package init(_ site: StoreSite, _ figures: FigureSettings, _ policy: PublicationPolicy) {
        self.site = site
        self.figures = figures
        self.policy = policy
    }

    /// What would be removed. Nothing changes.
    package func preview(_ request: Request, _ environment: RunEnvironment) throws -> RemovedTrips {
        try WritingSession.run(site, environment) { session in
            try session.preview(removal(request, session), figures.rules)
        }
    }

    /// Removes, and publishes what is left where anything is published.
    package func run(_ request: Request, _ environment: RunEnvironment) throws -> Outcome {
        try WritingSession.run(site, environment) { session in
            try session.requireClock(for: policy.audiences)
            let removal = try removal(request, session)
            try session.adoptRules(of: figures)
            var outcome = Outcome(removed: try session.remove(removal, figures.rules), nightly: NightlyOutcome())
            guard try PublishedSets(root: site.reports).newestID() != nil else { return outcome }
            try StorePublication(session, figures, policy).publish(into: &outcome.nightly)
            return outcome
        }
    }

    private func removal(_ request: Request, _ session: WritingSession) throws -> Removal {
        let now = session.environment.generatedAt.day.month
        if let month = request.before, month > now { throw TripRemovalError.monthNotOver(month.advanced(by: -1)) }
        let isNamed =
            request.before != nil || !request.publicIDs.isEmpty || !request.trips.isEmpty || !request.patients.isEmpty
        guard isNamed else { throw TripRemovalError.nothingNamed }
        var removal = Removal(before: request.before)
        for id in request.publicIDs {
            guard let key = try session.store.tripKey(of: id) else { throw TripRemovalError.unknownPublicID }
            removal.trips.insert(key)
        }
        // An id is hashed together with its source.
        for source in Set(try session.store.exports().map { $0.supplements ?? $0.source }) {
            let pseudonymizer = Pseudonymizer(key: session.key, source: source)
            for (trip, leg) in request.trips {
                removal.trips.insert(
                    pseudonymizer.tripKey(
                        tripID: Array(trip.revealed(for: .removing).utf8),
                        legID: Array(leg.revealed(for: .removing).utf8)))
            }
            for patient in request.patients {
                removal.patients.insert(pseudonymizer.patient(Array(patient.revealed(for: .removing).utf8)))
            }
        }
        return removal
    }
}

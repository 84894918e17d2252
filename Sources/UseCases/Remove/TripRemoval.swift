package import Basics
import Files
import Keys
import Operations
import Reporting
import Store
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

    private let site: StoreSite
    private let figures: FigureSettings
    private let policy: PublicationPolicy

    package init(_ site: StoreSite, _ figures: FigureSettings, _ policy: PublicationPolicy) {
        self.site = site
        self.figures = figures
        self.policy = policy
    }

    /// What would be removed, a line each. Nothing changes.
    package func preview(_ request: Request, _ environment: RunEnvironment) throws -> [String] {
        try WritingSession.run(site, environment) { session in
            let (removal, names) = try removal(request, session)
            if isUnknown(request, removal) { throw TripRemovalError.unknownPublicID }
            return try session.preview(removal, figures.rules).lines(names, isDone: false)
        }
    }

    /// Removes, and publishes what is left where anything is published.
    ///
    /// - Parameter report: receives what was removed, a line each, before the tallies are made again and anything is published:
    ///   a repetition of the command could not say it.
    package func run(
        _ request: Request, _ environment: RunEnvironment, report: ([String]) throws -> Void
    ) throws -> NightlyOutcome {
        try WritingSession.run(site, environment) { session in
            try session.requireClock(for: policy.audiences)
            let (removal, names) = try removal(request, session)
            // A removed trip has no public id any more: the command may be repeated because the publication failed.
            if try isUnknown(request, removal) && !session.hasUnpublishedRemoval(policy.audiences) {
                throw TripRemovalError.unknownPublicID
            }
            try session.adoptRules(of: figures)
            // What cannot be printed must not leave old sets published.
            var printed = Result<Void, any Error>.success(())
            func tell(_ removed: RemovedTrips) { printed = Result { try report(removed.lines(names, isDone: true)) } }
            _ = try session.remove(removal, figures.rules, report: tell)
            var outcome = NightlyOutcome()
            if try PublishedSets(root: site.reports).newestID() != nil {
                try StorePublication(session, figures, policy).publish(into: &outcome)
            }
            do { try printed.get() } catch let error as FileError {
                throw TripRemovalError.notPrinted(reason: error.reason)
            }
            return outcome
        }
    }

    /// Whether public ids are all that was named, and no trip has one of them.
    private func isUnknown(_ request: Request, _ removal: Removal) -> Bool {
        removal == Removal() && request.trips.isEmpty && request.patients.isEmpty
    }

    private func removal(_ request: Request, _ session: WritingSession) throws -> (Removal, RequestedNames) {
        let now = session.environment.generatedAt.day.month
        if let month = request.before, month > now { throw TripRemovalError.monthNotOver(month.advanced(by: -1)) }
        let isNamed =
            request.before != nil || !request.publicIDs.isEmpty || !request.trips.isEmpty || !request.patients.isEmpty
        guard isNamed else { throw TripRemovalError.nothingNamed }
        var removal = Removal(before: request.before), names = RequestedNames(try session.store.keptOut())
        for id in request.publicIDs {
            let key = try session.store.tripKey(of: id)
            names.add(publicID: id, isKnown: key != nil)
            if let key { removal.trips.insert(key) }
        }
        // An id is hashed together with its source.
        let sources = Set(try session.store.exports().map { $0.supplements ?? $0.source })
        // Without an export the ids are only counted.
        for source in sources.isEmpty ? [""] : sources {
            let pseudonymizer = Pseudonymizer(key: session.key, source: source)
            for (number, (trip, leg)) in request.trips.enumerated() {
                let key = pseudonymizer.tripKey(
                    tripID: Array(trip.revealed(for: .removing).utf8), legID: Array(leg.revealed(for: .removing).utf8))
                names.add(trip: key, number: number)
                if !sources.isEmpty { removal.trips.insert(key) }
            }
            for (number, patient) in request.patients.enumerated() {
                let pseudonym = pseudonymizer.patient(Array(patient.revealed(for: .removing).utf8))
                names.add(patient: pseudonym, number: number)
                if !sources.isEmpty { removal.patients.insert(pseudonym) }
            }
        }
        return (removal, names)
    }
}

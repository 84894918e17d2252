import Reporting
import Basics
import Keys
import Operations
import Rules
import Store
import Trips

extension WritingSession {
    /// Removes trips of earlier months, and keeps them out, unless that was done before.
    ///
    /// - Parameter rules: nil only for a store without trips.
    func removeTrips(before month: Month, _ rules: RuleSet? = nil) throws {
        if let first = try store.firstKeptMonth(), first >= month { return }
        _ = try remove(Removal(before: month), rules)
    }

    /// Removes trips for good, from the store and from the crosswalk, and tallies their months again.
    ///
    /// - Parameter rules: those of the store: a trip that loses a part is classified again.
    func remove(_ removal: Removal, _ rules: RuleSet?) throws -> RemovedTrips {
        let crosswalk = try crosswalk(without: removal)
        var changes = try loadSession(rules)
        let removalsBefore = try store.removals()
        var recorded: RemovedTrips?
        func fill(_ removed: RemovedTrips) -> (inout AuditEntry) -> Void {
            { $0.counts = [("trips", removed.trips.count), ("records", removed.versions)] }
        }
        let removed: RemovedTrips
        do {
            removed = try store.remove(removal, session: &changes) { removed in
                try audit?.record(.purge, fill(removed))
                recorded = removed
                return try crosswalk?.write(without: removed)
            }
        } catch {
            // Each removal that is done changes what is kept out.
            if let recorded, (try? store.removals()) == removalsBefore {
                try? audit?.recordRefused(.purge, fill(recorded))
            }
            throw error
        }
        try crosswalk?.rewriting.finish(store.crosswalkMark())
        try refreshTallies(changes)
        environment.tell(
            .tripsRemoved(
                removed.trips.count, versions: removed.versions, firstMonth: try store.firstKeptMonth(),
                frozen: removed.frozenMonths))
        if try !store.eraseRemains() { environment.tell(.storeLogKept()) }
        return removed
    }

    /// What a removal would take out.
    func preview(_ removal: Removal, _ rules: RuleSet) throws -> RemovedTrips {
        _ = try crosswalk(without: removal)
        return try store.preview(removal, session: loadSession(rules))
    }

    /// Nil: the store was loaded without one.
    private func crosswalk(without removal: Removal) throws -> PurgedCrosswalk? {
        guard let mark = try store.crosswalkMark() else { return nil }
        guard let place = site.crosswalk else { throw TripRemovalError.crosswalkIsOff }
        return PurgedCrosswalk(
            rewriting: CrosswalkRewriting(place, credentials: site.credentials), mark: mark, key: key, removal: removal,
            keptOut: try store.keptOut())
    }

    private func loadSession(_ rules: RuleSet?) throws -> LoadSession {
        try store.session(
            shape: store.shape(),
            completion: rules.map { TripCompletion($0, texts: store.texts, areAdoptedLater: false) })
    }
}

/// A crosswalk on its way to be without the identifiers of removed trips.
private struct PurgedCrosswalk {
    let rewriting: CrosswalkRewriting
    /// Of the file as it is.
    let mark: CrosswalkMark
    let key: PseudonymKey
    let removal: Removal
    /// What was removed before.
    let keptOut: KeptOut

    /// - Returns: the mark of the new file.
    func write(without removed: RemovedTrips) throws -> CrosswalkMark {
        let gone = removed.trips.union(removal.trips)
        var pseudonymizers: [String: Pseudonymizer] = [:]
        return try rewriting.write(mark: mark) { source, trip, leg, patient in
            let pseudonymizer = pseudonymizers[source] ?? Pseudonymizer(key: key, source: source)
            pseudonymizers[source] = pseudonymizer
            let tripKey = pseudonymizer.tripKey(tripID: trip, legID: leg)
            let patient = patient.isEmpty ? 0 : pseudonymizer.patient(patient)
            return !gone.contains(tripKey) && !removal.patients.contains(patient)
                && !keptOut.names(tripKey, patient: patient)
        }
    }
}

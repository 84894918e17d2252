import Keys
import Operations
import Rules
import Scans
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
        try requireCrosswalk()
        var changes = try loadSession(rules)
        let planned = try store.preview(removal, session: changes)
        let removed = try audit.recording(
            .purge,
            { $0.counts = [("trips", planned.trips.count), ("records", planned.versions)] },
            isUndone: { try planned.versions > 0 && store.preview(removal, session: changes) == planned }
        ) {
            let mark = try rewriteCrosswalk(without: removal, planned)
            let removed = try store.remove(removal, crosswalk: mark, session: &changes)
            if let place = site.crosswalk { try CrosswalkRewriting(place, credentials: site.credentials).finish(mark) }
            return removed
        }
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
        try requireCrosswalk()
        return try store.preview(removal, session: loadSession(rules))
    }

    private func requireCrosswalk() throws {
        if try site.crosswalk == nil && store.crosswalkMark() != nil { throw TripRemovalError.crosswalkIsOff }
    }

    private func loadSession(_ rules: RuleSet?) throws -> LoadSession {
        try store.session(
            shape: store.shape(),
            completion: rules.map { TripCompletion($0, texts: store.texts, areAdoptedLater: false) })
    }

    /// - Returns: the mark of the new file; nil where there is no crosswalk.
    private func rewriteCrosswalk(without removal: Removal, _ removed: RemovedTrips) throws -> CrosswalkMark? {
        guard let mark = try store.crosswalkMark() else { return nil }
        guard let place = site.crosswalk else { throw TripRemovalError.crosswalkIsOff }
        let gone = removed.trips.union(removal.trips), before = try store.keptOut()
        var pseudonymizers: [String: Pseudonymizer] = [:]
        return try CrosswalkRewriting(place, credentials: site.credentials).write(mark: mark) {
            source, trip, leg, patient in
            let pseudonymizer = pseudonymizers[source] ?? Pseudonymizer(key: key, source: source)
            pseudonymizers[source] = pseudonymizer
            let key = pseudonymizer.tripKey(tripID: trip, legID: leg)
            let patient = patient.isEmpty ? 0 : pseudonymizer.patient(patient)
            return !gone.contains(key) && !removal.patients.contains(patient) && !before.names(key, patient: patient)
        }
    }
}

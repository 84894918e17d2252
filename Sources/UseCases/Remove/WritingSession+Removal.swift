import Basics
import Files
import Keys
import Operations
import Reporting
import Rules
import Store
import Trips

extension WritingSession {
    /// Removes trips of earlier months, and keeps them out, unless that was done before. Where nothing leaves, only the first month
    /// moves on: the audit log has no entry of it, and the crosswalk stays as it is.
    ///
    /// - Parameter rules: nil only for a store without trips.
    func removeTrips(before month: Month, _ rules: RuleSet? = nil) throws {
        if let first = try store.firstKeptMonth(), first >= month { return }
        _ = try remove(Removal(before: month), rules, isAsked: false)
    }

    /// Removes trips for good, from the store and from the crosswalk, and tallies their months again.
    ///
    /// - Parameters:
    ///   - rules: those of the store: a trip that loses a part is classified again.
    ///   - isAsked: whether a person asks for it, who is recorded also where nothing leaves.
    ///   - report: told what is removed as soon as that is certain, whatever fails afterwards.
    func remove(
        _ removal: Removal, _ rules: RuleSet?, isAsked: Bool = true, report: (RemovedTrips) -> Void = { _ in }
    ) throws -> RemovedTrips {
        let crosswalk = Result { try self.crosswalk(without: removal) }
        var changes = try loadSession(rules)
        let removalsBefore = try store.removals()
        var recorded: RemovedTrips?
        func fill(_ removed: RemovedTrips) -> (inout AuditEntry) -> Void {
            { $0.counts = [("trips", removed.trips.count), ("records", removed.versions)] }
        }
        let removed: RemovedTrips
        do {
            removed = try store.remove(removal, session: &changes) { removed in
                guard isAsked || removed.versions > 0 || !removed.frozenMonths.isEmpty else { return nil }
                let crosswalk = try crosswalk.get()
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
        report(removed)
        guard recorded != nil else {
            try refreshTallies(changes)
            return removed
        }
        try crosswalk.get()?.rewriting.finish(store.crosswalkMark())
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

    /// Nil: there is none. One that the store has forgotten would be taken over by the next load, so it is taken over now.
    private func crosswalk(without removal: Removal) throws -> PurgedCrosswalk? {
        let mark = try store.crosswalkMark()
        guard let place = site.crosswalk else {
            guard mark == nil else { throw TripRemovalError.crosswalkIsOff }
            return nil
        }
        if try mark == nil && FileStatus.lookUp(place.file, followsLinks: false) == nil { return nil }
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
    /// Of the file as it is; nil: the store has forgotten it.
    let mark: CrosswalkMark?
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

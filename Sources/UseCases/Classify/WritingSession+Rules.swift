import Basics
import Operations
import Reporting
import Rules
import Store

extension WritingSession {
    private static let rowsBetweenChecks = 4096

    /// Classifies every trip again if the rules differ from those of the store. Recorded in the audit log when the rules have
    /// answered for every trip, before the store commits; if it is refused or stopped, nothing has changed.
    ///
    /// - Parameter progress: receives how many versions of trips are done.
    /// - Returns: how many trips have another class or another rule, by month; nil if the rules are the same.
    @discardableResult
    func adoptRules(
        of figures: FigureSettings, progress: (Int) -> Void = { _ in }
    ) throws -> [Month: Int]? {
        let before = try store.rules().version
        let rules = figures.rules
        guard before != rules.version else { return nil }
        let trips = try store.totals().trips
        if trips > 0 { environment.tell(.rulesChanged(before: before, after: rules.version, trips: trips)) }
        var stored = StoredRules(rules, texts: store.texts)
        var done = 0
        var isRecorded = false
        func fill(_ entry: inout AuditEntry) {
            entry.configuration = figures.digest(tool: environment.tool)
            entry.counts = [("trips", trips)]
        }
        do {
            return try store.reclassify(
                rulesName: rules.name, rulesVersion: rules.version,
                decide: { facts in
                    done += 1
                    if done.isMultiple(of: Self.rowsBetweenChecks) {
                        try environment.checkpoint()
                        progress(done)
                    }
                    return stored.decision(on: facts)
                },
                check: {
                    try stored.check()
                    guard trips > 0 else { return }
                    try audit?.record(.classify, fill)
                    isRecorded = true
                })
        } catch {
            if isRecorded, (try? store.rules().version) == before { try? audit?.recordRefused(.classify, fill) }
            throw error
        }
    }
}

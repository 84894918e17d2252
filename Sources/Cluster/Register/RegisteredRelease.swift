package import Basics
import Foundation
import KPIContract
import KPIs
package import Operations
package import Privacy
package import Reporting
package import Settings
import Store
package import Trips
package import UseCases

/// The release of tallies, each month as it was recorded when it was released: what a store does for its own trips.
///
/// The register is a store with releases, revisions, the trips that changed since (`ReleaseJournal`), and tallies of the other trips
/// of their months.
package struct RegisteredRelease {
    private let store: TripStore
    private let tallies: MergedTallies
    private let disclosure: DisclosureSettings
    private let limits: MonthLimits
    private var plan: PublicationPlan?

    /// - Parameters:
    ///   - path: of the register.
    ///   - isRecording: whether it is made if there is none, and written to.
    /// - Throws: `RegisterError` if it is missing, or of other tallies; `StoreError`.
    package init(
        path: String, _ tallies: MergedTallies, disclosure: DisclosureSettings, months limits: MonthLimits,
        isRecording: Bool
    ) throws {
        self.tallies = tallies
        self.disclosure = disclosure
        self.limits = limits
        let summary = tallies.summary, file = FileLabel(fileName: path).description
        let lists = (regions: NamedList(summary.regions), tripTypes: NamedList(summary.tripTypes))
        let identity = TripStore.Identity(
            keyFingerprint: summary.keyFingerprint, rulesName: summary.rulesName, rulesVersion: summary.rulesVersion)
        do {
            store = try isRecording ? TripStore(path: path, identity: identity) : TripStore(reading: path)
        } catch StoreError.missing {
            throw RegisterError.missing(file: file)
        } catch StoreError.otherKey {
            throw RegisterError.differs(file: file, what: "keys")
        }
        guard try store.keyFingerprint() == summary.keyFingerprint else {
            throw RegisterError.differs(file: file, what: "keys")
        }
        if isRecording, try store.hasNewLists() { try store.adopt(regions: lists.regions, tripTypes: lists.tripTypes) }
        let known = try store.lists()
        guard known.regions == lists.regions else { throw RegisterError.differs(file: file, what: "regions") }
        guard known.tripTypes == lists.tripTypes else { throw RegisterError.differs(file: file, what: "trip types") }
    }

    private var trips: TalliedTrips { TalliedTrips(tallies, store) }
    private var register: ReleaseRegister {
        ReleaseRegister(store: store, trips: trips, rule: disclosure.rule, months: limits)
    }

    /// Plans which months are released and revised now. Only the changes are recorded yet.
    ///
    /// - Parameters:
    ///   - path: of the changes since the last call: see `ChangedTripsFile`.
    ///   - published: the `kpi-summary.json` that readers have; nil: they have none.
    ///   - approval: what has to be approved.
    /// - Returns: what is withheld, in words.
    package mutating func plan(
        changesIn path: String, published: String?, revision: RevisionRequest,
        approval: ReleaseApproval, isApproved: Bool, generatedAt now: UTCTime
    ) throws -> [RunEvent] {
        let changes = try ChangedTripsFile(path, shape: tallies.everyMonth.shape)
        func stored(_ kind: ChangedTripsFile.Kind) -> [StoredTrip] {
            (changes.trips[kind] ?? []).map {
                StoredTrip(key: $0.key, exportID: 0, recordOffset: 0, version: TripVersion(), facts: $0.facts)
            }
        }
        let tallied = try Set(store.months()).union(changes.months)
        let lacking = Set(stored(.current).map { Month(index: $0.facts.month) }).subtracting(tallied)
        guard lacking.isEmpty else {
            throw RegisterError.incompleteChanges(months: lacking.sorted().map(\.description))
        }
        try store.journal(
            before: stored(.before), added: stored(.added), current: stored(.current), months: changes.months,
            others: changes.others)
        let check = try published.map {
            try RepeatedReleaseCheck(
                file: $0, context: tallies.result.context, missingCounts: disclosure.missingCounts)
        }
        let plan = try PublicationPlan(
            register, ReleaseRevision(store: store, trips: trips, rule: disclosure.rule),
            PublicationPlan.Request(
                tally: tallies.result.tally, rulesVersion: tallies.summary.rulesVersion,
                schedule: disclosure.revisions, revision: revision, generatedAt: now, approval: approval,
                isApproved: isApproved),
            everyMonth: { tallies.everyMonth }, check: check)
        self.plan = plan
        return [plan.withheld, plan.waiting].compactMap(\.self)
    }

    /// How many months the plan releases or revises.
    package var changedMonths: Int { plan?.changedMonths ?? 0 }

    /// What a report says of the release.
    package func facts() throws -> FigureReport.StoreStatement {
        let tally = tallies.result.tally
        var facts = FigureReport.StoreStatement(
            exports: KPISummaryV1.ExportCounts(loaded: tallies.result.exportCount), missingDays: [])
        facts.months = tally.monthsMet
        facts.released = try register.figures(plan?.releases ?? store.releases(), current: tally)
        return facts
    }

    /// The result with what intervals of released months were measured between.
    package func result() throws -> TrueFigures {
        var result = tallies.result
        let partitions = try (plan?.releases ?? store.releases()).map {
            try ReleaseRegister.partition($0, path: store.path)
        }
        result.context.releasedPairs = StoreFigures.releasedPairs(trips.intervalPairs(), partitions)
        return result
    }

    /// Whether the register has nothing of what was planned.
    package func isUnrecorded() throws -> Bool { try plan?.isUnrecorded() ?? true }

    /// Records what was planned, after the audit of the report.
    ///
    /// - Returns: what was recorded, in words.
    package func record() throws -> [RunEvent] {
        var events: [RunEvent] = []
        try plan?.record { events.append($0) }
        return events
    }
}

extension TripStore {
    /// Whether nothing but Unassigned is in its lists.
    fileprivate func hasNewLists() throws -> Bool {
        let lists = try lists()
        return lists.regions.names.count == 1 && lists.tripTypes.names.count == 1
    }
}

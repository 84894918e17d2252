import Foundation
import Intake
import Operations
import Rules
import Settings
import Store
import Trips

/// `load`: exports into the store and out of it, without publishing.
package struct LoadRun: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings
    private let replacesLostStore: Bool

    /// - Parameter replacesLostStore: whether a new store is made even if sets were published from one that is missing.
    package init(_ site: StoreSite, _ figures: FigureSettings, replacesLostStore: Bool = false) {
        self.site = site
        self.figures = figures
        self.replacesLostStore = replacesLostStore
    }

    /// - Parameters:
    ///   - files: paths of exports, all read by the profile of the settings.
    ///   - withdraw: beginnings of the SHA-256 of exports that are withdrawn first.
    ///   - isReplay: exports that are in the store are read again.
    ///   - events: paths of exports of events, and their profile.
    package func run(
        files: [String], withdraw: [String] = [], isReplay: Bool = false,
        events: (files: [String], profile: String) = ([], ""), _ environment: RunEnvironment
    ) throws -> NightlyOutcome {
        // A profile of another kind is found out before anything is loaded.
        if !events.files.isEmpty { _ = try figures.reading.configuration.eventProfile(events.profile) }
        let packed = try PackedExports(files)
        packed.skipped.forEach { environment.tell(.exportSkipped(FileLabel(fileName: $0.path), .noExport)) }
        let files =
            packed.paths.map(figures.reading.file) + events.files.map { Inbox.File(path: $0, profile: events.profile) }
        return try run(files: files, withdraw: withdraw, isReplay ? .replay : .named, environment)
    }

    func run(
        files: [Inbox.File], withdraw: [String] = [], _ intent: StoreLoading.Intent, _ environment: RunEnvironment
    ) throws -> NightlyOutcome {
        let newStore = WritingSession.NewStore(rules: figures.rules, replacesLost: replacesLostStore)
        return try WritingSession.run(site, environment, newStore: newStore) { session in
            var outcome = NightlyOutcome()
            let store = session.store
            // Before anything is loaded: a wrong clock would stand in the ledger for good.
            try session.requireClock(for: [])
            // A replay may give the rules the test results that they need: it comes before them.
            let isRuleChangeLater = try intent == .replay && store.rules().version != figures.rules.version
            if isRuleChangeLater { try store.forgetRules() } else { try session.adoptRules(of: figures) }
            let (events, trips) = figures.reading.divided(files)
            var loading = try StoreLoading(
                session, figures, profileNames: (trips.map(\.profile) + [figures.reading.profile]).compactMap { $0 })
            var eventLoading = try EventLoading(session, figures)
            for hash in withdraw {
                try environment.checkpoint()
                if try !eventLoading.withdraw(beginningWith: hash) { try loading.withdraw(beginningWith: hash) }
            }
            for file in trips {
                try environment.checkpoint()
                outcome.note(try loading.load(file, intent))
            }
            for file in events {
                try environment.checkpoint()
                outcome.note(try eventLoading.load(file, intent))
            }
            var months = Set(try session.refreshTallies(loading.changes))
            if isRuleChangeLater {
                do {
                    try session.adoptRules(of: figures)
                } catch let refusal as RulesNeedingReplay {
                    outcome.needingReplay = refusal
                }
                months.formUnion(try session.refreshTallies())
            }
            environment.tell(.monthsTouched(months.sorted()))
            return outcome
        }
    }
}

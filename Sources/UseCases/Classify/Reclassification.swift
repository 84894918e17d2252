package import Basics
import Operations
import Store

/// `classify`: every trip of the store by other rules, in one transaction. What is published does not change yet.
package struct Reclassification: Sendable {
    /// What the rules changed.
    package struct Outcome: Sendable {
        /// Trips with another class or another rule, by month, ascending; nil: the store has these rules already.
        package let changes: [(month: Month, trips: Int)]?
        package let trips: Int
        /// For people.
        package let notes: [String]
    }

    private let site: StoreSite
    private let figures: FigureSettings

    /// - Parameter figures: its rules are the new ones.
    package init(_ site: StoreSite, _ figures: FigureSettings) {
        self.site = site
        self.figures = figures
    }

    /// Throws `RulesNeedingReplay`, and changes nothing, if the store lacks a test result that the rules need.
    package func run(_ environment: RunEnvironment) throws -> Outcome {
        try WritingSession.run(site, environment) { session in
            let changes = try session.adoptRules(of: figures, progress: environment.progress)
            environment.tell(.monthsTouched(try session.refreshTallies()))
            return Outcome(
                changes: changes.map { $0.sorted { $0.key < $1.key }.map { (month: $0.key, trips: $0.value) } },
                trips: try session.store.totals().trips,
                notes: [try ProfileDrift(session.store, figures.reading)?.description].compactMap { $0 })
        }
    }
}

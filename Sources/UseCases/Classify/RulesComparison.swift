import Basics
import Dispatch
import Foundation
import Reports
import Rules
import Settings
import Store
import Synchronization
import Trips

/// `classify --diff`: what other rules would change in the store, which is only read.
package struct RulesComparison: Sendable {
    private let rules: RuleSet
    private let report: RuleSetDifferenceReport
    private let before: (name: String, version: String)
    /// For people.
    package let notes: [String]

    /// How many rows of the store are compared: for a progress bar.
    package static func rows(of store: String) throws -> Int {
        let totals = try TripStore(reading: store).totals()
        return totals.trips + totals.copies + totals.superseded
    }

    /// - Parameters:
    ///   - path: of the store.
    ///   - figures: its rules are the new ones.
    ///   - progress: told how many rows more are done.
    ///
    /// Throws `RulesNeedingReplay` if the store lacks a test result that the rules need.
    package init(
        store path: String, _ figures: FigureSettings, workers: Int,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        rules = figures.rules
        let store = try TripStore(reading: path)
        before = try store.rules()
        notes = [try ProfileDrift(store, figures.reading)?.description].compactMap { $0 }
        let difference = try Self.difference(store, rules, workers: workers, progress)
        report = RuleSetDifferenceReport(difference, minimumCell: figures.disclosure.minimumCell)
    }

    /// A line a fact.
    package var lines: [String] {
        [
            "rules of the store  \(before.name), version \(before.version.prefix(12))",
            "rules compared      \(rules.name), version \(rules.version.prefix(12))",
        ] + report.lines
    }

    /// One document, stamped as internal.
    package func json() throws -> [UInt8] {
        struct Document: Encodable {
            struct Rules: Encodable {
                let name: String
                let version: String
            }
            let release: String
            let rulesOld: Rules
            let rulesNew: Rules
            let difference: RuleSetDifferenceReport
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            release: SummaryReport.internalStamp,
            rulesOld: Document.Rules(name: before.name, version: before.version),
            rulesNew: Document.Rules(name: rules.name, version: rules.version), difference: report)
        return try Array(encoder.encode(document)) + [UInt8(ascii: "\n")]
    }

    /// What one worker found.
    private struct WorkerResult: Sendable {
        var difference = RuleSetDifference()
        var needingReplay: [MissingTestResult: Int] = [:]
    }

    /// Months side by side, each worker with a connection of its own; the last piece of work are the older versions,
    /// which are in no number, but which the rules must be able to answer as well.
    private static func difference(
        _ store: TripStore, _ rules: RuleSet, workers: Int, _ progress: @escaping @Sendable (Int) -> Void
    ) throws -> RuleSetDifference {
        let months = try store.months()
        let next = Atomic<Int>(0)
        let shares = Mutex<[Result<WorkerResult, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, months.count + 1))) { _ in
            let share = Result { () throws -> WorkerResult in
                let reader = try TripStore(reading: store.path)
                var share = WorkerResult()
                var stored = StoredRules(rules, texts: reader.texts)
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index <= months.count else { break }
                    if index < months.count {
                        try compare(months[index], reader, &stored, into: &share.difference, progress)
                    } else {
                        try reader.forEachOlderVersion { _ = stored.decision(on: $0) }
                    }
                }
                share.needingReplay = stored.needingReplay
                return share
            }
            shares.withLock { $0.append(share) }
        }
        var difference = RuleSetDifference()
        var needingReplay: [MissingTestResult: Int] = [:]
        for result in shares.withLock({ $0 }) {
            let share = try result.get()
            difference.merge(share.difference)
            needingReplay.merge(share.needingReplay, uniquingKeysWith: +)
        }
        if let refusal = RulesNeedingReplay(trips: needingReplay) { throw refusal }
        return difference
    }

    /// Trips that go the same way, by numbers of rules.
    private struct DecisionPair: Hashable {
        var old: TripStore.RuleDecision
        var new: TripStore.RuleDecision
    }

    private static func compare(
        _ month: Month, _ reader: TripStore, _ rules: inout StoredRules, into difference: inout RuleSetDifference,
        _ progress: (Int) -> Void
    ) throws {
        var amounts: [DecisionPair: RuleSetDifference.Amount] = [:]
        var rows = 0
        try reader.forEach(of: month) { facts in
            rows += 1
            if rows.isMultiple(of: 4096) { progress(4096) }
            guard let new = rules.decision(on: facts), facts.status == TripStatus.completed.rawValue else { return }
            let old = TripStore.RuleDecision(
                sourcing: Sourcing(rawValue: facts.sourcing) ?? .unclassified, rule: facts[.rule])
            amounts[DecisionPair(old: old, new: new), default: .init()].trips += 1
            guard facts.costCents != AmountState.absent else { return }
            amounts[DecisionPair(old: old, new: new), default: .init()].costCents += facts.costCents
        }
        for (way, amount) in amounts {
            difference.add(
                RuleSetDifference.Transition(month: month, old: rules.decision(way.old), new: rules.decision(way.new)),
                trips: amount.trips, costCents: amount.costCents)
        }
    }
}

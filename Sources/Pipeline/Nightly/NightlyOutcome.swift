package import Foundation
package import Operations
package import Trips

/// What a run did, for its exit code, its last words and its metrics.
package struct NightlyOutcome: Sendable {
    package var counts = ReadCounts()
    package var exports = ExportCounts()
    /// Why exports could not be loaded, in their order; each is described without a value of a record.
    package var failures: [Failure] = []
    /// Nil where there was nothing to publish.
    package var publication: StorePublication.Outcome?
    package var freshness: Freshness?
    package var missingDays: MissingDays?
    /// Milliseconds by stage, in order.
    package var stages: [(name: String, milliseconds: Int)] = []

    package init() {}

    /// An export that was not loaded.
    package struct Failure: Sendable {
        package var kind: FailureKind
        package var message: String
    }

    /// The family of failure that the run ends with, if any: it went through, and something is wrong all the same.
    package var failure: FailureKind? {
        failures.first?.kind ?? (freshness?.state == .fail ? .data : nil)
    }

    mutating func time<Value>(
        _ stage: String, _ now: @Sendable () -> Date, _ body: () throws -> Value
    ) rethrows -> Value {
        let started = now()
        defer { stages.append((stage, Int(now().timeIntervalSince(started) * 1000))) }
        return try body()
    }

    mutating func note(_ outcome: StoreLoading.Outcome) {
        switch outcome {
        case .loaded(let counts):
            exports.loaded += 1
            self.counts.merge(counts)
        case .known: exports.known += 1
        case .waived: exports.waived += 1
        case .failed(let error):
            exports.failed += 1
            failures.append(Failure(kind: FailureKind(of: error), message: "\(error)"))
        }
    }

    mutating func note(_ publication: StorePublication.Outcome, plan: NightlyPlan) {
        missingDays = publication.missingDays
        freshness = publication.newestDay.map {
            Freshness(
                newestDay: $0, generatedOn: UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).day,
                warnDays: plan.freshnessWarnDays, failDays: plan.freshnessFailDays)
        }
    }
}

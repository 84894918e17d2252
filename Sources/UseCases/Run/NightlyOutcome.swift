package import Basics
import ExportBytes
import Foundation
package import Operations
package import Rules
package import Trips

/// What a run did, for its exit code, its last words and its metrics.
package struct NightlyOutcome: Sendable {
    package var counts = ReadCounts()
    package var exports = ExportOutcomes()
    /// Why exports could not be loaded, in their order; each is described without a value of a record.
    package var failures: [Failure] = []
    /// Nil where there was nothing to publish.
    package internal(set) var publication: Publication?
    /// After a replay: why not all trips could be classified by the rules yet.
    package internal(set) var needingReplay: RulesNeedingReplay?
    package var freshness: FreshnessCheck?
    package var missingDays: MissingDays?
    /// How long each stage took, in order.
    package var stages: [(stage: RunMetrics.Stage, milliseconds: Int)] = []

    package init() {}

    /// The set that readers see.
    package struct Publication: Sendable {
        package var runID: String
        /// False if readers saw this very set before.
        package var isNew: Bool
        package var newestDay: CivilDay?
        package var missingDays: MissingDays
        package var months: Int
        package var suppressedCells: Int
    }

    /// An export that was not loaded.
    package struct Failure: Sendable {
        package var kind: FailureKind
        package var message: String
    }

    /// The family of failure that the run ends with, if any: it went through, and something is wrong all the same.
    package var failure: FailureKind? {
        // What is wrong with an export stays wrong; after a failure of the machine the same run may succeed.
        (failures.first { $0.kind == .data } ?? failures.first)?.kind ?? (freshness?.state == .fail ? .data : nil)
    }

    mutating func note(_ stage: RunMetrics.Stage, from started: Date, to ended: Date) {
        stages.append((stage, Int(ended.timeIntervalSince(started) * 1000)))
    }

    /// - Parameter isOfInbox: the file was found in the inbox: any fault of it makes one failed export, unless the machine failed.
    mutating func note(_ outcome: StoreLoading.Outcome, isOfInbox: Bool = false) {
        switch outcome {
        case .loaded(let counts):
            exports.loaded += 1
            self.counts.merge(counts)
        case .known, .withdrawn: exports.known += 1
        case .unsettled: break
        case .waived: exports.waived += 1
        case .failed(let error):
            exports.failed += 1
            let isOfMachine = (error as? ExportError)?.kind == .readFailed
            let kind = isOfInbox && !isOfMachine ? .data : FailureKind(of: error)
            failures.append(Failure(kind: kind, message: "\(error)"))
        }
    }

    mutating func note(_ publication: Publication, _ policy: PublicationPolicy, generatedAt: UTCTime) {
        self.publication = publication
        missingDays = publication.missingDays
        freshness = publication.newestDay.map {
            FreshnessCheck(
                newestDay: $0, generatedOn: generatedAt.day,
                warnDays: policy.freshnessWarnDays, failDays: policy.freshnessFailDays)
        }
    }
}

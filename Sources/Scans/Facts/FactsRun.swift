package import ExportBytes
import Files
import Intake
package import Keys
import Profiles
import Rules
import Synchronization
import Trips

/// What `tripkpi facts` does: the accepted records of one export as typed rows, for engines that hold more than one machine
/// can.
///
/// bytes → records → trips under pseudonyms (`Intake`) → sourcing (`Rules`) → lines. Every version of a trip has a row of
/// its own: which one counts is for the reader, who may have other exports with the same trip. No identifier and no text of
/// the export is in a row.
package struct FactsRun {
    private let plan: ScanPlan
    private let key: PseudonymKey
    private let tool: String
    private let part: ExportPart?

    /// - Parameters:
    ///   - plan: its only input is the export.
    ///   - key: of the pseudonyms.
    ///   - tool: such as `tripkpi 0.1.0`.
    ///   - part: of the export. How many of its records may be rejected is for who adds the parts up. Nil: all of the export.
    package init(_ plan: ScanPlan, key: PseudonymKey, tool: String, part: ExportPart? = nil) {
        self.plan = plan
        self.key = key
        self.tool = tool
        self.part = part
    }

    /// - Parameter write: receives whole lines, of one thread at a time. The order of the rows is that of the export only with
    ///   one worker.
    /// - Throws: `ExportError`, or what `write` throws. The lines that were written then have no summary.
    package func run(to write: @escaping @Sendable ([UInt8]) throws -> Void) throws -> FactsSummary {
        let classifier = Classifier(plan.rules)
        let needs = classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
        let reader = try plan.open(0, textNeeds: needs, pseudonyms: key, part: part)
        let output = FactOutput(write)
        let (outcomes, findings) = try reader.read(workers: plan.workers, hasVersions: true) { _ in
            FactConsumer(classifier: classifier, output: output)
        }
        if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
        if part == nil { try reader.check(findings, maximumRejectPerMillion: plan.maximumRejectPerMillion) }
        try reader.checkUnchanged()
        var counts = findings.counts
        let facts = outcomes.reduce(0) { $0 + $1.rows }
        counts.added = facts
        guard counts.isReconciled else { throw ExportError.notReconciled(counts) }
        let summary = FactsSummary(
            tool: tool, rulesName: plan.rules.name, rulesVersion: plan.rules.version,
            keyFingerprint: key.fingerprint, regions: plan.vocabulary.regions.names,
            tripTypes: plan.vocabulary.tripTypes.names,
            maximumIntervalSeconds: reader.profile.maximumIntervalSeconds,
            asOf: outcomes.reduce(into: ExportAge()) { $0.merge($1.age) }.asOf, read: counts.read, facts: facts,
            skipped: counts.skipped, rejected: counts.rejected,
            rejectedByReason: Dictionary(
                uniqueKeysWithValues: findings.rejectsByReason.map { ($0.key.rawValue, $0.value) }),
            swallowedLines: findings.swallowedLines, part: bounds(of: reader))
        try output.write(summary.line())
        return summary
    }
}

extension FactsRun {
    private func bounds(of reader: ExportReader) -> FactsSummary.ExportRange? {
        guard let part else { return nil }
        let nothing = RecordStart(offset: part.bytes.lowerBound)
        let bounds = reader.partBounds ?? ExportPartBounds(start: nothing, end: nothing)
        return FactsSummary.ExportRange(
            from: part.bytes.lowerBound, to: part.bytes.upperBound, start: bounds.start.offset,
            startIsResuming: bounds.start.isResuming, end: bounds.end.offset, endIsResuming: bounds.end.isResuming)
    }
}

/// Takes lines of several workers, one worker at a time.
private final class FactOutput: Sendable {
    private let sink: Mutex<@Sendable ([UInt8]) throws -> Void>

    init(_ write: @escaping @Sendable ([UInt8]) throws -> Void) { sink = Mutex(write) }

    func write(_ bytes: [UInt8]) throws { try sink.withLock { try $0(bytes) } }
}

/// Classifies the trips that one worker reads, and writes them as rows.
private struct FactConsumer: TripConsumer {
    struct Outcome: Sendable {
        var rows = 0
        var age = ExportAge()
        /// Why the worker stopped, if it is not the export's fault.
        var failure: (any Error)?
    }

    var classifier: Classifier
    let output: FactOutput
    private var rows = FactRows()
    private var outcome = Outcome()

    init(classifier: Classifier, output: FactOutput) {
        self.classifier = classifier
        self.output = output
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        classifier.classify(&batch, dictionaries: worker.dictionaries)
        outcome.age.add(batch)
        for row in 0..<batch.count {
            if rows.isFull, !flush() { return false }
            rows.append(batch, row: row)
        }
        outcome.rows += batch.count
        return true
    }

    private mutating func flush() -> Bool {
        do {
            try output.write(rows.take())
            return true
        } catch {
            outcome.failure = error
            return false
        }
    }

    mutating func finish() -> Outcome {
        if outcome.failure == nil, !rows.isEmpty { _ = flush() }
        return outcome
    }
}

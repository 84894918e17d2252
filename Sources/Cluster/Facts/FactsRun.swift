package import ExportBytes
import Files
import Intake
package import Keys
import Profiles
package import Reporting
import Rules
import Synchronization
import Trips
package import UseCases

/// What `tripkpi facts` does: the accepted records of one export as typed rows, for engines that hold more than one machine
/// can.
///
/// bytes → records → trips under pseudonyms (`Intake`) → sourcing (`Rules`) → lines. Every version of a trip has a row of
/// its own: which one counts is for the reader, who may have other exports with the same trip. No identifier and no text of
/// the export is in a row.
package struct FactsRun {
    private let plan: ScanRequest
    private let key: PseudonymKey
    private let tool: String
    private let part: ExportPart?

    /// - Parameters:
    ///   - plan: its only input is the export.
    ///   - key: of the pseudonyms.
    ///   - tool: such as `tripkpi 0.1.0`.
    ///   - part: of the export. How many of its records are rejected is not checked. Nil: all of the export.
    package init(_ plan: ScanRequest, key: PseudonymKey, tool: String, part: ExportPart? = nil) {
        self.plan = plan
        self.key = key
        self.tool = tool
        self.part = part
    }

    /// What was written, and what was found in the export.
    package struct Outcome: Sendable {
        package let summary: FactsSummary
        package let file: TrueFigures.FileResult
    }

    /// - Parameters:
    ///   - begin: called when the export is open, before the first row.
    ///   - write: receives whole lines, of one thread at a time. The order of the rows is that of the export only with one worker.
    /// - Throws: `ExportError`, or what `begin` and `write` throw. The lines that were written then have no summary.
    package func run(
        begin: () throws -> Void, write: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void
    ) throws -> Outcome {
        let classifier = Classifier(plan.rules)
        let reader = try plan.open(0, textNeeds: plan.textNeeds(classifier), pseudonyms: key, part: part)
        try begin()
        let output = FactOutput(write)
        let (outcomes, findings) = try reader.read(workers: plan.workers, hasVersions: true) { _ in
            FactConsumer(
                classifier: classifier, pseudonyms: Pseudonymizer(key: key, source: reader.profile.source),
                output: output)
        }
        if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
        if part == nil {
            try reader.check(findings, maximumRejectPerMillion: plan.maximumRejectPerMillion)
        } else {
            try reader.checkKeys(findings)
        }
        try reader.checkUnchanged()
        let summary = try summary(of: outcomes, findings, reader)
        try output.write(summary.line()[...])
        return Outcome(summary: summary, file: TrueFigures.FileResult(reader, findings))
    }

    private func summary(
        of outcomes: [FactConsumer.Outcome], _ findings: ReadFindings, _ reader: ExportReader
    ) throws(ExportError) -> FactsSummary {
        var counts = findings.counts
        counts.added = outcomes.reduce(0) { $0 + $1.rows }
        guard counts.isReconciled else { throw .notReconciled(counts) }
        let age = outcomes.reduce(into: ExportAge()) { $0.merge($1.age) }
        return FactsSummary(
            tool: tool, rulesName: plan.rules.name, rulesVersion: plan.rules.version,
            profileVersion: "\(plan.profileVersion ?? "plain"), zone \(plan.zone ?? "none")",
            keyFingerprint: key.fingerprint, regions: plan.vocabulary.regions.names,
            tripTypes: plan.vocabulary.tripTypes.names,
            reading: SourceReading(reader.profile, zone: plan.zone),
            newestUpdate: age.newestUpdate, newestDay: age.newestDay, read: counts.read, facts: counts.added,
            merged: counts.merged == 0 ? nil : counts.merged, skipped: counts.skipped, rejected: counts.rejected,
            rejectedByReason: Dictionary(
                uniqueKeysWithValues: findings.rejectsByReason.map { ($0.key.rawValue, $0.value) }),
            maximumRejectPerMillion: plan.maximumRejectPerMillion ?? reader.profile.maximumRejectPerMillion,
            isCutOff: reader.isCutOff, swallowedLines: findings.swallowedLines, part: try partRead(by: reader))
    }

    private func partRead(by reader: ExportReader) throws(ExportError) -> FactsSummary.PartOfExport? {
        guard let part else { return nil }
        let file = try reader.fileStat()
        // In a file without records every part ends at its end.
        let end = RecordStart(offset: file.bytes)
        let bounds = reader.partBounds ?? ExportPartBounds(start: end, end: end)
        return FactsSummary.PartOfExport(
            from: part.bytes.lowerBound, to: part.bytes.upperBound, start: bounds.start.offset,
            startIsResuming: bounds.start.isResuming, fileBytes: file.bytes,
            fileModifiedNanoseconds: file.modifiedNanoseconds, end: bounds.end.offset,
            endIsResuming: bounds.end.isResuming)
    }
}

/// Takes lines of several workers, one worker at a time.
private final class FactOutput: Sendable {
    private let sink: Mutex<@Sendable (ArraySlice<UInt8>) throws -> Void>

    init(_ write: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) { sink = Mutex(write) }

    func write(_ bytes: ArraySlice<UInt8>) throws { try sink.withLock { try $0(bytes) } }
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
    let pseudonyms: Pseudonymizer
    let output: FactOutput
    private var rows = FactRows()
    private var outcome = Outcome()

    init(classifier: Classifier, pseudonyms: Pseudonymizer, output: FactOutput) {
        self.classifier = classifier
        self.pseudonyms = pseudonyms
        self.output = output
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        classifier.classify(&batch, dictionaries: worker.dictionaries)
        outcome.age.add(batch)
        var next = 0
        while next < batch.count {
            if rows.isFull, !flush() { return false }
            next = rows.append(batch, from: next, pseudonyms: pseudonyms)
        }
        outcome.rows += batch.count
        return true
    }

    private mutating func flush() -> Bool {
        do {
            try output.write(rows.lines)
            rows.removeAll()
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

import Files
import KPIs
package import Keys
import Operations
import Publishing
package import Reporting
import Rules
import Trips
package import UseCases

/// What `tripkpi scan --tally` does: the tallies of exports to a file, for `merge` to add to those of other machines.
package struct TallyWriting {
    private let plan: ScanRequest
    private let key: PseudonymKey
    private let tool: String

    /// - Parameters:
    ///   - plan: all months are in the file, whatever the plan's limits.
    ///   - key: of the patients' pseudonyms.
    ///   - tool: such as `tripkpi 0.1.0`.
    package init(_ plan: ScanRequest, key: PseudonymKey, tool: String) {
        var plan = plan
        plan.months = .none
        // Tallies of several machines have one list.
        plan.takesValues = false
        self.plan = plan
        self.key = key
        self.tool = tool
    }

    /// Reads the exports, records the use of pseudonyms in the audit log, and writes the file.
    ///
    /// - Returns: what was read.
    package func write(to path: String, audit: AuditRecorder, progress: ScanProgress?) throws -> TrueFigures {
        let result = try ScanRun(plan, progress: progress, pseudonyms: key).run()
        let digests = try plan.inputs.map { try FileDigest(of: $0).sha256 }
        // What was hashed is what was read.
        try result.inputs.checkUnchanged()
        let summary = TallySummary(
            tool: tool, rulesName: plan.rules.name, rulesVersion: plan.rules.version, keyFingerprint: key.fingerprint,
            regions: result.context.regions.names, tripTypes: result.context.tripTypes.names,
            readings: result.inputs.readings(zone: plan.zone), exports: digests.sorted(),
            counts: result.counts, void: result.counts.added - result.tally.tripCount)
        if let problem = summary.problem { throw TallyFileError(file: "the exports", problem) }
        let bytes = result.tally.lines() + (try summary.line())
        let name = FileLabel(fileName: path).description
        try audit.recordInternal(
            .tally, output: .init(name: name, bytes: bytes.count, sha256: ContentHash.of(bytes)))
        try AtomicFile.write(bytes, output: path)
        return result
    }
}

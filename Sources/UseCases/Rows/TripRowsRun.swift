import Basics
import Files
import Foundation
import KPIs
import Keys
import Operations
import OutputScan
import Privacy
import Profiles
package import Reporting
package import Reports
package import Settings
import Store
package import Trips

/// What `tripkpi trips` does: rows of the store, or of exports, to a file or to standard output.
package struct TripRowsRun {
    private let terms: RowPolicy
    private let format: TripRowFormat
    /// Nil: standard output. Its name's ending `.gz` makes it gzip.
    private let output: String?

    private let months: ClosedRange<Month>?
    private let limits: MonthLimits
    private let audit: AuditRecorder?

    /// - Parameters:
    ///   - format: of the rows.
    ///   - selection: only its months count.
    ///   - limits: the months of the figures; rows of other months are not shown.
    ///   - audit: nil: what may be released is not logged.
    /// - Throws: `SelectionError`, or `TripRowError` if the profile shows no such months.
    package init(
        _ terms: RowPolicy, format: TripRowFormat, output: String?, selection: ReportSelection.Request,
        months limits: MonthLimits, audit: AuditRecorder?
    ) throws {
        self.limits = limits
        self.terms = terms
        self.format = format
        self.output = output
        self.audit = audit
        let selected = try ReportSelection(selection, vocabulary: .standard).cells.months
        months = try terms.months(selected)
    }

    /// Rows of the store. It holds the run lock, since trips may get their public ids here.
    package func run(_ site: StoreSite, _ environment: RunEnvironment) throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        try audit?.prepare()
        return try WritingSession.run(site, environment, isAudited: false) { session in
            var random = SystemRandomNumberGenerator()
            let rows = try StoredTripRows(
                session.store, months: months, withholding: withheldMonths(session.store), random: &random)
            return messages(try write(rows, publicTexts: [], identifiers: nil))
        }
    }

    /// Months that the release does not show: rows beside its totals would tell how many trips such a month has. Nothing
    /// of a limited data set, which is not for release.
    private func withheldMonths(_ store: TripStore) throws -> Set<Month> {
        let outside = Set(try store.months().filter { !limits.contains($0) })
        guard terms.minimumGroup > 1 else { return outside }
        let released = try store.releasedMonths()
        if released.isEmpty { throw DisclosureError.nothingReleasedYet }
        return Set(try store.months()).subtracting(released).union(outside)
    }

    /// Rows of exports.
    package func run(_ plan: ScanRequest) throws -> [String] {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<PseudonymKey.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let key = PseudonymKey(bytes: bytes) else { return [] }
        try audit?.prepare()
        var plan = plan
        let identifiers = output == nil ? nil : plan.rememberIdentifiers()
        let rows = try ExportTripRows(
            plan, profile: terms.deidentifier.profile, months: months, key: key, random: &random)
        return [rows.counts.equation]
            + messages(
                try write(
                    rows, publicTexts: plan.vocabulary.regions.names + plan.vocabulary.tripTypes.names,
                    identifiers: identifiers?.identifiers))
    }

    /// Rows of a file are scanned before the file appears; rows on standard output are written as they come.
    private func write(
        _ source: some TripSource, publicTexts: [String], identifiers: IdentifierSet?
    ) throws -> TripRowFeed.Outcome {
        let feed = TripRowFeed(terms, format: format)
        guard let output else {
            try record(.init(name: "standard output", bytes: 0, sha256: nil), scan: nil)
            return try feed.write(source, to: StandardOutput.write)
        }
        return try feed.write(source, toFile: output, isGzip: output.hasSuffix(".gz")) { draft, bytes, sha256 in
            let name = (output as NSString).lastPathComponent
            let findings = try RowCheck(terms, publicTexts: publicTexts, identifiers: identifiers)
                .findings(inFile: draft, named: name, isCSV: format == .csv)
            if let refusal = OutputRefusal(findings) { throw refusal }
            try record(
                .init(name: FileLabel(fileName: name).description, bytes: bytes, sha256: sha256),
                scan: OutputScan.text(of: identifiers))
        }
    }

    private func record(_ output: AuditEntry.Output, scan: String?) throws {
        try audit?.record(.trips) { entry in
            entry.outputs = [output]
            entry.outputScan = scan
            entry.rowProfile = terms.deidentifier.profile.rawValue
        }
    }

    private func messages(_ outcome: TripRowFeed.Outcome) -> [String] {
        let profile = terms.deidentifier.profile
        var lines = ["\(outcome.written) rows under \(profile.label)"]
        if outcome.leftOut > 0 {
            lines.append(
                "note: \(outcome.leftOut) trips stay out, so that each group has a multiple of \(terms.minimumGroup) "
                    + "rows; do not pass this number on")
        }
        if profile == .safeHarbor {
            lines.append("note: years up to \(terms.deidentifier.lastWholeYear); a later one is not over long enough")
        } else {
            lines.append("note: this is protected health information; give it out under a data use agreement only")
        }
        return lines
    }
}

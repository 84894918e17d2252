import Basics
import Files
import Foundation
import KPIContract
import Operations
import OutputScan
import Privacy
import Publishing
import Reporting
import Settings
import Store
import Trips

/// One audience's set on its way to its folder: prepared, which audits it, and then published.
struct AudienceSet: Sendable {
    let audience: Audience
    private let session: WritingSession
    private let figures: FigureSettings
    private let policy: PublicationPolicy
    private let identifiers: IdentifierSet?
    private let id: String
    private let ledger: String
    private let statement: FigureReport.StoreStatement
    private let folder: PublicationFolder
    private let acceptsClock: Bool

    private var now: UTCTime { session.environment.generatedAt }

    /// - Parameters:
    ///   - identifiers: what the run has read of them; nil: nothing was read.
    ///   - statement: what only the store knows.
    ///   - acceptsClock: a set of a later time is there, and the clock is right.
    init(
        _ session: WritingSession, _ figures: FigureSettings, _ policy: PublicationPolicy,
        identifiers: IdentifierSet?, audience: Audience, id: String, ledger: String,
        statement: FigureReport.StoreStatement, folder: PublicationFolder, acceptsClock: Bool
    ) {
        self.session = session
        self.figures = figures
        self.policy = policy
        self.identifiers = identifiers
        self.audience = audience
        self.id = id
        self.ledger = ledger
        self.statement = statement
        self.folder = folder
        self.acceptsClock = acceptsClock
    }

    /// Makes and audits the files. Nothing is written yet.
    func prepared(_ result: TrueFigures) throws -> PreparedSet {
        try PreparedSet(
            for: audience, result, statement, runID: id, rules: figures.rules.stamp, disclosure: figures.disclosure,
            targets: figures.targets, hasTripsPage: audience == .staff && policy.rows != nil, generatedAt: now)
    }

    /// - Parameter mustBeNew: also if it says the same as the current set.
    /// - Returns: whether readers see another set than before.
    func publish(_ prepared: PreparedSet, isNew mustBeNew: Bool) throws -> Bool {
        let unchanged = mustBeNew || acceptsClock ? nil : try currentID(sayingTheSameAs: prepared.report)
        let isNew = try unchanged == nil && write(prepared)
        if !isNew { session.environment.tell(.publishUnchanged(id: unchanged ?? id, audience: audience.rawValue)) }
        try folder.keep(
            last: policy.keptRuns, at: now.description,
            from: try session.believesClock() ? policy.retention.oldestRun(at: now)?.description : nil,
            now: UTCTime(session.environment.now()))
        return isNew
    }

    /// - Returns: whether readers see another set than before.
    private func write(_ prepared: PreparedSet) throws -> Bool {
        let started = Date()
        let report = prepared.report
        let rows = try audience == .staff ? rows() : nil
        defer { rows?.removeDrafts() }
        var files = prepared.files
        if let rows { files += rows.files }
        let workbooks = try workbooks(report)
        files += workbooks
        let draft = try PublicationDraft(
            PublicationManifestV1(
                runId: id, generatedAt: now.description,
                contractVersion: KPISummaryV1.version, dataThrough: report.dataThrough?.description, files: [],
                ledger: ledger, exports: statement.exports.loaded, rules: figures.rules.stamp,
                minimumCell: report.minimumCell,
                tool: session.environment.tool),
            files: files)
        let all = try scanned(draft, report, without: Set(workbooks.map(\.entry.name)))
        let isSame = try folder.currentSummary().map(report.showsTheSame) ?? false
        let before = try folder.state()
        // Before readers can see it: without its set the entry does no harm.
        if audience == .staff {
            try session.store.remember(staffSet: ContentHash.of(draft.manifest.canonicalJSON()))
        }
        let published = try session.audit.recording(
            .publish, { fill(&$0, report, all) },
            isUndone: { try folder.state() == before }
        ) {
            try folder.publish(
                draft, keepingPrevious: isSame, overLater: acceptsClock)
        }
        guard published != .unchanged else { return false }
        for restated in report.restatedMonths where restated.restatedAt == report.generatedAt.description {
            if let month = Month(restated.month) { session.environment.tell(.monthRestated(month)) }
        }
        let bytes = files.reduce(0) { $0 + $1.entry.bytes }
        let milliseconds = Int((prepared.seconds + Date().timeIntervalSince(started)) * 1000)
        session.environment.tell(
            .publishDone(
                id: id, audience: audience.rawValue, files: files.count + 1, bytes: bytes,
                cells: report.cells, suppressedCells: report.suppressedCells, durationMilliseconds: milliseconds))
        return true
    }

    /// Those of the staff set that pass the scan for identifiers.
    private func workbooks(_ report: FigureReport) throws -> [PublicationDraft.File] {
        guard policy.hasWorkbooks, audience == .staff else { return [] }
        let made = try StaffWorkbooks(report, session.store, limits: figures.months, createdAt: now, folder: folder)
        let (files, refusals) = made.scanned(by: OutputScan(report.scanTerms(identifiers)))
        for refusal in refusals { session.environment.tell(.fileLeftOut(refusal.name, why: refusal.why)) }
        return files
    }

    /// The current set, if it is whole, was made of the same store with the same settings, and says the same: only time
    /// has passed. Then there is nothing to publish, and `previous` stays a different set.
    private func currentID(sayingTheSameAs report: FigureReport) throws -> String? {
        guard let current = try folder.currentID(), let manifest = try folder.manifest(of: current),
            manifest.runId.split(separator: "-").last == id.split(separator: "-").last,
            let summary = try folder.summary(of: current), report.saysTheSame(as: summary),
            try folder.check(current).isEmpty
        else { return nil }
        return current
    }

    /// Rows are for staff, whatever their profile: beside the release's groups, rows of the same trips would tell how the
    /// groups are divided.
    private func rows() throws -> PublishedTripRows? {
        try policy.rows.map { policy in
            let released = try session.store.releasedMonths()
            let withheld = try session.store.months().filter {
                !figures.months.contains($0) || policy.minimumGroup > 1 && !released.contains($0)
            }
            return try PublishedTripRows(policy, store: session.store, withholding: Set(withheld), folder: folder)
        }
    }

    /// Scans the files for identifiers; throws while readers still see the old set and nothing of the new one is on the disk.
    ///
    /// - Parameter scanned: files that were scanned already.
    /// - Returns: all files, the manifest too.
    private func scanned(
        _ draft: PublicationDraft, _ report: FigureReport, without scanned: Set<String>
    ) throws -> [PublicationDraft.File] {
        let terms = report.scanTerms(identifiers)
        let scan = OutputScan(terms)
        let rowRelease = RowCheck(policy.rows, publicTexts: terms.publicTexts, identifiers: identifiers)
        let manifest = PublicationDraft.File(
            name: PublicationManifestV1.fileName, mediaType: "application/json", bytes: draft.manifest.canonicalJSON())
        let files = draft.files + [manifest]
        // The pages repeat the other files, and name no row and column: what is wrong is told of the other files first.
        let pages: Set = [PublishedFileNames.page, PublishedFileNames.tripsPage]
        let inOrder = files.filter { !pages.contains($0.entry.name) } + files.filter { pages.contains($0.entry.name) }
        let findings = try inOrder.filter { !scanned.contains($0.entry.name) }.flatMap { file in
            switch file.content {
            case .bytes(let bytes) where file.entry.name == PublishedFileNames.tripsPage:
                rowRelease.findings(inPage: bytes, named: file.entry.name)
            case .bytes(let bytes): scan.findings(in: bytes, named: file.entry.name)
            case .draft(let path) where file.entry.name == PublishedFileNames.tripPages:
                try rowRelease.findings(inPages: TripPages(path: path), named: file.entry.name)
            case .draft(let path):
                try rowRelease.findings(inFile: path, named: file.entry.name)
            }
        }
        if let refusal = OutputRefusal(findings) { throw refusal }
        return files
    }

    private func fill(
        _ entry: inout AuditEntry, _ report: FigureReport, _ files: [PublicationDraft.File]
    ) {
        entry.configuration = figures.digest(tool: session.environment.tool)
        entry.outputs = files.map(\.entry).map { .init(name: $0.name, bytes: $0.bytes, sha256: $0.sha256) }
        entry.isInternal = audience == .staff
        entry.rowProfile = policy.rows?.deidentifier.profile.rawValue
        entry.outputScan = OutputScan.text(of: identifiers)
        report.describe(in: &entry)
    }
}

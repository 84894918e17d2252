import Releases
package import Scans
package import Settings
import Operations
import Costs
import Encoding
import Files
import Foundation
import KPIContract
import KPIs
import OutputScan
package import Privacy
import Reports
import Workbooks
import Store
import Profiles
package import Trips

/// What `tripkpi costs` does: finance's workbook and, for internal use, the line-level one.
///
/// What is fit for release comes from the summary of all months alone, whose hidden values are those of the published
/// set; the period only chooses what of it is shown. Providers, contracts and lines are in no audited set: they are made
/// only for internal use, and recorded in the audit log before they are written.
package struct CostsRun {
    package struct Request: Sendable {
        /// The workbook.
        package let output: String
        /// The line-level workbook; nil: none. Only for internal use.
        package let detail: String?
        package let audience: Audience
        /// For readers who hear them: plain tables, one a sheet.
        package let isAccessible: Bool
        package let disclosure: DisclosureSettings
        /// The months of the figures.
        package let months: MonthLimits
        package let generatedAtEpochSeconds: Int

        package init(
            output: String, detail: String?, audience: Audience, isAccessible: Bool,
            disclosure: DisclosureSettings, months: MonthLimits, generatedAtEpochSeconds: Int
        ) {
            self.output = output
            self.detail = detail
            self.audience = audience
            self.isAccessible = isAccessible
            self.disclosure = disclosure
            self.months = months
            self.generatedAtEpochSeconds = generatedAtEpochSeconds
        }
    }

    private let request: Request
    private let audit: AuditRecorder?

    /// - Parameter audit: nil: what may be released is not logged.
    package init(_ request: Request, audit: AuditRecorder?) {
        self.request = request
        self.audit = audit
    }

    /// Fails if an output could not be made or an internal one not be written down, before anything is read.
    package func prepare() throws {
        try AtomicFile.check(output: request.output)
        if let detail = request.detail { try AtomicFile.check(output: detail) }
        try audit?.prepare()
    }

    // MARK: - Of the store

    /// Costs of the store. Detail needs public ids, which the one writer gives: then it holds the run lock.
    package func run(
        _ site: StoreSite, selection: ReportSelection.Request, _ environment: RunEnvironment
    ) throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else { throw StoreError.missing(path: site.store) }
        let months = try ReportSelection(selection, vocabulary: .standard).cells.months
        guard request.detail != nil else { return try run(site, months, writer: nil) }
        return try WritingSession.run(site, environment, isAudited: false) { session in
            try run(site, months, writer: session.store)
        }
    }

    /// - Parameter writer: the store of a session; nil: it is opened to read.
    private func run(_ site: StoreSite, _ months: ClosedRange<Month>?, writer: TripStore?) throws -> [String] {
        var (report, messages) = try summary(of: site)
        messages += emptyNote(months, of: report)
        guard request.audience == .staff else {
            try write(report, ledger: nil, months: months, identifiers: nil)
            return messages
        }
        let store = try writer ?? TripStore(reading: site.store)
        if writer == nil {
            // A writer has checked it when it opened it.
            try store.checkIntegrity()
        } else {
            var random = SystemRandomNumberGenerator()
            try store.assignPublicIDs(months: months, random: &random)
        }
        var costs = try StoreCosts(store, months: months, limits: request.months)
        let lists = try store.lists()
        let words = CostDetailFile.Words(
            texts: store.texts.all, regions: lists.regions, tripTypes: lists.tripTypes)
        try give(report, words, months: months, identifiers: nil) { line in
            try costs.find(line)
            return costs.ledger
        }
        let unnamed = costs.ledger.unnamedExceptions
        if unnamed == 0 { return messages }
        return messages + [
            "note: \(NumberText.grouped(unnamed)) listed exceptions are of trips without a public id; --detail gives them one"
        ]
    }

    /// Of all months. The tallies that it is made of are gone when the rows are read.
    private func summary(of site: StoreSite) throws -> (report: ScanReport, messages: [String]) {
        let source = try StoreReport(
            storePath: site.store, reportsPath: site.reports, selection: .init(), months: request.months,
            disclosure: request.disclosure, audience: request.audience)
        let report = try source.report(
            generatedAtEpochSeconds: request.generatedAtEpochSeconds, runID: "costs")
        return (report, source.messages)
    }

    // MARK: - Of exports

    /// Costs of exports. For internal use they are read a second time, for what a scan does not keep.
    package func run(_ plan: ScanPlan, selection: ReportSelection.Request) throws -> [String] {
        let months = try ReportSelection(selection, vocabulary: .standard).cells.months
        if request.audience == .staff, !plan.isRepeatable { throw CostsError.standardInput }
        var plan = plan
        let identifiers = plan.rememberIdentifiers()
        let result = try ScanRun(plan).run()
        let report = try ScanReport(
            result, rules: plan.rules.stamp, runID: "costs", disclosure: request.disclosure,
            audience: request.audience,
            generatedAtEpochSeconds: request.generatedAtEpochSeconds)
        let messages = ScanMessages(result).lines + emptyNote(months, of: report)
        guard request.audience == .staff else {
            try write(report, ledger: nil, months: months, identifiers: identifiers)
            return messages
        }
        var random = SystemRandomNumberGenerator()
        plan.identifiers = nil
        let costs = try ExportCosts(plan, random: &random)
        // Both readings are of one state of each file, and nothing is published yet.
        try result.inputs.checkUnchanged()
        let words = CostDetailFile.Words(
            texts: costs.words, regions: plan.vocabulary.regions, tripTypes: plan.vocabulary.tripTypes)
        try give(report, words, months: months, identifiers: identifiers) { line in
            try costs.ledger(months: months, line, random: &random)
        }
        return messages
    }

    // MARK: - What both do

    /// A workbook of months without trips must not be taken for one of months that cost nothing.
    private func emptyNote(_ months: ClosedRange<Month>?, of report: ScanReport) -> [String] {
        let summary = report.report.summary
        let known = Set(summary.cells.map(\.month)).union(summary.withheldMonths).compactMap { Month($0) }
        guard !known.contains(where: { months?.contains($0) ?? true }) else { return [] }
        guard let first = known.min(), let last = known.max() else { return ["note: there are no trips"] }
        return ["note: no trip is in the months asked for; there are trips from \(first) to \(last)"]
    }

    /// Makes the ledger, with it the lines if they are asked for, then publishes both workbooks: none of them before both
    /// are sound.
    ///
    /// - Parameter ledger: goes over the trips, each a line.
    private func give(
        _ report: ScanReport, _ words: CostDetailFile.Words, months: ClosedRange<Month>?,
        identifiers: IdentifierCollector?,
        ledger: (((CostTrip, PublicTripID?, CostFlags) throws -> Void)?) throws -> CostLedger
    ) throws {
        guard let detail = try beginDetail(report, words, identifiers: identifiers) else {
            let ledger = try ledger(nil)
            try reconcile(report, ledger, months)
            return try write(report, ledger: ledger, months: months, identifiers: identifiers)
        }
        do {
            let ledger = try ledger { try detail.add(CostLine(trip: $0, id: $1, flags: $2)) }
            try reconcile(report, ledger, months)
            detail.end()
            // The sheets of the lines are packed while this workbook is made; they are written once it is sound.
            try write(report, ledger: ledger, months: months, identifiers: identifiers) { try detail.finish() }
        } catch is DetailWriting.Cancelled {
            try detail.finish()
        } catch {
            detail.cancel()
            try? detail.finish()
            throw error
        }
    }

    /// The sums by line must be those of the summary: they were added up by other code, from another reading.
    private func reconcile(_ report: ScanReport, _ ledger: CostLedger, _ months: ClosedRange<Month>?) throws {
        let all = "All"
        let cells = report.report.summary.cells.filter { cell in
            guard cell.region == all, cell.tripType == all, let month = Month(cell.month) else { return false }
            return months?.contains(month) ?? true
        }
        let total = ledger.periodTotal
        let trips = total.trips - cells.reduce(0) { $0 + ($1.trips ?? 0) }
        let cost = total.costCents - cells.reduce(0) { $0 + ($1.totalCost?.cents ?? 0) }
        guard trips == 0, cost == 0 else { throw CostsError.notReconciled(trips: trips, costCents: cost) }
    }

    /// - Parameter before: called when the workbook is sound and not yet in place.
    private func write(
        _ report: ScanReport, ledger: CostLedger?, months: ClosedRange<Month>?, identifiers: IdentifierCollector?,
        before: () throws -> Void = {}
    ) throws {
        let release = OutputRelease(
            report, identifiers: identifiers, audit: audit, isInternal: request.audience == .staff)
        try CostWorkbook(
            report.report, ledger: ledger, months: months, createdAt: request.generatedAtEpochSeconds,
            style: request.isAccessible ? .accessible : .standard
        ).write(to: request.output) {
            try release.check($0, name: request.output, isCSV: false)
            try before()
        }
    }

    /// The only foreign texts in the lines are words of the exports: each of these is scanned once, instead of a
    /// million times. Ids are random, days and amounts are numbers.
    private func beginDetail(
        _ report: ScanReport, _ words: CostDetailFile.Words, identifiers: IdentifierCollector?
    ) throws -> DetailWriting? {
        guard let path = request.detail else { return nil }
        let name = (path as NSString).lastPathComponent
        var csv: [UInt8] = []
        for text in words.texts.values.sorted() { CSVText.append([text], to: &csv) }
        let known = identifiers?.identifiers
        let findings = OutputScan(report.scanTerms(known)).findings(in: csv, named: name, isCSV: true)
        if let refusal = OutputRefusal(findings) { throw refusal }
        let scan = OutputScan.text(of: known) + ", of the words"
        let form = CostDetailFile.Form(
            createdAt: request.generatedAtEpochSeconds, style: request.isAccessible ? .accessible : .standard)
        return DetailWriting(path: path, words: words, form: form) { draft in
            let (bytes, hash) = try Self.digest(draft)
            try audit?.record(.report) { entry in
                entry.outputs = [.init(name: FileLabel(fileName: name).description, bytes: bytes, sha256: hash)]
                entry.isInternal = true
                entry.outputScan = scan
                report.describe(in: &entry)
            }
        }
    }

    private static func digest(_ path: String) throws -> (bytes: Int, sha256: String) {
        var hash = ContentHash()
        var count = 0
        try OpenFile(path, for: .read).forEachPiece { piece throws(FileError) in
            hash.update(piece)
            count += piece.count
        }
        return (count, hash.hexadecimal)
    }
}

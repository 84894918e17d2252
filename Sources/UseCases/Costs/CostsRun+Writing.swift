import Basics
import Files
import Foundation
import KPIContract
import KPIs
import Operations
import OutputScan
import Privacy
import Publishing
import Reporting
import Reports
import Trips
import Workbooks

/// Both workbooks, from the figures to files in their places.
extension CostsRun {
    /// A workbook of months without trips must not be taken for one of months that cost nothing.
    func monthNotes(_ months: ClosedRange<Month>?, of report: FigureReport) -> [String] {
        let summary = report.report.summary
        let known = Set(summary.cells.map(\.month)).union(summary.withheldMonths).compactMap { Month($0) }
        guard !known.contains(where: { months?.contains($0) ?? true }) else {
            return PartialFiscalYear.all(known: known, period: months).map { "note: \($0.name): \($0.text)" }
        }
        guard let first = known.min(), let last = known.max() else { return ["note: there are no trips"] }
        return ["note: no trip is in the months asked for; there are trips from \(first) to \(last)"]
    }

    /// Makes the ledger, with it the lines if they are asked for, then publishes both workbooks: none of them before both
    /// are sound.
    ///
    /// - Parameter ledger: goes over the trips, each a line.
    func give(
        _ summary: CostSummary, _ words: CostWords, months: ClosedRange<Month>?,
        identifiers: IdentifierCollector?,
        ledger: (((CostTrip, PublicTripID?, CostFlags) throws -> Void)?) throws -> CostLedger
    ) throws {
        guard let detail = try beginDetail(summary.report, words, identifiers: identifiers) else {
            let ledger = try ledger(nil)
            try ledger.reconcile(with: summary.report.report.summary, months)
            return try write(summary, ledger: ledger, months: months, identifiers: identifiers)
        }
        do {
            let ledger = try ledger { try detail.add(CostLine(trip: $0, id: $1, flags: $2)) }
            try ledger.reconcile(with: summary.report.report.summary, months)
            detail.end()
            // The sheets of the lines are packed while this workbook is made; they are written once it is sound.
            try write(summary, ledger: ledger, months: months, identifiers: identifiers) { try detail.finish() }
        } catch is DetailWriting.Cancelled {
            try detail.finish()
        } catch {
            detail.cancel()
            try? detail.finish()
            throw error
        }
    }

    /// - Parameter before: called when the workbook is sound and not yet in place.
    func write(
        _ summary: CostSummary, ledger: CostLedger?, months: ClosedRange<Month>?, identifiers: IdentifierCollector?,
        before: () throws -> Void = {}
    ) throws {
        let release = OutputCheck(
            summary.report, identifiers: identifiers, audit: audit, isInternal: request.audience == .staff)
        try CostWorkbook(
            summary.report.report, ledger: ledger, context: summary.context, months: months,
            createdAt: request.generatedAt, style: request.isAccessible ? .accessible : .standard
        ).write(to: request.output) {
            try release.check(
                $0, name: request.output, isCSV: false, shownTexts: ledger?.review?.listedInvoices ?? [])
            try before()
        }
    }

    /// The only foreign texts in the lines are words of the exports: each of these is scanned once, instead of a
    /// million times. Ids are random, days and amounts are numbers.
    private func beginDetail(
        _ report: FigureReport, _ words: CostWords, identifiers: IdentifierCollector?
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
            createdAt: request.generatedAt, style: request.isAccessible ? .accessible : .standard)
        return DetailWriting(path: path, words: words, form: form) { draft in
            let digest = try FileDigest(of: draft)
            try audit?.record(.report) { entry in
                entry.outputs = [
                    .init(name: FileLabel(fileName: name).description, bytes: digest.bytes, sha256: digest.sha256)
                ]
                entry.isInternal = true
                entry.outputScan = scan
                report.describe(in: &entry)
            }
        }
    }
}

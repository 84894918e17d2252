import Foundation
import KPIContract

/// Checks `kpi-summary.json`: every number in it is recomputed from the groups.
struct SummaryAudit {
    let release: AuditedRelease
    let facts: AuditedFacts
    let expected: ExpectedCells
    let findings: FindingList

    /// - Returns: the document, for the files that are compared with it; nil if it cannot be read.
    func check(_ bytes: [UInt8]) -> KPISummaryV1? {
        guard let document = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes)) else {
            findings.add("\(AuditedFiles.summaryName): it is no document of contract version \(KPISummaryV1.version)")
            return nil
        }
        // Bytes with other keys than the document's are not those that the contract writes.
        require(SummaryKeys.document.areAll(in: document.canonical), "it has a key that the auditor cannot check")
        for name in SummaryKeys.missing(in: document.canonical).sorted() {
            require(false, "the key \(name) is missing")
        }
        require(document.canonicalJSON() == bytes, "its bytes are not those that the contract writes for it")
        checkCells(document)
        checkHeadlines(document)
        checkMergedGroups(document)
        checkComparisons(document)
        checkControlCharts(document)
        checkTargets(document)
        checkEvents(document)
        checkHeadline(document)
        checkRestatements(document)
        checkStatements(document)
        for finding in CardAudit(document, shown: release.shownMonths)?.findings ?? [] { require(false, finding) }
        return document
    }

    func require(_ condition: Bool, _ what: @autoclosure () -> String) {
        findings.require(condition, "\(AuditedFiles.summaryName): \(what())")
    }

    /// How a finding names a cell.
    static func name(of cell: KPISummaryV1.Cell) -> String {
        "cell \(cell.month), \(cell.region), \(cell.tripType)"
    }

    private func checkCells(_ document: KPISummaryV1) {
        var known: [KPISummaryV1.Cell] = []
        var cells = document.cells[...]
        let all = [CellKey.all]
        for month in all + release.shownMonths {
            for region in all + expected.listedRegions {
                for tripType in all + expected.listedTripTypes {
                    guard let cell = cells.popFirst() else {
                        require(false, "cells are missing")
                        return
                    }
                    let key = CellKey(month: month, region: region, tripType: tripType)
                    guard cell.key == key else {
                        require(false, "cells are missing, unknown or not in order")
                        continue
                    }
                    known.append(cell)
                    check(cell)
                }
            }
        }
        require(cells.isEmpty, "there are cells that the release does not have")
        RankAudit(release: release, expected: expected, findings: findings).check(known)
    }

    private func check(_ cell: KPISummaryV1.Cell) {
        let own = expected.cell(at: cell.key)
        guard own != withoutRanks(cell) else { return }
        let flags: [(String, Bool)] = [
            ("suppressed", cell.suppressed == own.suppressed), ("complete", cell.complete == own.complete),
            ("revisionPending", cell.revisionPending == own.revisionPending),
            ("sourcingSuppressed", cell.sourcingSuppressed == own.sourcingSuppressed),
            ("sourcingBasis", cell.sourcingBasis == own.sourcingBasis),
            ("incompleteMeasures", cell.incompleteMeasures == own.incompleteMeasures),
        ]
        let figures = CheckedMeasures.all.filter { !CheckedMeasures.isPercentile($0) }.map { ($0, cell[$0] == own[$0]) }
        for (name, isEqual) in flags + figures {
            require(isEqual, "\(Self.name(of: own)): \(name) is not the one of its groups")
        }
    }

    /// Percentiles are checked by `RankAudit`.
    private func withoutRanks(_ cell: KPISummaryV1.Cell) -> KPISummaryV1.Cell {
        var cell = cell
        for name in CheckedMeasures.all where CheckedMeasures.isPercentile(name) { cell[name] = nil }
        return cell
    }
}

/// The measures of a cell, by the keys of the contract. One that `CellTotals` has no rule for must be null; a key that is no
/// measure of the contract is a finding, wherever it is written.
enum CheckedMeasures {
    static let intervals = ["duration", "response", "turnout", "scene", "transport", "turnaround"]
    static let statistics = ["used", "excluded", "mean", "p50", "p90"]

    static let plain = KPICatalog.plain.map(\.name)

    static let all = plain + intervals.flatMap { interval in statistics.map { "\(interval).\($0)" } }

    static func isPercentile(_ name: String) -> Bool { name.hasSuffix(".p50") || name.hasSuffix(".p90") }
}

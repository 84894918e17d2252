import Foundation
import KPIContract

/// Checks `kpi-summary.json`: every number in it is recomputed from the groups.
struct SummaryAudit {
    let release: AuditedRelease
    let facts: AuditedFacts
    let expected: ExpectedCells

    /// - Returns: the document, for the files that are compared with it; nil if it cannot be read.
    func check(_ bytes: [UInt8], _ findings: inout FindingList) -> KPISummaryV1? {
        guard let document = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes)) else {
            findings.add("\(AuditedFiles.summaryName): it is no document of contract version \(KPISummaryV1.version)")
            return nil
        }
        Self.require(
            JSONKeyWalk.isKnown(bytes, SummaryKeys.document), "it has a key that the auditor cannot check", &findings)
        Self.require(
            document.canonicalJSON() == bytes, "its bytes are not those that the contract writes for it", &findings)
        checkCells(document, &findings)
        checkHeadlines(document, &findings)
        checkMergedGroups(document, &findings)
        checkComparisons(document, &findings)
        checkRestatements(document, &findings)
        checkStatements(document, &findings)
        CardAudit(expected: expected, months: document.months, overall: document.cells.first)
            .check(document.kpiCards, shown: release.shownMonths, document.cells, &findings)
        return document
    }

    static func require(_ condition: Bool, _ what: @autoclosure () -> String, _ findings: inout FindingList) {
        findings.require(condition, "\(AuditedFiles.summaryName): \(what())")
    }

    /// How a finding names a cell.
    static func name(of cell: KPISummaryV1.Cell) -> String {
        "cell \(cell.month), \(cell.region), \(cell.tripType)"
    }

    private func checkCells(_ document: KPISummaryV1, _ findings: inout FindingList) {
        var places: [Int?] = []
        var cells = document.cells[...]
        let all = [AuditedRelease.all]
        for month in all + release.shownMonths {
            for region in all + expected.listedRegions {
                for tripType in all + expected.listedTripTypes {
                    guard let cell = cells.popFirst() else {
                        Self.require(false, "cells are missing", &findings)
                        return
                    }
                    places.append(check(cell, month, region, tripType, &findings))
                }
            }
        }
        Self.require(cells.isEmpty, "there are cells that the release does not have", &findings)
        RankAudit(release, expected).check(document.cells, at: places, &findings)
    }

    /// - Returns: where the cell lies in the grid; nil if it is another cell than the one that belongs here.
    private func check(
        _ cell: KPISummaryV1.Cell, _ month: String, _ region: String, _ tripType: String,
        _ findings: inout FindingList
    ) -> Int? {
        guard cell.month == month, cell.region == region, cell.tripType == tripType,
            let place = expected.grid.place(month: month, region: region, tripType: tripType)
        else {
            Self.require(false, "cells are missing, unknown or not in order", &findings)
            return nil
        }
        let own = expected.cell(at: place, month: month, region: region, tripType: tripType)
        guard own != withoutRanks(cell) else { return place }
        for measure in CellMeasure.all where !measure.key.hasSuffix(".p50") && !measure.key.hasSuffix(".p90") {
            Self.require(
                measure.value(cell) == measure.value(own),
                "\(Self.name(of: own)): \(measure.key) is not the one of its groups", &findings)
        }
        return place
    }

    /// Percentiles are checked by `RankAudit`.
    private func withoutRanks(_ cell: KPISummaryV1.Cell) -> KPISummaryV1.Cell {
        var cell = cell
        for interval in [
            \KPISummaryV1.Cell.duration, \.response, \.turnout, \.scene, \.transport, \.turnaround,
        ] {
            cell[keyPath: interval].p50 = nil
            cell[keyPath: interval].p90 = nil
        }
        return cell
    }
}

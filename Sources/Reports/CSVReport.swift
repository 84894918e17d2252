import Files
package import KPIContract
import KPIs

/// `kpi-cells.csv`: RFC 4180, a header and a row a cell, always the same columns. After the cells a release has a row for
/// each group of several regions or trip types.
///
///     release,month,region,trip_type,suppressed,…,trips,cancelled,…,patients,population
///     Disclosure-controlled: groups of 11 or more,All,North,All,false,…,81,24,…,11+,
///     Disclosure-controlled: groups of 11 or more,2025-01,North,Emergency or Unassigned,false,…,34,,…,11+,inHouse
///
/// A value that is not shown is an empty field, with the flag columns set; a mean over none is empty too, beside a count
/// of 0. The first column says on each row for whom it is, and what the report is restricted to: a comment line above the
/// header would break readers.
package struct CSVReport: Sendable {
    package static let columns = columns(of: KPICatalog.all)

    /// The header of a file that has these measures.
    package static func columns(of measures: [KPIDescription]) -> [String] {
        [
            "release", "month", "region", "trip_type", "suppressed", "complete", "revision_pending",
            "sourcing_suppressed", "sourcing_basis", "incomplete_measures",
        ] + measures.map(\.column) + ["patients", "population"]
    }

    package init() {}

    /// UTF-8 without a byte order mark, lines ended with CR LF.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(Self.columns, to: &bytes)
        for (index, cell) in report.summary.cells.enumerated() {
            let names = [report.summary.lineStamp, cell.month, cell.region, cell.tripType].map(CSVText.harmless)
            let flags = Self.flags(of: cell)
            let figures = KPICatalog.all.map { $0.text(cell) ?? "" }
            CSVText.append(names + flags + figures + [report.patientsText(at: index) ?? "", ""], to: &bytes)
        }
        for group in report.summary.groups ?? [] where group.isMerged {
            CSVText.append(Self.fields(of: group, release: report.summary.lineStamp), to: &bytes)
        }
        return bytes
    }

    /// The row of a group of several leaves: it has the figures of its population, and is in no cell by itself.
    package static func fields(of group: KPISummaryV1.Group, release: String) -> [String] {
        let names = [release, group.month, group.regionsText, group.tripTypesText]
        var figures = group.figures
        figures.revisionPending = group.revisionPending
        figures.complete = true
        figures.sourcingBasis = "classified"
        switch group.population {
        case .cancelled: (figures.cancelled, figures.trips) = (figures.trips, nil)
        case .noShow: (figures.noShow, figures.trips) = (figures.trips, nil)
        case .inHouse, .contracted, .unclassified, .completed: break
        }
        return names.map(CSVText.harmless) + flags(of: figures) + KPICatalog.all.map { $0.text(figures) ?? "" }
            + ["", group.population.rawValue]
    }

    /// The fields between a cell's names and its figures.
    package static func flags(of cell: KPISummaryV1.Cell) -> [String] {
        [
            "\(cell.suppressed)", "\(cell.complete ?? !cell.suppressed)", "\(cell.revisionPending ?? false)",
            "\(cell.sourcingSuppressed)", cell.sourcingBasis ?? "classified",
            (cell.incompleteMeasures ?? []).joined(separator: " "),
        ]
    }
}

/// One JSON object a line and a line a cell: `release`, then the cell as in the contract, then `patients` as text
/// (`7`, `11+`), null where hidden or not known.
///
///     {"release":"INTERNAL: contains small counts","month":"All","region":"North",…,"trips":81,…,"patients":"7"}
package struct NDJSONReport: Sendable {
    package init() {}

    /// UTF-8, each line ended.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in report.summary.cells.enumerated() {
            let members =
                [CanonicalJSON.Member("release", .text(report.summary.lineStamp))] + cell.canonicalMembers
                + [CanonicalJSON.Member("patients", .text(orNull: report.patientsText(at: index)))]
            bytes.append(contentsOf: CanonicalJSON.object(members).line)
        }
        return bytes
    }
}

/// `kpi-summary.json`: the dashboard contract. An internal one says so first thing in `privacy.statement`.
package struct JSONReport: Sendable {
    package init() {}

    /// UTF-8, newline at the end.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        report.summary.canonicalJSON()
    }
}

extension KPISummaryV1 {
    /// What line-by-line outputs carry on every line, since a stamp elsewhere would be lost with the first filter: for whom
    /// the line is, and what part “All” means.
    package var lineStamp: String {
        ([stamp] + (selection ?? [])).joined(separator: "; ")
    }

    /// For whom the figures are.
    var stamp: String { isInternal ? Self.internalStamp : SummaryReport.releaseStamp(privacy.minimumCell) }
}

extension SummaryReport {
    /// Distinct patients of the cell at this place in `summary.cells`: `7`, `11+`; nil where hidden or not known.
    package func patientsText(at index: Int) -> String? {
        guard patients.indices.contains(index), let count = patients[index] else { return nil }
        switch count {
        case .unknown: return nil
        case .exactly(let exact): return String(exact)
        // For release a group was checked against the threshold, and no further.
        case .atLeastCap:
            return "\(isInternal ? PatientCount.cap : min(PatientCount.cap, summary.privacy.minimumCell))+"
        }
    }
}

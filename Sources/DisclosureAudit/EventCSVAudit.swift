package import KPIContract

/// Checks `events.csv`: a header and a row a count, each field that of the audited document.
package struct EventCSVAudit: Sendable {
    private static let columns = ["release", "month", "region", "kind", "events", "evacuations"]
    private let mark: String

    /// - Parameter mark: what the column `release` says on every row.
    package init(mark: String) { self.mark = mark }

    /// - Parameter events: of `kpi-summary.json`, each of which is audited; nil: it has none.
    package func findings(in bytes: [UInt8], of events: KPISummaryV1.Events?) -> [String] {
        guard let events else { return ["the document has no events"] }
        guard let rows = CSVRows.read(bytes) else { return ["it is not CSV as RFC 4180 has it"] }
        guard rows.first == Self.columns, rows.count == events.counts.count + 1 else {
            return ["it does not have one row for each count, or has other columns"]
        }
        return zip(rows.dropFirst(), events.counts).compactMap { row, count in
            let own = [
                mark, count.month, count.region, count.kind, "\(count.events)",
                count.evacuations.map(String.init) ?? "",
            ]
            // A name that a spreadsheet would take for a formula has an apostrophe before it.
            let harmless = own.enumerated().map { $0.offset == 2 ? "'" + $0.element : $0.element }
            return row == own || row == harmless
                ? nil : "the row of \(count.month), \(count.region), \(count.kind) is not that of the count"
        }
    }
}

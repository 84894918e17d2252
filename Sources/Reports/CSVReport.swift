import KPIContract

/// `kpi-cells.csv`: RFC 4180, a header and a row a cell, always the same columns.
///
/// A hidden value is an empty field, with the flag columns set; a mean over none is empty too, beside a count of 0. The
/// first column says on each row whether the row may be released: a comment line above the header would break readers.
package struct CSVReport: Sendable {
    package static let columns =
        ["release", "month", "region", "trip_type", "suppressed", "sourcing_suppressed"]
        + KPICatalog.all.map(\.column) + ["patients"]

    package init() {}

    /// UTF-8 without a byte order mark, lines ended with CR LF.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        Self.append(Self.columns, to: &bytes)
        for (index, cell) in report.summary.cells.enumerated() {
            let names = [report.release, cell.month, cell.region, cell.tripType].map(Self.harmless)
            let flags = [cell.suppressed, cell.sourcingSuppressed].map(String.init)
            let figures = KPICatalog.all.map { $0.text(cell) ?? "" }
            Self.append(names + flags + figures + [report.patientsText(at: index) ?? ""], to: &bytes)
        }
        return bytes
    }

    /// Text that a spreadsheet would take for a formula gets an apostrophe before it (SPEC §5). Figures do not: they
    /// are ours, and `-12.00` is a number.
    package static func harmless(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else { return text }
        return "'" + text
    }

    private static func append(_ fields: [String], to bytes: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let mustQuote = field.utf8.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
            guard mustQuote else {
                bytes.append(contentsOf: field.utf8)
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in field.utf8 {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }
}

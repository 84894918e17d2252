import Basics
package import KPIContract

/// How the files of a release are written, and which there are.
package struct AuditedFiles: Sendable {
    /// Computes again, by the contract library, what a document derives from its cells: the app's own numbers and
    /// months, cards, comparisons, control charts, targets, sentences, shares of trips, the number of suppressed cells.
    /// The auditor takes nothing else from the result.
    ///
    /// - `document`: all but the derived parts are as the auditor expects them; those are the published ones.
    /// - `everyMonth`: the cells of all released months, also of those that the selection leaves out, in the document's
    ///   order and without the cells of all months together.
    /// - Returns: nil where the document cannot be computed again, which is a finding.
    package typealias Derivation =
        @Sendable (_ document: KPISummaryV1, _ everyMonth: [KPISummaryV1.Cell]) -> KPISummaryV1?

    /// The header of `kpi-cells.csv`. A column that the auditor does not know is a finding.
    package var csvColumns: [String]
    /// What the column `release` says on every row.
    package var csvMark: String
    package var derived: Derivation
    /// The page that the renderer makes of the bytes of `kpi-summary.json`. Nil, or a result of nil: a page is a
    /// finding.
    package var renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)?
    /// Further files by name, each with its own check: bytes in, findings out. A file that is not named here is a
    /// finding.
    package var otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]]
    /// Files that must be there. `kpi-summary.json` always must: the other files are compared with it.
    package var required: Set<String>

    package init(
        csvColumns: [String], csvMark: String, derived: @escaping Derivation,
        renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)? = nil,
        otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]] = [:],
        required: Set<String> = [PublishedFileNames.summary, PublishedFileNames.cells]
    ) {
        self.csvColumns = csvColumns
        self.csvMark = csvMark
        self.derived = derived
        self.renderPage = renderPage
        self.otherFiles = otherFiles
        self.required = required
    }
}

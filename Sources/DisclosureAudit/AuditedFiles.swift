/// How the files of a release are written, and which there are.
package struct AuditedFiles: Sendable {
    /// The header of `kpi-cells.csv`. A column that the auditor does not know is a finding.
    package var csvColumns: [String]
    /// What the column `release` says on every row.
    package var csvMark: String
    /// The page that the renderer makes of the bytes of `kpi-summary.json`. Nil, or a result of nil: a page is a finding.
    package var renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)?
    /// Further files by name, each with its own check: bytes in, findings out. A file that is not named here is a finding.
    package var otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]]
    /// Files that must be there. `kpi-summary.json` always must: the other files are compared with it.
    package var required: Set<String>

    package init(
        csvColumns: [String], csvMark: String, renderPage: (@Sendable (_ summary: [UInt8]) -> [UInt8]?)? = nil,
        otherFiles: [String: @Sendable (_ bytes: [UInt8]) -> [String]] = [:],
        required: Set<String> = [summaryName, cellsName]
    ) {
        self.csvColumns = csvColumns
        self.csvMark = csvMark
        self.renderPage = renderPage
        self.otherFiles = otherFiles
        self.required = required
    }

    package static let summaryName = "kpi-summary.json"
    package static let cellsName = "kpi-cells.csv"
    package static let pageName = "dashboard.html"
}

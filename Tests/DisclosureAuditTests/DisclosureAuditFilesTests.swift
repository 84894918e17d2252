import DisclosureAudit
import TestSupport
import Testing

/// Which files a release may hold.
@Suite struct DisclosureAuditFilesTests {
    private let honest = HonestFiles(.example(seed: 3))

    private func audit(_ change: (inout AuditedFiles) -> Void = { _ in }) -> DisclosureAudit {
        var files = honest.written
        change(&files)
        return DisclosureAudit(of: honest.release.audited, facts: HonestFiles.facts, files: files)
    }

    @Test func aMissingFileIsFound() {
        for name in ["kpi-summary.json", "kpi-cells.csv"] {
            var files = honest.files
            files[name] = nil
            #expect(audit().findings(in: files).contains("\(name): the file is missing"))
        }
        #expect(!audit().findings(in: [:]).isEmpty)
    }

    /// A release is made by this version, so it has every key.
    @Test(arguments: ["noShow", "costNotRun", "incompleteMeasures", "sourcingBasis", "withheldHeadlines"])
    func aMissingKeyIsFound(name: String) throws {
        var files = honest.files
        let text = String(decoding: try #require(files["kpi-summary.json"]), as: UTF8.self)
        let key = try Regex("\"\(name)\": ?(\\{[^}]*\\}|\\[[^\\]]*\\]|[^,\\{\\[]*),\\s*")
        let shorter = text.replacing(key, with: "")
        #expect(shorter != text)
        files["kpi-summary.json"] = Array(shorter.utf8)
        let isFound = audit().findings(in: files).contains { $0.contains("\(name) is not the one") }
        #expect(isFound)
    }

    @Test func anUnknownFileIsFound() {
        var files = honest.files
        files["costs.xlsx"] = [1, 2, 3]
        #expect(audit().findings(in: files) == ["costs.xlsx: the auditor does not know this file"])
    }

    @Test func aFileWithACheckOfItsOwnIsCheckedByIt() {
        var files = honest.files
        files["trips.ndjson.gz"] = [1]
        let own = audit { $0.otherFiles["trips.ndjson.gz"] = { $0 == [1] ? [] : ["it is not that"] } }
        #expect(own.findings(in: files) == [])
        files["trips.ndjson.gz"] = [2]
        #expect(own.findings(in: files) == ["trips.ndjson.gz: it is not that"])
    }

    @Test func aPageNeedsARenderer() {
        #expect(!audit { $0.renderPage = nil }.findings(in: honest.files).isEmpty)
        #expect(!audit { $0.renderPage = { _ in nil } }.findings(in: honest.files).isEmpty)
    }

    @Test func aPageWithASecondDocumentIsFound() {
        var files = honest.files
        let page = (files["dashboard.html"] ?? []) + (files["dashboard.html"] ?? [])
        files["dashboard.html"] = page
        #expect(audit { $0.renderPage = { _ in page } }.findings(in: files).count == 1)
    }

    @Test func anUnknownColumnIsFound() {
        let columns = HonestFiles.columns + ["largest"]
        #expect(!audit { $0.csvColumns = columns }.findings(in: honest.files).isEmpty)
        var files = honest.files
        let lines = String(decoding: files["kpi-cells.csv"] ?? [], as: UTF8.self).split(separator: "\r\n")
        let longer = lines.enumerated().map { $0.element + ($0.offset == 0 ? ",largest" : ",12") + "\r\n" }
        files["kpi-cells.csv"] = Array(longer.joined().utf8)
        #expect(!audit { $0.csvColumns = columns }.findings(in: files).isEmpty)
    }

    /// Each merged group has its row, and each row says of which population it is.
    @Test func rowsOfGroupsThatAreMissingOrOthersAreFound() throws {
        let lines = String(decoding: honest.files["kpi-cells.csv"] ?? [], as: UTF8.self).split(separator: "\r\n")
        let places = lines.indices.filter { $0 > 0 && !lines[$0].hasSuffix(",") }
        #expect(!places.isEmpty && places.count == lines.count - honest.cells.count - 1)
        for place in places {
            let line = String(lines[place])
            for changed in ["", line + "\r\n" + line + "\r\n", line + "s\r\n", line.dropLast(3) + "\r\n"] {
                var other = lines.map { String($0) + "\r\n" }
                other[place] = changed
                var files = honest.files
                files["kpi-cells.csv"] = Array(other.joined().utf8)
                let isFound = audit().findings(in: files).contains { $0.hasPrefix("kpi-cells.csv: ") }
                #expect(isFound)
            }
        }
    }

    @Test(arguments: ["\u{FEFF}", "# 12\r\n", "\"release\",", "\n"])
    func anythingBeforeTheHeaderIsFound(text: String) {
        var files = honest.files
        files["kpi-cells.csv"] = Array(text.utf8) + (files["kpi-cells.csv"] ?? [])
        #expect(!audit().findings(in: files).isEmpty)
    }

    @Test(arguments: ["{}", "", "[", "null", "{\"contractVersion\": \"1.1\"}", "\u{0}"])
    func whatIsNoDocumentIsFound(text: String) {
        var files = honest.files
        files["kpi-summary.json"] = Array(text.utf8)
        #expect(!audit().findings(in: files).isEmpty)
    }

    /// A finding may end up in a log, so it holds no figure: no digit but those of months and of the percentiles'
    /// names.
    @Test func findingsHoldNoFigure() {
        var found = 0
        for change in SingleChanges.ofJSON(honest.files["kpi-summary.json"] ?? []).enumerated()
        where change.offset.isMultiple(of: 211) {
            var files = honest.files
            files["kpi-summary.json"] = change.element.bytes
            for finding in audit().findings(in: files) {
                let bare = finding.replacing(/\d{4}-\d{2}|p50|p90|P90|rolling12\w+/, with: "")
                let hasFigure = bare.contains { $0.isNumber }
                #expect(!hasFigure, "\(finding)")
                found += 1
            }
        }
        #expect(found > 10)
    }
}

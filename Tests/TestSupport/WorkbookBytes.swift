/// Small workbooks, written part by part.
package struct WorkbookBytes {
    /// By name, the content of `sheetData` of each.
    package var sheets: [(name: String, rows: String)]
    package var strings: [String] = []
    /// The number formats of the styles 1, 2, …; style 0 is General.
    package var formats: [String] = []
    package var is1904 = false
    package var hidden: Set<String> = []

    /// A part of the zip file.
    package struct Part {
        package var name: String
        package var bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }
    }

    package init(_ sheets: (name: String, rows: String)...) { self.sheets = sheets }

    package var members: [Part] {
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        let list = sheets.enumerated().map { place, sheet in
            let state = hidden.contains(sheet.name) ? #" state="hidden""# : ""
            return #"<sheet name="\#(sheet.name)" sheetId="\#(place + 1)"\#(state) r:id="rId\#(place + 1)"/>"#
        }.joined()
        let links = sheets.indices.map { place in
            #"<Relationship Id="rId\#(place + 1)" Type="\#(office)/worksheet" Target="worksheets/sheet\#(place + 1).xml"/>"#
        }.joined()
        let custom = formats.enumerated().map { place, code in
            #"<numFmt numFmtId="\#(164 + place)" formatCode="\#(code)"/>"#
        }.joined()
        let styles = formats.indices.map { #"<xf numFmtId="\#(164 + $0)"/>"# }.joined()
        return [
            .init(
                "_rels/.rels",
                #"<Relationships><Relationship Id="r1" Type="\#(office)/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
            .init(
                "xl/workbook.xml",
                #"<?xml version="1.0"?><workbook xmlns="\#(main)" xmlns:r="\#(office)"><workbookPr date1904="\#(is1904 ? 1 : 0)"/>"#
                    + "<sheets>\(list)</sheets></workbook>"),
            .init(
                "xl/_rels/workbook.xml.rels",
                #"<Relationships>\#(links)<Relationship Id="s" Type="\#(office)/styles" Target="/xl/styles.xml"/>"#
                    + #"<Relationship Id="t" Type="\#(office)/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#
            ),
            .init(
                "xl/styles.xml",
                "<styleSheet><numFmts>\(custom)</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
                    + "<cellXfs><xf numFmtId=\"0\"/>\(styles)</cellXfs></styleSheet>"),
            .init("xl/sharedStrings.xml", "<sst>\(strings.map { "<si><t>\($0)</t></si>" }.joined())</sst>"),
        ]
            + sheets.enumerated().map { place, sheet in
                .init(
                    "xl/worksheets/sheet\(place + 1).xml",
                    "<worksheet xmlns=\"\(main)\"><dimension ref=\"A1\"/><sheetData>\(sheet.rows)</sheetData></worksheet>"
                )
            }
    }

    package var bytes: [UInt8] { Self.archive(members) }

    package static func archive(_ parts: [Part]) -> [UInt8] {
        var zip = ZipBytes()
        for part in parts { zip.add(part.name, part.bytes) }
        return zip.bytes()
    }
}

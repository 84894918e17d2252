import ExportBytes
import TestSupport
import Testing

@Suite struct SheetStreamTests {
    private static func csv(_ workbook: WorkbookBytes, sheet: Int = 0) throws -> (text: String, remarks: SheetRemarks) {
        try csv(workbook.bytes, sheet: sheet)
    }

    private static func csv(_ archive: [UInt8], sheet: Int = 0) throws -> (text: String, remarks: SheetRemarks) {
        try TemporaryFolder.with { folder in
            let file = try ExportFile(path: folder.write(archive, to: "trips.xlsx"))
            let workbook = try Workbook(file, ZipDirectory(file))
            var stream = try workbook.stream(of: workbook.sheets[sheet])
            let text = String(decoding: try stream.take(1 << 20), as: UTF8.self)
            return (text, stream.remarks)
        }
    }

    @Test func cellsAreFields() throws {
        var book = WorkbookBytes(
            (
                "Trips",
                #"""
                <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>regi</t><rPh><t>no</t></rPh><t>on</t></is></c><c r="D1" t="str"><v>cost</v></c></row>
                <row r="3" hidden="1"><c r="A3"><v>17</v></c><c r="C3" t="b"><v>1</v></c><c r="D3"><v>12.300000000000001</v></c></row>
                <row r="4"><c r="A4"><v>1.2345678901234567E-2</v></c><c r="B4" t="e"><v>#N/A</v></c><c r="D4"><f>A1+1</f></c></row>
                <row r="5" spans="1:4"/>
                <row r="6"><c r="B6" t="s"><v>1</v></c><c r="C6" s="3"/></row>
                """#
            ))
        book.strings = ["trip_id", "Smith &amp; Sons, &quot;North&quot;_x000A_Ward &#55;"]
        let (text, remarks) = try Self.csv(book)
        #expect(
            text == """
                trip_id,region,,cost
                17,,TRUE,12.3
                0.0123456789012346,,,
                ,"Smith & Sons, ""North""
                Ward 7",,

                """)
        #expect(remarks.hiddenRows == 1 && remarks.errorValues == 1 && remarks.formulasWithoutValue == 1)
    }

    /// As the format shows them; what it hides of a time is kept.
    @Test(arguments: [
        ("yyyy\\-mm\\-dd hh:mm:ss", "45658.5", "2025-01-01 12:00:00"), ("m/d/yyyy", "45658", "2025-01-01"),
        ("m/d/yyyy", "45658.75", "2025-01-01 18:00:00"), ("[$-409]d\\-mmm\\-yy;@", "61", "1900-03-01"),
        ("m/d/yyyy", "59", "1900-02-28"), ("m/d/yyyy", "1", "1900-01-01"), ("m/d/yyyy", "60", "60"),
        ("m/d/yyyy", "-1", "-1"), ("h:mm AM/PM", "0.999988425925926", "23:59:59"), ("h:mm", "0.5", "12:00"),
        ("h:mm", "0.50001157", "12:00:01"),
        ("[h]:mm", "1.5", "36:00:00"), ("mm:ss", "0.0006944444", "00:01:00"), ("00000", "123", "00123"),
        ("0.00", "123", "123"), ("#,##0.00 \"dollars\"", "1234.5", "1234.5"), ("General", "45658.5", "45658.5"),
        ("\"day\" 0", "45658", "45658"), ("[Red]0", "7", "7"),
        ("m/d/yyyy h:mm", "45658.99999999999", "2025-01-02 00:00:00"),
        ("m/d/yyyy h:mm", "45658.99999997", "2025-01-01 23:59:59"), ("0.00E+00", "45658", "45658"),
        ("m/d/yyyy h:mm", "0.5", "12:00:00"), ("h:mm:ss", "1.25", "06:00:00"),
        ("[hh]:mm", "45658.5", "2025-01-01 12:00:00"),
        ("[=0]\"\";m/d/yyyy h:mm", "45658.5", "2025-01-01 12:00:00"),
        ("[<45000]General;m/d/yyyy", "45658", "2025-01-01"),
        ("m/d/yyyy [h]:mm", "45658.5", "2025-01-01 12:00:00"), ("ggge\"年\"m\"月\"d\"日\"", "45658", "2025-01-01"),
        ("ss.000", "0.0006944444", "00:01:00"), ("0.00 USD", "12.5", "USD12.5"), ("#,##0.00 mi", "45658", "45658"),
        ("Currency", "45658", "45658"), ("Fixed", "45658", "45658"), ("dd/mm/yyyy AM/PM", "45658", "2025-01-01"),
        ("[$€-2] #,##0.00", "12.50", "€12.5"), ("_(\"$\"* #,##0.00_)", "12", "$12"), ("\"EUR\" 0.00", "-3", "EUR-3"),
        ("General", "12345.0", "12345"), ("000000", "100.0", "000100"),
        ("General", "20250105000020001", "20250105000020001"),
        ("General", "2.025010500002E+16", "2.025010500002E+16"), ("General", "1.2E+5", "120000"), ("0.00", "0.0", "0"),
        ("General", "99999999999999.906", "99999999999999.9"), ("General", "-1.5E-7", "-0.00000015"),
        ("m/d/yyyy", "\n 45658 ", "2025-01-01"),
    ])
    func numbersAreWrittenByTheirFormat(format: String, number: String, wanted: String) throws {
        var book = WorkbookBytes(("Trips", #"<row><c s="1"><v>\#(number)</v></c></row>"#))
        book.formats = [format.replacing("\"", with: "&quot;")]
        #expect(try Self.csv(book).text == wanted + "\n")
    }

    /// A program that does not calculate writes 0 as the value of each formula.
    @Test func aFormulaThatWasNeverCalculatedHasNoValue() throws {
        let rows =
            "<row><c><f>A1</f><v></v></c><c><f>A1</f><v>0</v></c><c><f>A1</f><v>7</v></c><c><v>0</v></c></row>"
        var members = WorkbookBytes(("Trips", rows)).members
        let plain = try Self.csv(WorkbookBytes.archive(members))
        #expect(plain.text == ",0,7,0\n" && plain.remarks.formulasWithoutValue == 1)
        let place = try #require(members.firstIndex { $0.name == "xl/workbook.xml" })
        let stated = String(decoding: members[place].bytes, as: UTF8.self).replacing(
            "</workbook>", with: #"<calcPr calcId="1" fullCalcOnLoad="1"/></workbook>"#)
        members[place].bytes = Array(stated.utf8)
        let told = try Self.csv(WorkbookBytes.archive(members))
        #expect(told.text == ",,7,0\n" && told.remarks.formulasWithoutValue == 2)
    }

    /// One wrong byte in a stored sheet, behind its rows too: the checksum says so.
    @Test(arguments: ["<v>17</v>", "<mergeCell "])
    func aSheetWithAnotherChecksumIsAnError(mark: String) throws {
        let rows =
            #"<row r="1"><c r="A1"><v>17</v></c></row></sheetData><mergeCells><mergeCell ref="A2:B2"/></mergeCells><sheetData>"#
        var archive = WorkbookBytes(("Trips", rows)).bytes
        let found = try #require(archive.firstRange(of: Array(mark.utf8)))
        archive[found.lowerBound + 3] ^= 1
        #expect(throws: ExportError.self) { try Self.csv(archive) }
    }

    @Test func aSheetWhoseRelationshipIsMissingIsAnError() throws {
        var members = WorkbookBytes(("January", "<row/>"), ("February", "<row/>")).members
        let place = try #require(members.firstIndex { $0.name == "xl/_rels/workbook.xml.rels" })
        members[place].bytes = Array(
            String(decoding: members[place].bytes, as: UTF8.self).replacing("rId2", with: "rId9").utf8)
        let error = #expect(throws: ExportError.self) { try Self.csv(WorkbookBytes.archive(members)) }
        #expect(error?.problem.contains("sheet 2 is nowhere") == true)
    }

    @Test(arguments: ["ISO-8859-1", "UTF-16"])
    func onlyUTF8IsRead(encoding: String) throws {
        var members = WorkbookBytes(("Trips", "<row/>")).members
        members[members.count - 1].bytes =
            Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?>".utf8) + members[members.count - 1].bytes
        let error = #expect(throws: ExportError.self) { try Self.csv(WorkbookBytes.archive(members)) }
        #expect(error?.problem.contains(encoding) == true)
    }

    @Test func daysOf1904CountFromThere() throws {
        var book = WorkbookBytes(("Trips", #"<row><c s="1"><v>44196</v></c></row>"#))
        book.formats = ["m/d/yyyy"]
        book.is1904 = true
        #expect(try Self.csv(book).text == "2025-01-01\n")
    }

    @Test func everyDayIsTheCalendars() throws {
        let rows = (61..<80_000).map { #"<row><c s="1"><v>\#($0)</v></c></row>"# }.joined()
        var book = WorkbookBytes(("Trips", rows))
        book.formats = ["yyyy-mm-dd"]
        var day = (year: 1900, month: 3, day: 1)
        let lines = try Self.csv(book).text.split(separator: "\n")
        #expect(lines.count == 79_939)
        for line in lines {
            let (year, month, number) = day
            #expect(line == "\(year)-\(month < 10 ? "0" : "")\(month)-\(number < 10 ? "0" : "")\(number)")
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            day = number < length ? (year, month, number + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
        }
    }

    /// Some programs put a prefix before each name, comments between, and no references.
    @Test func otherWaysToWriteIt() throws {
        var members = WorkbookBytes(("Trips", "")).members
        members[members.count - 1].bytes = Array(
            """
            <!-- <row> --><x:worksheet xmlns:x="a"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[a<b,]]></x:t></x:is>\
            </x:c><x:c><x:v>1</x:v></x:c></x:row></x:sheetData><x:row/></x:worksheet>
            """.utf8)
        #expect(try Self.csv(WorkbookBytes.archive(members)).text == "\"a<b,\",1\n")
    }

    /// CR LF and CR are one line end in XML; a sign is no digit of a reference or an escape; a comment has room for two marks.
    @Test func textsAreWhatXMLSaysThatTheyAre() throws {
        var book = WorkbookBytes(
            (
                "Trips",
                "<row><c t=\"str\"><v>a\r\nb\rc&#13;</v></c><c t=\"str\"><v><![CDATA[\r\n]]>_x+041_</v></c>"
                    + "<!--><c t=\"b\"><v>1</v></c>--><c t=\"str\"><v>&#x000000000041;&#+65;</v></c></row>"
            ))
        #expect(try Self.csv(book).text == "\"a\nb\nc\r\",\"\n_x+041_\",A&#+65;\n")
        book.sheets[0].rows = "<row><c t=\"b\"><v>false</v></c><c t=\"b\"><v>true</v></c></row>"
        #expect(try Self.csv(book).text == "FALSE,TRUE\n")
    }

    /// An empty text is no value in any form; an empty number of a formula is a value that the workbook does not have.
    @Test func whatIsEmptyIsNoValue() throws {
        var book = WorkbookBytes(
            (
                "Trips",
                "<row><c t=\"s\"><v>0</v></c><c t=\"str\"><f>A1</f><v></v></c><c><f>A1</f><v></v></c><c><f/><v/></c></row>"
            ))
        book.strings = [""]
        let (text, remarks) = try Self.csv(book)
        #expect(text.isEmpty && remarks.formulasWithoutValue == 2)
        book.sheets[0].rows = "</sheetData><sheetData/><extLst><row/></extLst><sheetData>"
        #expect(try Self.csv(book).text.isEmpty)
    }

    /// The CRC of a part is at its end, behind the rows.
    @Test func damageOfAValueIsFound() throws {
        let whole = WorkbookBytes(("Trips", "<row><c><v>123456789</v></c></row>")).bytes
        let place = try #require(whole.firstRange(of: Array("123456789".utf8))).lowerBound
        #expect(try Self.csv(whole).text == "123456789\n")
        var bytes = whole
        bytes[place] ^= 1
        #expect(throws: ExportError.self) { try Self.csv(bytes) }
    }

    /// Long rows at the top of a sheet are not held until there are 64.
    @Test func longFirstRowsAreWhole() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let cell = "<c t=\"str\"><v>\(long)</v></c>"
        let book = WorkbookBytes(
            ("Trips", "<row><c><v>1</v></c></row><row>\(cell)\(cell)\(cell)</row><row>\(cell)</row>"))
        try TemporaryFolder.with { folder in
            let file = try ExportFile(path: folder.write(book.bytes, to: "trips.xlsx"))
            let workbook = try Workbook(file, ZipDirectory(file))
            let text = try workbook.stream(of: workbook.sheets[0]).all()
            #expect(text == Array("1\n\(long),\(long),\(long)\n\(long)\n".utf8))
        }
    }

    @Test(arguments: [
        ("<row r=\"2\"/><row r=\"1\"/>", "not in order"),
        ("<row><c r=\"B1\"><v>1</v></c><c r=\"A1\"><v>1</v></c></row>", "not in order"),
        ("<row><c t=\"s\"><v>5</v></c></row>", "a text that the workbook does not have"),
        ("<row><c r=\"XFE1\"><v>5</v></c></row>", "no column"), ("<row><c r=\"XFD1\"><v>5</v></c></row>", "4096"),
        ("<row r=\"1048577\"/>", "not in order"), ("<!DOCTYPE a>", "document type"), ("<row><c", "within its rows"),
        ("<row><c r=\"", "within a tag"), ("<row><c t=\"q\"><v>1</v></c></row>", "a type that is not known"),
        ("<row><c s=\"&#49;\"><v>1</v></c></row>", "style"), ("<row><c><v>&#49;</v></c></row>", "as an entity"),
        ("<row><c t=\"inlineStr\"><is><t>a</t><c/></is></c></row>", "a cell within a cell"),
        ("<row><row/></row>", "a row outside its rows"),
        ("<row><c t=\"b\"><v>2</v></c></row>", "neither true nor false"), ("<row r=\"x\"/>", "not in order"),
    ])
    func aSheetThatIsWrongIsAnError(rows: String, words: String) throws {
        let error = #expect(throws: ExportError.self) { try Self.csv(WorkbookBytes(("Trips", rows))) }
        #expect(error?.problem.contains(words) == true, "\(error?.problem ?? "")")
        #expect(error?.remedy.contains("CSV") == true)
    }

    @Test func aPartThatIsMissingIsAnError() throws {
        let members = WorkbookBytes(("Trips", "<row/>")).members
        for missing in ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"] {
            #expect(throws: ExportError.self) {
                try Self.csv(WorkbookBytes.archive(members.filter { $0.name != missing }))
            }
        }
    }

    /// Rows of a million empty cells with a style, and one value far to the right.
    @Test func emptyCellsTakeNoRoom() throws {
        let row = "<row>" + String(repeating: "<c s=\"0\"/>", count: 3_000) + "</row>"
        let (text, _) = try Self.csv(
            WorkbookBytes(("Trips", String(repeating: row, count: 300) + "<row><c><v>1</v></c></row>")))
        #expect(text == "1\n")
    }

    @Test func sheetsAreNamedAndHiddenOnesAreKnown() throws {
        var book = WorkbookBytes(("Trips &amp; more", "<row/>"), ("Notes", "<row><c><v>2</v></c></row>"))
        book.hidden = ["Notes"]
        try TemporaryFolder.with { folder in
            let file = try ExportFile(path: folder.write(book.bytes, to: "trips.xlsx"))
            let sheets = try Workbook(file, ZipDirectory(file)).sheets
            #expect(sheets.map(\.name) == ["Trips & more", "Notes"] && sheets.map(\.isHidden) == [false, true])
        }
        #expect(try Self.csv(book, sheet: 1).text == "2\n")
    }

    /// Whatever byte of a sheet is wrong: text or an error.
    @Test func damageEndsInTextOrAnError() throws {
        let members = WorkbookBytes(
            ("Trips", #"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45658.5</v></c></row><row r="2"/>"#)
        ).members
        var random = SplitMix64(seed: 9)
        for _ in 0..<FuzzPlan.iterations(400) {
            var own = members
            let part = Int(random.next() % UInt64(own.count))
            guard !own[part].bytes.isEmpty else { continue }
            let place = Int(random.next() % UInt64(own[part].bytes.count))
            own[part].bytes[place] = UInt8(truncatingIfNeeded: random.next())
            _ = try? Self.csv(WorkbookBytes.archive(own))
        }
    }
}

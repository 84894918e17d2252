import Foundation
import TestSupport
import Testing

/// A workbook gives what its CSV gives.
@Suite struct WorkbookExportTests {
    private let fixture: CommandFixture

    init() throws { fixture = try CommandFixture() }

    private static let header = ["trip_id", "unit_notified_at", "on_scene_at", "region", "loaded_miles", "cost"]

    private static func text(_ value: String, _ column: Int, _ row: Int) -> String {
        #"<c r="\#(["A", "B", "C", "D", "E", "F"][column])\#(row)" t="inlineStr"><is><t>\#(value)</t></is></c>"#
    }

    /// - Parameter from: the number of the first trip.
    private static func rows(_ count: Int, from first: Int = 0) -> (sheet: String, csv: String) {
        var sheet = "<row r=\"1\">" + header.enumerated().map { text($1, $0, 1) }.joined() + "</row>", csv = ""
        for number in first..<first + count {
            let row = number - first + 2, day = 45_658 + number % 60, minute = number % 50
            let serial = "\(day).5", arrived = Double(day) + 0.5 + Double(minute * 60 + 30) / 86_400
            let date = Date(timeIntervalSince1970: Double(day - 25_569) * 86_400).formatted(
                .iso8601.year().month().day())
            let clock = "12:\(minute < 10 ? "0" : "")\(minute):30", cost = "\(100 + number).1"
            sheet +=
                "<row r=\"\(row)\">" + text("T\(number)", 0, row)
                + "<c r=\"B\(row)\" s=\"1\"><v>\(serial)</v></c><c r=\"C\(row)\" s=\"1\"><v>\(arrived)</v></c>"
                + text(number % 2 == 0 ? "North" : "South", 3, row)
                + "<c r=\"E\(row)\"><v>\(number).5</v></c><c r=\"F\(row)\"><v>\(cost)</v></c></row>"
            csv +=
                "T\(number),\(date) 12:00:00,\(date) \(clock),\(number % 2 == 0 ? "North" : "South"),\(number).5,\(cost)\n"
        }
        return (sheet, csv)
    }

    private func scan(_ name: String, _ words: String..., in folder: TemporaryFolder) throws -> CommandResult {
        try fixture.run(["scan", folder.path(of: name), "--format", "csv"] + words)
    }

    @Test func aWorkbookGivesTheBytesOfItsCSV() throws {
        try TemporaryFolder.with { folder in
            let (sheet, csv) = Self.rows(120)
            var book = WorkbookBytes(("Trips", sheet), ("Notes", "<row><c><v>1</v></c></row>"))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            try folder.write(Self.header.joined(separator: ",") + "\n" + csv, to: "trips.csv")
            let own = try scan("trips.xlsx", in: folder), plain = try scan("trips.csv", in: folder)
            #expect(own.status == 0 && plain.status == 0, "\(own.stderrText)")
            #expect(own.stdout == plain.stdout && own.stdoutText.contains("120"))
            #expect(own.stderrText.contains("left out: sheet 2 (no table)"))
        }
    }

    /// Two sheets with one header are one export; with different ones the profile says which are meant.
    @Test func severalSheetsAreReadIfTheyHaveTheSameColumns() throws {
        try TemporaryFolder.with { folder in
            let first = Self.rows(60), second = Self.rows(60, from: 60)
            var book = WorkbookBytes(("January", first.sheet), ("February", second.sheet))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            try folder.write(Self.header.joined(separator: ",") + "\n" + first.csv + second.csv, to: "trips.csv")
            let own = try scan("trips.xlsx", in: folder)
            #expect(try own.stdout == scan("trips.csv", in: folder).stdout, "\(own.stderrText)")
            #expect(own.stderrText.contains("sheets 1, 2 are read"))
        }
    }

    /// A column of notes that one sheet has behind all others does not make it another table.
    @Test func aColumnOfOneSheetIsLeftOut() throws {
        try TemporaryFolder.with { folder in
            let first = Self.rows(60), second = Self.rows(60, from: 60)
            let name = #"<c r="G1" t="inlineStr"><is><t>Notes</t></is></c></row>"#
            let end = try #require(second.sheet.range(of: "</row>"))
            let noted = second.sheet.replacingCharacters(in: end, with: name)
                .replacingOccurrences(
                    of: "<v>167.1</v></c>",
                    with: "<v>167.1</v></c>"
                        + Self.text("late", 5, 9)
                        .replacingOccurrences(of: "F9", with: "G9"))
            var book = WorkbookBytes(("January", first.sheet), ("February", noted))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            try folder.write(Self.header.joined(separator: ",") + "\n" + first.csv + second.csv, to: "trips.csv")
            let own = try scan("trips.xlsx", in: folder)
            #expect(try own.stdout == scan("trips.csv", in: folder).stdout, "\(own.stderrText)")
        }
    }

    /// A rejected record is named by its sheet and row, from the export and from the store: titles and blank rows move it.
    @Test func aRejectedRecordIsNamedBySheetAndRow() throws {
        try TemporaryFolder.with { folder in
            let first = Self.rows(60), second = Self.rows(60, from: 60)
            // Behind two blank rows, without a time; then one more trip, of a row without a number.
            let undated = "<row r=\"64\">" + Self.text("T998", 0, 64) + Self.text("North", 3, 64) + "</row>"
            let last = "<row>" + Self.text("T999", 0, 65) + "<c r=\"B65\" s=\"1\"><v>45700.5</v></c></row>"
            var book = WorkbookBytes(("January", first.sheet), ("February", second.sheet + undated + last))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "inbox/trips_1.xlsx")
            let scan = try scan("inbox/trips_1.xlsx", in: folder)
            #expect(scan.stderrText.contains("record 121 in sheet 2, row 64: no_usable_date"), "\(scan.stderrText)")
            let run = try fixture.run(["run"], in: folder.url)
            #expect(run.stderrText.contains("121 added"), "\(run.stderrText)")
            let list = try fixture.run(["quarantine", "list"], in: folder.url)
            #expect(list.stdoutText.contains("record 121 in sheet 2, row 64"), "\(list.stdoutText)")
        }
    }

    private static let rates =
        "<row>" + text("zone", 0, 1) + text("rate_code", 1, 1) + "</row><row><c><v>1</v></c><c><v>2</v></c></row>"

    /// A table without the columns of trips is left out; another one that may hold trips makes the workbook ambiguous.
    @Test func theSheetsOfTripsAreReadAndOthersAreNamed() throws {
        try TemporaryFolder.with { folder in
            let trips = Self.rows(60)
            var book = WorkbookBytes(("Rates", Self.rates), ("January", trips.sheet))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            try folder.write(Self.header.joined(separator: ",") + "\n" + trips.csv, to: "trips.csv")
            let own = try scan("trips.xlsx", in: folder)
            #expect(try own.stdout == scan("trips.csv", in: folder).stdout, "\(own.stderrText)")
            #expect(own.stderrText.contains("left out: sheet 1 (a table without the columns of trips)"))
            #expect(!own.stderrText.contains("Rates"))
            let totals =
                "<row>" + Self.text("trip_id", 0, 1) + Self.text("cost", 1, 1) + "</row><row>"
                + Self.text("North", 0, 2) + "<c><v>2</v></c></row>"
            book.sheets.append((name: "Totals", rows: totals))
            try folder.write(book.bytes, to: "trips.xlsx")
            let refused = try scan("trips.xlsx", in: folder)
            #expect(refused.status == 65 && refused.stderrText.contains("sheets 2, 3"), "\(refused.stderrText)")
            let suggested = try fixture.run(["map", "suggest", "trips.xlsx"], in: folder.url)
            #expect(suggested.status == 65 && suggested.stderrText.contains("--sheet 2"), "\(suggested.stderrText)")
            let chosen = try fixture.run(
                ["map", "suggest", "trips.xlsx", "--sheet", "January", "--write", "own.yaml"], in: folder.url)
            #expect(chosen.status == 0 && chosen.stderrText.contains("workbook"), "\(chosen.stderrText)")
            let read = try scan("trips.xlsx", "--profile", folder.path(of: "own.yaml"), in: folder)
            #expect(read.status == 0 && read.stdoutText.contains("60"), "\(read.stderrText)")
        }
    }

    /// Report servers merge equal values of successive rows: only the first has them.
    @Test func mergedRecordsAreRefusedInTheColumnsThatAreRead() throws {
        try TemporaryFolder.with { folder in
            var book = WorkbookBytes(("Trips", Self.rows(60).sheet))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            for (range, isRefused) in [("D5:D9", true), ("A1:B1", false), ("D61:D70", false), ("G5:G9", false)] {
                var members = book.members
                let sheet = String(decoding: members[members.count - 1].bytes, as: UTF8.self).replacing(
                    "</sheetData>",
                    with: "</sheetData><mergeCells count=\"1\"><mergeCell ref=\"\(range)\"/></mergeCells>")
                members[members.count - 1].bytes = Array(sheet.utf8)
                try folder.write(WorkbookBytes.archive(members), to: "trips.xlsx")
                let read = try scan("trips.xlsx", in: folder)
                #expect(read.status == (isRefused ? 65 : 0), "\(range) \(read.stderrText)")
                if isRefused {
                    #expect(read.stderrText.contains("column 4 has merged cells (1 of them, the first in rows 5 to 9)"))
                }
            }
        }
    }

    /// The table ends where its header does, and so do its sheets' tables alike.
    @Test func notesBesideTheTableAreLeftOutAndCounted() throws {
        try TemporaryFolder.with { folder in
            let first = Self.rows(60), second = Self.rows(60, from: 60)
            let note = #"<c r="J7" t="inlineStr"><is><t>check</t></is></c></row>"#
            let place = try #require(second.sheet.ranges(of: "</row>").dropFirst(6).first)
            var book = WorkbookBytes(
                ("January", first.sheet), ("February", second.sheet.replacingCharacters(in: place, with: note)))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            try folder.write(Self.header.joined(separator: ",") + "\n" + first.csv + second.csv, to: "trips.csv")
            let own = try scan("trips.xlsx", in: folder)
            #expect(try own.stdout == scan("trips.csv", in: folder).stdout, "\(own.stderrText)")
            #expect(own.stderrText.contains("1 cell is right of the named columns; it is left out"))
        }
    }

    /// Numbers of a workbook have a point, whatever mark its texts have.
    @Test func numbersAreReadWithADecimalCommaToo() throws {
        try TemporaryFolder.with { folder in
            let rows =
                "<row>" + ["trip_id", "service_date", "cost"].enumerated().map { Self.text($1, $0, 1) }.joined()
                + "</row>"
                + "<row>" + Self.text("T1", 0, 2) + Self.text("2025-01-02", 1, 2) + "<c><v>1234.5</v></c></row>"
                + "<row>" + Self.text("T2", 0, 3) + Self.text("2025-01-02", 1, 3) + Self.text("1.000,25", 2, 3)
                + "</row>"
            try folder.write(WorkbookBytes(("Trips", rows)).bytes, to: "trips.xlsx")
            try folder.write(
                "source: own\ndecimal: comma\ncolumns: {trip_id: trip_id, service_date: service_date, cost: cost}\n",
                to: "own.yaml")
            let read = try scan("trips.xlsx", "--profile", folder.path(of: "own.yaml"), in: folder)
            #expect(read.status == 0 && read.stdoutText.contains("2234.75"), "\(read.stderrText) \(read.stdoutText)")
        }
    }

    /// Sums of euros and dollars are none.
    @Test func theCurrencyOfAFormatCounts() throws {
        try TemporaryFolder.with { folder in
            var book = WorkbookBytes(
                ("Trips", Self.rows(60).sheet.replacing("<c r=\"F3\">", with: "<c r=\"F3\" s=\"2\">")))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss", "[$€-2] #,##0.00"]
            try folder.write(book.bytes, to: "trips.xlsx")
            let read = try scan("trips.xlsx", in: folder)
            #expect(
                read.stderrText.contains("1 in EUR") || read.stderrText.contains("1 cost is in EUR"),
                "\(read.stderrText)")
        }
    }

    /// A sheet that is not there would be a month that is not counted.
    @Test func eachSheetThatTheProfileNamesMustBeThere() throws {
        try TemporaryFolder.with { folder in
            var book = WorkbookBytes(("January", Self.rows(60).sheet))
            book.formats = ["yyyy\\-mm\\-dd hh:mm:ss"]
            try folder.write(book.bytes, to: "trips.xlsx")
            let columns = Self.header.map { "\($0): \($0)" }.joined(separator: ", ")
            try folder.write("source: own\nsheets: [January, February]\ncolumns: {\(columns)}\n", to: "own.yaml")
            let refused = try scan("trips.xlsx", "--profile", folder.path(of: "own.yaml"), in: folder)
            #expect(
                refused.status == 65 && refused.stderrText.contains("sheet name 2 of the 2"), "\(refused.stderrText)")
        }
    }

    /// Without a header the first row of each sheet is a record.
    @Test func withoutAHeaderEverySheetIsReadFromItsFirstRow() throws {
        try TemporaryFolder.with { folder in
            func sheet(_ first: Int) -> String {
                (first..<first + 30).map { number in
                    "<row>" + Self.text("T\(number)", 0, 1) + Self.text("2025-03-04 10:00:00", 1, 1)
                        + "<c><v>12.5</v></c></row>"
                }.joined()
            }
            try folder.write(WorkbookBytes(("A", sheet(0)), ("B", sheet(30))).bytes, to: "trips.xlsx")
            try folder.write(
                "source: own\nheader: false\ncolumns: {trip_id: \"#1\", unit_notified_at: \"#2\", cost: \"#3\"}\n",
                to: "own.yaml")
            let read = try scan("trips.xlsx", "--profile", folder.path(of: "own.yaml"), in: folder)
            #expect(read.status == 0 && read.stdoutText.contains("60"), "\(read.stderrText) \(read.stdoutText)")
        }
    }

    @Test func whatIsNoWholeWorkbookIsAnErrorOfTheFile() throws {
        try TemporaryFolder.with { folder in
            let bytes = WorkbookBytes(("Trips", Self.rows(20).sheet)).bytes
            try folder.write(Array(bytes.dropLast(40)), to: "trips.xlsx")
            let cut = try scan("trips.xlsx", in: folder)
            #expect(cut.status == 65 && cut.stderrText.contains("fetch or export the file again"), "\(cut.stderrText)")
        }
    }
}

import Basics
import KPIs
import Privacy
import Reports
import Testing
import Trips
import Workbooks

/// Finance's accessible workbooks as XML; `Tests/Tools/check_costs.py` holds them to the checklist line by line.
@Suite("Accessible cost workbooks") struct AccessibleCostsTests {
    private static let stumbles = [
        "<pane", "<autoFilter", "<mergeCell", "<drawing", "<headerFooter", "<conditionalFormatting", "<f>",
    ]

    private static func archive(_ audience: Audience, ledger: CostLedger? = nil) throws -> WorkbookArchive {
        try withWorkbookFolder { folder in
            let path = folder + "/costs.xlsx"
            try CostWorkbook(
                ReportFixture.report(audience: audience), ledger: ledger, months: nil,
                createdAt: UTCTime(secondsSince1970: 1_775_000_000),
                style: .accessible
            ).write(to: path)
            return try WorkbookArchive(path: path)
        }
    }

    private static func lines(_ count: Int, rowsPerSheet: Int) throws -> WorkbookArchive {
        try withWorkbookFolder { folder in
            let path = folder + "/lines.xlsx"
            let words = CostWords(
                texts: [1: "P-1"], regions: NamedList(["Unassigned"]), tripTypes: NamedList(["Unassigned"]))
            let file = try CostDetailFile(
                path: path, words: words,
                form: .init(
                    createdAt: UTCTime(secondsSince1970: 1_775_000_000), style: .accessible, rowsPerSheet: rowsPerSheet)
            )
            for number in 0..<count {
                var trip = CostTrip(month: Month(year: 2026, month: 3).index, day: 20_513)
                if number == 0 {
                    trip.providerID = 1
                    trip.costCents = 4_205
                }
                try file.add(trip, id: number == 0 ? PublicTripID(high: 1, low: 2) : nil, flags: [])
            }
            try file.finish()
            return try WorkbookArchive(path: path)
        }
    }

    @Test(arguments: [Audience.release, .staff])
    func nothingIsInItThatAScreenReaderStumblesOver(audience: Audience) throws {
        let archive = try Self.archive(audience)
        #expect(archive.sheets.count >= 5)
        for sheet in archive.sheets {
            for word in Self.stumbles { #expect(!sheet.contains(word), "\(word)") }
        }
        #expect(!archive.parts.keys.contains { $0.contains("drawing") || $0.contains("chart") })
        #expect(archive.parts["xl/styles.xml"]?.contains("patternType=\"solid\"") == false)
    }

    @Test func linesAreTablesOverAsManySheetsAsItTakes() throws {
        // Title, two sentences and the header are four rows.
        let archive = try Self.lines(5, rowsPerSheet: 7)
        #expect(archive.sheets.count == 4)
        for (index, sheet) in archive.sheets.enumerated() {
            for word in Self.stumbles { #expect(!sheet.contains(word), "sheet \(index): \(word)") }
            #expect(sheet.contains("<tableParts count=\"1\">") == (index > 0))
        }
        let tables = archive.parts.filter { $0.key.contains("tables/") }.values
        for place in ["displayName=\"Lines1\" ref=\"A4:M7\"", "displayName=\"Lines2\" ref=\"A4:M6\""] {
            #expect(tables.contains { $0.contains(place) }, "\(place)")
        }
    }

    @Test func noCellOfALineIsEmpty() throws {
        let sheet = try #require(try Self.lines(2, rowsPerSheet: 100).sheets.last)
        for row in [5, 6] {
            for column in "ABCDEFGHIJKLM" { #expect(sheet.contains("<c r=\"\(column)\(row)\""), "\(column)\(row)") }
        }
        #expect(sheet.contains("<v>42.05</v>"))
        #expect(sheet.contains(">n/a<"))
        #expect(sheet.contains(">none<"))
    }
}

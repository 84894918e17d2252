import Profiles
import Testing
import Trips

/// The first rows of an export: titles, the header, units, records.
@Suite struct TableTopTests {
    private static let header = ["trip_id", "trip_type", "unit_notified_at", "on_scene_at", "loaded_miles", "cost"]
    private static let records = (0..<9).map {
        ["T\($0)", "Emergency", "2025-03-0\($0 + 1) 08:00:00", "2025-03-0\($0 + 1) 08:09:00", "\($0).5", "1\($0).00"]
    }

    private func top(_ above: [[String]], _ below: [[String]] = []) -> TableTop {
        TableTop(rows: above + [Self.header] + below + Self.records, profile: nil)
    }

    @Test func aHeaderInTheFirstRowStaysThere() {
        #expect(top([]) == TableTop())
        // The header again among the records changes nothing.
        #expect(TableTop(rows: [Self.header] + Self.records + [Self.header] + Self.records, profile: nil).header == 0)
    }

    @Test func titlesAndGroupTitlesArePassedOver() {
        let found = top([["Trips of March"], ["Period:", "2025-03-01 to 2025-03-31"], ["", "", "", "", "", ""]])
        #expect(found.header == 3 && found.above == [.title, .title, .blankRow] && found.unitsRows == 0)
        let groups = top([["Trip", "", "Times", "", "Billing", ""]])
        #expect(groups.header == 1 && groups.above == [.groupTitles])
    }

    /// Records without a header, then one: nothing is passed over.
    @Test func aRecordAboveAHeaderIsNotPassedOver() {
        let found = TableTop(rows: Self.records + [Self.header] + Self.records, profile: nil)
        #expect(found.header == 0 && found.above.isEmpty)
    }

    @Test(arguments: [
        ["(text)", "(text)", "(local time)", "(local time)", "(mi)", "($)"],
        ["", "", "yyyy-mm-dd hh:mm:ss", "yyyy-mm-dd hh:mm:ss", "mi", "USD"],
        ["varchar(20)", "varchar(10)", "datetime", "datetime", "decimal(6,1)", "money"],
        ["-------", "---------", "----------------", "-----------", "------------", "----"],
        [" :---", "---", "---", "---", "---:", "==="],
    ])
    func aRowOfUnitsIsPassedOver(units: [String]) {
        let found = top([], [units])
        #expect(found.header == 0 && found.unitsRows == 1)
    }

    /// A trip whose times are not known, or are words, has an id.
    @Test(arguments: [
        ["T99", "Routine", "", "", "", ""], ["T99", "Routine", "pending", "pending", "", ""],
        ["T99", "Routine", "N/A", "N/A", "N/A", "N/A"], ["", "", "", "", "", ""],
        ["X", "Emergency", "2025-03-01 08:00:00", "later", "mi", "USD"],
    ])
    func aRowThatMayBeATripIsNoRowOfUnits(row: [String]) {
        #expect(top([], [row]).unitsRows == 0)
    }

    /// The names that a profile gives say which row is the header.
    @Test func aProfileFindsItsHeader() {
        var profile = Profile(source: "cad")
        profile.columns = [.tripID: ["Fahrt"], .unitNotifiedAt: ["Alarm"], .cost: ["Kosten"]]
        let rows = [["Bericht", "", ""], ["Fahrt", "Alarm", "Kosten"], ["1", "2025-03-01 08:00:00", "3"]]
        let found = TableTop(rows: rows, profile: profile)
        #expect(found.header == 1 && found.above == [.title])
    }

    // MARK: - Rows that end early

    @Test func trimmedRowsAreRecognised() {
        let whole = (0..<20).map { ["T\($0)", "2025-03-01 08:00:00", "5.00", "ok"] }
        let short = (0..<5).map { ["S\($0)", "2025-03-01 08:00:00", "5.00"] }
        #expect(TrimmedRows.leastFieldCount(whole + short, fieldCount: 4) == 3)
        #expect(TrimmedRows.leastFieldCount(whole, fieldCount: 4) == nil)
        // An exporter that trims leaves no empty field at an end.
        #expect(
            TrimmedRows.leastFieldCount(whole + short + [["T", "2025-03-01 08:00:00", "5", ""]], fieldCount: 4) == nil)
        // What a line break has cut off has no date where the others have one.
        #expect(TrimmedRows.leastFieldCount(whole + short + [["rest of a note", "ok"]], fieldCount: 4) == nil)
        #expect(TrimmedRows.leastFieldCount(whole + short + [["a", "b", "c", "d", "e"]], fieldCount: 4) == nil)
    }

    // MARK: - Columns by number

    @Test func aColumnIsNamedByItsNumber() {
        let index = HeaderIndex(["id", "time", "time", "", "#2"])
        #expect(index.column(named: "#3") == 2 && index.column(named: "#4") == 3)
        // A header that is so written comes first.
        #expect(index.column(named: "#2") == 4)
        #expect(
            index.column(named: "#0") == nil && index.column(named: "#6") == nil && index.column(named: "#03") == nil)
        #expect(index.columns(repeating: "Time ") == [1, 2] && index.columns(repeating: "id") == nil)
    }
}

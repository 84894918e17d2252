import Profiles
import Testing

struct HeaderCheckTests {
    private static let rows = (1...20).map { ["T\($0)", "2026-01-01T10:00:00Z", "x\($0)"] }

    /// Rows of values and titles, of words that column names are made of too.
    @Test(arguments: [
        ["Jane Doe", "Medic unit"], ["Main Street Hospital", "Unit 5", "Emergency call"],
        ["Trip report for Jane Doe", "", ""],
        ["Patient: Jane Doe"], ["Completed", "General Hospital", "Unit 5"],
        ["Hospital discharge", "North region", "Jane"],
    ]) func aRowOfValuesIsNoHeader(row: [String]) {
        #expect(!HeaderCheck(header: row).isHeader)
        let suggestion = ProfileSuggestion(header: row, rows: [row.map { $0 + "x" }], source: "x")
        #expect(suggestion.isHeaderless)
        for cell in row where !cell.isEmpty { #expect(!suggestion.yaml.contains(cell)) }
    }

    private static func dispatch(_ names: [String]) -> (header: [String], rows: [[String]]) {
        let rows = (10..<40).map { row in
            [
                "25-0190\(row)", "L\(row % 7)", "09/01/2025 00:\(row):52", "09/01/2025 01:\(row):25", "\(row).7",
                "Doe, Jane",
            ]
        }
        return (names, rows)
    }

    /// Of none of these names is a field known.
    @Test(arguments: [
        ["Xq No.", "Wagon Sign", "T-Zug", "T-Bem", "Lgd", "Pt Nm"],
        ["kennung", "wagen", "anfang", "schluss", "strecke", "wer"],
    ]) func wordsAboveTimesAndNumbersAreAHeader(names: [String]) {
        let (header, rows) = Self.dispatch(names)
        let check = HeaderCheck(header: header, rows: rows)
        #expect(check.isHeader && !check.hasSecondRow)
        // A name above words may be a person's.
        #expect((2...4).allSatisfy(check.mayPrint))
        #expect(!HeaderCheck(header: header).isHeader)
    }

    /// A record, one without times, a row of a title, words that are values, and a header of which too little is filled.
    @Test(arguments: [
        ["25-019009", "L3", "09/01/2025 00:09:52", "09/01/2025 01:09:25", "9.7", "Roe, Jane"],
        ["Trip one", "L", "", "", "", "Roe Jane"], ["Trip one", "L", "N/A", "N/A", "N/A", "Jane Roe"],
        ["Trip one", "L", "unknown", "none", "tbd", "Jane Roe"], ["Report", "Jane Roe", "", "", "", ""],
        ["Trip one", "L", "x", "y", "z", "Roe, Jane"], ["Trip one", "L3", "late", "late", "late", "Jane Roe"],
        ["25 Main", "L3", "x", "y", "z", "Jane Roe"],
        ["Trip one", "Will call", "Cancelled", "No show", "Standby", "Jane Roe"],
    ]) func aFirstRowThatMayBeARecordIsNoHeader(row: [String]) {
        let rows = Self.dispatch(row).rows
        #expect(!HeaderCheck(header: row, rows: rows).isHeader)
        let suggestion = ProfileSuggestion(header: row, rows: rows, source: "x")
        #expect(suggestion.isHeaderless && !suggestion.yaml.contains("Roe") && !suggestion.yaml.contains("Jane"))
    }

    /// A person says so. A name that is a value is still not shown.
    @Test func aConfirmedHeaderIsOne() {
        let header = ["Alpha", "Beta", "555-555-0142"], rows = (1...20).map { _ in ["a", "b", "c"] }
        #expect(!HeaderCheck(header: header, rows: rows).isHeader)
        let check = HeaderCheck(header: header, rows: rows, isConfirmed: true)
        #expect(check.isHeader && check.mayPrint(0) && !check.mayPrint(2))
    }

    /// Keys of JSON are no row above values.
    @Test func keysAreNoHeaderByTheirValues() {
        let (header, rows) = Self.dispatch(["kennung", "wagen", "anfang", "schluss", "strecke", "wer"])
        #expect(!HeaderCheck(header: header, rows: rows, areKeys: true).isHeader)
    }

    @Test func aNameThatIsAValueOfItsColumnIsNotShown() {
        var rows = Self.rows
        rows[7][2] = "Jane Doe"
        let header = ["Trip ID", "Start Time", "Jane Doe", "Status", "Trip Type", "Region"]
        let check = HeaderCheck(header: header, rows: rows)
        #expect(check.isHeader && check.mayPrint(0) && !check.mayPrint(2))
        #expect(!ProfileSuggestion(header: header, rows: rows, source: "x").yaml.contains("Jane"))
    }

    /// Turned text, a zero-width space, a bell, a C1 control, a line separator and a private character.
    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{7}", "\u{85}", "\u{2028}", "\u{E000}", "\u{61C}"])
    func aNameWithAnInvisibleCharacterIsNotShown(character: String) {
        let header = ["Trip ID", "Start Time", "Sta\(character)tus"]
        #expect(!HeaderCheck(header: header, rows: Self.rows).mayPrint(2))
        let yaml = ProfileSuggestion(header: header, rows: Self.rows, source: "x").yaml
        #expect(!yaml.unicodeScalars.contains { character.unicodeScalars.contains($0) })
    }
}

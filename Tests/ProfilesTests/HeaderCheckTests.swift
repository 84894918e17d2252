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

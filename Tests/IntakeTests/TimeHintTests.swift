import Intake
import Testing
import Trips

/// What is said of times that are not read leads on.
@Suite struct TimeHintTests {
    @Test(arguments: [
        ("1736071207", "patterns: [epoch]"), ("1736071207.5", "patterns: [epoch]"),
        ("1736071207000", "patterns: [epoch]"),
        ("45662.416667", "patterns: [serial]"), ("45662", "patterns: [serial]"),
        ("03/04/2025 10:00:07", #"“patterns: ["MM/dd/yyyy HH:mm:ss"]” if the month comes first"#),
        ("03/04/2025 10:00:07", #"“patterns: ["dd/MM/yyyy HH:mm:ss"]” if the day does; the order is not guessed"#),
        ("3.4.25", #""M.d.yy""#), ("3/4/2025 9:05 PM", #""M/d/yyyy h:mm a""#),
        ("2025/03/04 10:00", #"patterns: ["yyyy/MM/dd HH:mm"]"#),
        ("2025-01-05 10:00:07 AST", #"patterns: ["yyyy-MM-dd HH:mm:ss z"]"#), ("10:00", "date: COLUMN"),
        ("1899-12-30 10:00:07", "date: COLUMN"), ("1970-01-01T10:00:07Z", "date: COLUMN"),
        ("2025-02-30", "the calendar does not have"), ("202501051000", "patterns: [yyyyMMddHHmm]"),
        ("1005", "patterns: [HHmm]"), ("100507", "patterns: [HHmmss]"),
        ("05-JAN-2025 10:00", "MMM for the name of a month"),
        ("20250105100007", "patterns: [yyyyMMddHHmmss]"), ("see log", "give their pattern below “dates:”"),
        ("", "give their pattern below “dates:”"),
    ]) func aRemedyNamesWhatToWrite(value: String, expected: String) {
        let remedy = TimeHint.remedy(shape: ValueShape.of(value.utf8))
        #expect(remedy.contains(expected), "\(remedy)")
        #expect(remedy.contains("tripkpi map suggest"))
    }
}

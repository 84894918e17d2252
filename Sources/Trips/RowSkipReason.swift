/// Why a row of an export is skipped: it is no trip, and nothing is wrong with it. The raw value is the code that users see.
package enum RowSkipReason: String, CaseIterable, Sendable, Hashable {
    case filter
    case title
    case groupTitles = "group_titles"
    case unitsRow = "units_row"
    case repeatedHeader = "repeated_header"
    case blankRow = "blank_row"
    case total
    case pageLine = "page_line"
    case footer
    case secondTable = "second_table"
    case groupName = "group_name"

    /// What it means, in one sentence.
    package var explanation: String {
        switch self {
        case .filter: "the filter of the profile leaves the record out"
        case .title: "a line of a title above the header"
        case .groupTitles: "a row of titles of several columns above the header"
        case .unitsRow: "a row of units or types below the header"
        case .repeatedHeader: "the header again"
        case .blankRow: "a row of blanks and delimiters"
        case .total: "a total or subtotal, by its words"
        case .pageLine: "a line that numbers a page, counts the rows or says who printed them"
        case .footer: "a line of text below the last record"
        case .secondTable: "a row of a second table below the last record, without a date"
        case .groupName: "the name of a group of records, alone in its row"
        }
    }

    /// `1 row is a total and is skipped`.
    package func sentence(_ count: Int) -> String {
        let isOne = count == 1
        let (one, many): (String, String) =
            switch self {
            case .filter:
                ("1 record is left out by the profile’s filter", "records are left out by the profile’s filter")
            case .title: ("1 line is a title above the header", "lines are titles above the header")
            case .groupTitles:
                ("1 row is of group titles above the header", "rows are of group titles above the header")
            case .unitsRow: ("1 row is of units below the header", "rows are of units below the header")
            case .repeatedHeader: ("1 row is the header again", "rows are the header again")
            case .blankRow: ("1 row is blank", "rows are blank")
            case .total: ("1 row is a total", "rows are totals")
            case .pageLine: ("1 line is of a page or a count", "lines are of pages or counts")
            case .footer: ("1 line is a footer", "lines are footers")
            case .secondTable: ("1 row is of a second table below", "rows are of a second table below")
            case .groupName: ("1 row is the name of a group", "rows are names of groups")
            }
        return (isOne ? one : "\(count) \(many)") + (isOne ? " and is skipped" : " and are skipped")
    }
}

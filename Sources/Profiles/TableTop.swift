package import Trips

/// Where the table of a delimited export begins: which of its first rows names the columns, what stands above it, and how many
/// rows of units are below it.
///
/// Each is told by its shape against the records. A row that could be a record is never passed over: then the first row is
/// taken for the header, and the check of the header says what is wrong.
package struct TableTop: Sendable, Hashable {
    /// The index of the header among the rows.
    package private(set) var header = 0
    /// What the rows above it are.
    package private(set) var above: [RowSkipReason] = []
    /// How many rows below it are of units or types.
    package private(set) var unitsRows = 0

    /// Titles are few.
    private static let mostAbove = 30
    private static let mostUnitsRows = 3

    /// The first row is the header, or there is none.
    package init() {}

    /// - Parameters:
    ///   - rows: the first rows of the export, none of them empty.
    ///   - profile: where it names columns, the header is the row that has most of them. Nil: the row that has most known names.
    package init(rows: [[String]], profile: Profile?, table: SynonymTable = .standard) {
        if let found = Self.header(rows, profile, table), let above = Self.above(rows, header: found) {
            header = found
            self.above = above
        }
        let below = rows.dropFirst(header + 1)
        for row in below.prefix(Self.mostUnitsRows) {
            let records = Array(below.dropFirst(unitsRows + 1))
            guard rows.indices.contains(header), Self.isOfUnits(row, below: rows[header], above: records) else { break }
            unitsRows += 1
        }
    }

    // MARK: - Header

    /// The row that names the columns, if it is not the first.
    private static func header(_ rows: [[String]], _ profile: Profile?, _ table: SynonymTable) -> Int? {
        guard rows.count > 1 else { return nil }
        let candidates = rows.prefix(mostAbove + 1)
        let names = profile.map { Array($0.columns.values.joined()) } ?? []
        let scores = candidates.map { row in
            if !names.isEmpty {
                let index = HeaderIndex(row)
                return names.count { index.column(named: $0) != nil }
            }
            return row.count { !$0.isEmpty && table.meaning(of: $0) != nil }
        }
        let most = scores.max() ?? 0
        // One name may be a word of a title.
        if most >= 2, let best = scores.firstIndex(of: most) {
            guard best > 0, !names.isEmpty || HeaderCheck(header: rows[best], rows: Array(rows[(best + 1)...])).isHeader
            else { return nil }
            return best
        }
        if HeaderCheck(header: rows[0], rows: Array(rows.dropFirst())).isHeader { return nil }
        // Unknown names: the first row that is as wide as the records, below lines of titles.
        guard let wide = candidates.firstIndex(where: { filled($0) > 2 }), wide > 0,
            HeaderCheck(header: rows[wide], rows: Array(rows[(wide + 1)...])).isHeader
        else { return nil }
        return wide
    }

    /// What the rows above the header are; nil if one of them could be a record.
    private static func above(_ rows: [[String]], header: Int) -> [RowSkipReason]? {
        let width = filled(rows[header])
        var kinds: [RowSkipReason] = []
        for row in rows[..<header] {
            let own = filled(row)
            if RecordLine.isOne(row.filter { !$0.isEmpty }, columns: width) { return nil }
            if own == 0 {
                kinds.append(.blankRow)
            } else if own * 2 < width || own <= 1 {
                kinds.append(own > 1 && row.count * 2 > rows[header].count ? .groupTitles : .title)
            } else if !row.contains(where: TextShape.isData) {
                kinds.append(.groupTitles)
            } else {
                return nil
            }
        }
        return kinds
    }

    static func filled(_ row: [String]) -> Int { row.count { !$0.trimmingBlanks().isEmpty } }

    // MARK: - Units

    private static let enoughRecords = 2

    /// Whether a row has words where the records have dates and numbers, and nothing that a record needs: no date, and no id.
    private static func isOfUnits(_ row: [String], below header: [String], above records: [[String]]) -> Bool {
        if isRule(row) { return true }
        guard records.count >= enoughRecords, filled(row) > 0, row.count <= header.count else { return false }
        var words = 0
        for (index, text) in row.enumerated() {
            let value = text.trimmingBlanks()
            if value.isEmpty { continue }
            let values = values(ofColumn: index, in: records)
            // Such as `varchar(20)`.
            let bare = value.replacing(/\([0-9, ]*\)/, with: "")
            if TextShape.isData(bare) || DateDetection.isFiller(value) && !isUnit(value) { return false }
            let isOfData =
                values.count >= enoughRecords && values.count(where: TextShape.isData) * 10 >= values.count * 9
            if isOfData {
                words += 1
            } else if TextShape.digitCount(bare) > 0 {
                return false
            }
            if values.contains(value) { return false }
        }
        return words > 0
    }

    /// A line that programs print below the names: `----------,------`.
    private static func isRule(_ row: [String]) -> Bool {
        let cells = row.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        return cells.allSatisfy { $0.utf8.allSatisfy { [0x2D, 0x3D, 0x3A, 0x2B, 0x5F].contains($0) } }
            && cells.count { $0.utf8.count >= 3 } * 2 > row.count
    }

    private static let mostValues = 50

    /// The first ones that are not words for no value.
    private static func values(ofColumn index: Int, in records: [[String]]) -> [String] {
        var values: [String] = []
        for record in records where index < record.count {
            let value = record[index].trimmingBlanks()
            if !value.isEmpty, !DateDetection.isFiller(value) { values.append(value) }
            if values.count == mostValues { break }
        }
        return values
    }

    /// A sign of money or of a share, perhaps in brackets.
    private static func isUnit(_ text: String) -> Bool {
        ["$", "€", "£", "%", "#", "text"].contains(text.filter { !"()[] ".contains($0) }.lowercased())
    }
}

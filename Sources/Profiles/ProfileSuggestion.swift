package import Trips

/// A profile proposed for a new source, from its header and a sample of its rows (`tripkpi map suggest`).
///
/// It gives its confidence in each column and the reasons, leaves open what it cannot know (the zone, day or month, what a
/// value means), and shows no value of a column that could point at a person.
package struct ProfileSuggestion: Sendable {
    /// What one column of the file may be.
    package struct Column: Sendable {
        /// From 1.
        package let position: Int
        /// The name if it may be shown.
        package let name: String?
        package internal(set) var field: CanonicalField?
        /// 0 to 100; 0 where no field is proposed.
        package internal(set) var confidencePercent = 0
        /// Why, or why not.
        package internal(set) var reasons: [String] = []
        /// Whether it is part of the profile, or only mentioned.
        package internal(set) var isProposed = false
        var tier = 0
        let dates: DateDetection.Finding
    }

    package let source: String
    /// In file order.
    package private(set) var columns: [Column]
    /// The first row is data: there is nothing to propose.
    package let isHeaderless: Bool
    package let hasSecondHeaderRow: Bool
    /// Columns that look like PHI and are not proposed for any field.
    package private(set) var findings: [PHIColumnCheck.Finding] = []
    /// What a loader would miss, in words.
    package private(set) var problems: [String] = []
    /// For the columns proposed as status, trip type and region: their values.
    let values: [CanonicalField: [Value]]

    /// - Parameters:
    ///   - header: the first row of the file.
    ///   - rows: a sample of the rows after it, decoded. Some hundred are enough if they are spread over the file: a day
    ///     above 12 settles what day and month are.
    package init(
        header: [String], rows: [[String]], source: String, table: SynonymTable = .standard,
        vocabulary: Vocabulary = .standard
    ) {
        let check = HeaderCheck(header: header, rows: rows, table: table)
        self.source = source
        isHeaderless = !check.isHeader
        hasSecondHeaderRow = check.hasSecondRow
        let sample = check.hasSecondRow ? Array(rows.dropFirst()) : rows
        guard check.isHeader else {
            columns = []
            values = [:]
            findings = PHIColumnCheck.findings(header: header, mapped: [], rows: rows)
            problems = [
                "the first row does not look like a header: no column has a name, and none is shown because it may be"
                    + " a person's data. Give the file a header row."
            ]
            return
        }
        var columns = header.indices.map { index in
            Column(index: index, header: header, values: Self.values(of: index, in: sample), check: check, table: table)
        }
        Self.settleRivals(&columns)
        var values: [CanonicalField: [Value]] = [:]
        for column in columns where column.isProposed {
            guard let field = column.field, [.status, .tripType, .region].contains(field) else { continue }
            values[field] = Self.values(
                Self.values(of: column.position - 1, in: sample), of: field, in: vocabulary)
        }
        self.values = values
        self.columns = columns
        let mapped = Set(columns.filter { $0.field != nil }.map { $0.position - 1 })
        findings = PHIColumnCheck.findings(header: header, mapped: mapped, rows: rows)
        problems = Self.problems(of: columns)
    }

    /// Values that are not blank.
    static func values(of index: Int, in rows: [[String]]) -> [String] {
        rows.compactMap { $0.indices.contains(index) ? $0[index].trimmingBlanks() : nil }.filter { !$0.isEmpty }
    }

    /// Several columns for one field: those of the first tier stay, in order; equals are a doubt to be settled.
    private static func settleRivals(_ columns: inout [Column]) {
        for field in CanonicalField.allCases {
            let rivals = columns.indices.filter { columns[$0].field == field && columns[$0].isProposed }
            guard rivals.count > 1, let best = rivals.map({ columns[$0].tier }).min() else { continue }
            let equals = rivals.filter { columns[$0].tier == best }
            for index in rivals where equals.count > 1 || columns[index].tier != best {
                columns[index].isProposed = false
                let others = rivals.filter { $0 != index }.map { String($0 + 1) }.joined(separator: ", ")
                columns[index].reasons.append(
                    equals.count > 1
                        ? "column \(others) may be \(field.rawValue) too: choose one"
                        : "column \(equals[0] + 1) is preferred for \(field.rawValue)")
            }
        }
    }

    private static func problems(of columns: [Column]) -> [String] {
        let fields = Set(columns.filter(\.isProposed).compactMap(\.field))
        var problems: [String] = []
        if !fields.contains(.tripID) {
            problems.append("no column is surely trip_id: add one that names each trip of a unit once")
        }
        if fields.isDisjoint(with: TripEvent.allCases.map(\.field) + [.serviceDate]) {
            problems.append("no column is surely a time or service_date: add at least one")
        }
        let datePatterns = columns.filter { $0.isProposed && $0.isDate }.map(\.dates)
        for case .ambiguous(let first, let second) in datePatterns
        where !datePatterns.contains(.pattern(first)) && !datePatterns.contains(.pattern(second)) {
            problems.append("day and month cannot be distinguished: give the pattern below “dates:”")
            break
        }
        return problems
    }
}

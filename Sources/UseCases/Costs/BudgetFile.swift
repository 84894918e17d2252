import Files
import Intake
package import KPIs
import Rules
import StrictYAML
package import Trips

/// Reads `budget.csv`: a line for each fiscal year, region, trip type and sourcing, with the planned trips and cost.
///
/// Blank region, type or sourcing: all of them. All faults are reported together; none repeats what the file has. Fields are
/// separated by commas, semicolons or tabs; without commas as separators, a comma can be the decimal sign.
package enum BudgetFile {
    private enum Column: String, CaseIterable {
        case fiscalYear = "fiscal_year", region, type, sourcing, trips, cost

        init?(header: String) {
            let words = header.lowercased().split { !$0.isLetter }.joined(separator: "_")
            self.init(rawValue: words == "trip_type" ? "type" : words)
        }
    }

    private static let names = Column.allCases.map(\.rawValue).joined(separator: ",")

    /// - Throws: `FileError` for a file that cannot be read, `BudgetError` for one that is missing or no budget.
    package static func read(_ path: String, regions: NamedList, tripTypes: NamedList) throws -> CostBudget {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile(path, for: .read).read()
        } catch {
            guard error.isMissing else { throw error }
            throw BudgetError.missing(path)
        }
        return try read(bytes, file: path, regions: regions, tripTypes: tripTypes)
    }

    package static func read(
        _ bytes: [UInt8], file: String, regions: NamedList, tripTypes: NamedList
    ) throws(BudgetError) -> CostBudget {
        let table: CSVTable
        let separator = CSVSeparator(ofHeaderIn: bytes)
        do throws(ConfigurationError) {
            table = try CSVTable(bytes: bytes, file: file, hasHeader: true, separator: separator)
        } catch {
            throw BudgetError(file, [.init(line: error.line ?? 1, problem: error.message, remedy: error.hint)])
        }
        let places = try places(of: table)
        var faults: [BudgetError.Fault] = []
        var lines: [BudgetLine] = []
        var firstLines: [BudgetKey: Int] = [:]
        for record in table.records {
            var reader = LineReader(
                record: record, places: places, regions: regions, tripTypes: tripTypes,
                hasDecimalCommas: separator != .comma)
            if let line = reader.line() {
                let key = BudgetKey(fiscalYear: line.fiscalYear, scope: line.scope)
                if let first = firstLines[key] {
                    reader.faults.append(
                        .init(
                            line: record.line,
                            problem: "the same fiscal year, region, type and sourcing as line \(first)",
                            remedy: "keep one of the two lines"))
                } else {
                    firstLines[key] = record.line
                    lines.append(line)
                }
            }
            faults += reader.faults
        }
        if lines.isEmpty, faults.isEmpty {
            faults = [
                .init(line: 1, problem: "there is no line below the header", remedy: "add the lines of the budget")
            ]
        }
        guard faults.isEmpty else { throw BudgetError(file, faults) }
        return CostBudget(lines)
    }

    private struct BudgetKey: Hashable {
        var fiscalYear: Int
        var scope: BudgetScope
    }

    private static func places(of table: CSVTable) throws(BudgetError) -> [Column: Int] {
        var places: [Column: Int] = [:]
        for (index, name) in table.header.enumerated() {
            guard let column = Column(header: name) else {
                throw BudgetError(
                    table.file,
                    [.init(line: 1, problem: "column \(index + 1) is none of a budget", remedy: "write \(names)")])
            }
            guard places.updateValue(index, forKey: column) == nil else {
                throw BudgetError(
                    table.file,
                    [.init(line: 1, column: column.rawValue, problem: "appears twice", remedy: "keep one of them")])
            }
        }
        guard let missing = Column.allCases.first(where: { places[$0] == nil }) else { return places }
        throw BudgetError(
            table.file, [.init(line: 1, column: missing.rawValue, problem: "is missing", remedy: "write \(names)")])
    }

    /// Reads one line, and goes on after each fault.
    private struct LineReader {
        let record: CSVTable.Record
        let places: [Column: Int]
        let regions: NamedList
        let tripTypes: NamedList
        /// Whether a comma can be the decimal sign.
        let hasDecimalCommas: Bool
        var faults: [BudgetError.Fault] = []

        mutating func line() -> BudgetLine? {
            let year = fiscalYear()
            let scope = BudgetScope(
                region: code(.region, in: regions), tripType: code(.type, in: tripTypes), sourcing: sourcing())
            let trips = trips(), cost = cost()
            if trips == nil, cost == nil, faults.isEmpty {
                fault(.cost, "is blank, and so is trips", "give one of them, or remove the line")
            }
            guard faults.isEmpty, let year else { return nil }
            return BudgetLine(fiscalYear: year, scope: scope, trips: trips, costCents: cost)
        }

        private func text(_ column: Column) -> String { places[column].map { record.fields[$0] } ?? "" }

        private mutating func fault(_ column: Column, _ problem: String, _ remedy: String) {
            faults.append(.init(line: record.line, column: column.rawValue, problem: problem, remedy: remedy))
        }

        private mutating func fiscalYear() -> Int? {
            let text = text(.fiscalYear).uppercased()
            let digits = text.hasPrefix("FY") ? text.dropFirst(2) : text[...]
            if digits.count == 4, let year = Int(digits), (1970...9999).contains(year) { return year }
            fault(.fiscalYear, "is not a fiscal year", "write the year it ends in, such as 2026 or FY2026")
            return nil
        }

        /// Nil for all of them.
        private mutating func code(_ column: Column, in list: NamedList) -> UInt8? {
            let text = text(column)
            if isAll(text) { return nil }
            if let code = list.code(ignoringCase: text) { return code }
            let known = (list.names.dropFirst() + [NamedList.unassigned]).joined(separator: ", ")
            fault(column, "is not one of the configured names", "write one of \(known), or leave it blank for all")
            return nil
        }

        private mutating func sourcing() -> Sourcing? {
            let text = text(.sourcing).lowercased().filter(\.isLetter)
            if isAll(text) { return nil }
            if let sourcing = Sourcing.allCases.first(where: { $0.name.lowercased() == text }) { return sourcing }
            fault(
                .sourcing, "is not a sourcing", "write inHouse, contracted or unclassified, or leave it blank for all")
            return nil
        }

        private func isAll(_ text: String) -> Bool { text.isEmpty || text.lowercased() == "all" }

        /// With a point as decimal sign. Nil for `1.234` of a file in which the comma can be the decimal sign: there it is
        /// 1234 or 1.234.
        private mutating func number(_ column: Column) -> String? {
            let text = text(column)
            guard hasDecimalCommas, let sign = text.lastIndex(where: { $0 == "," || $0 == "." }) else { return text }
            guard text[sign...].count(where: \.isNumber) != 3 else {
                fault(
                    column, "can be read as thousands or as decimals",
                    "write it without separators of thousands, such as 1200 or 1200.50")
                return nil
            }
            return text[sign] == "." ? text : text.filter { $0 != "." }.replacing(",", with: ".")
        }

        private mutating func trips() -> Int? {
            guard let number = number(.trips) else { return nil }
            switch AmountReader.hundredths(number.utf8) {
            case .absent: return nil
            case .value(let hundredths) where hundredths >= 0 && hundredths % 100 == 0: return hundredths / 100
            case .value, .bad:
                fault(.trips, "is not a number of trips", "write a whole number, such as 1200, or leave it blank")
                return nil
            }
        }

        private mutating func cost() -> Int? {
            guard let number = number(.cost) else { return nil }
            switch AmountReader.cents(number.utf8) {
            case .absent: return nil
            case .value(let cents) where cents >= 0: return cents
            case .value, .bad:
                fault(
                    .cost, "is not an amount of dollars",
                    "write an amount such as 250000 or $250,000.00, or leave it blank")
                return nil
            }
        }
    }
}

import KPIs
import Reporting
import Testing
import Trips
import UseCases

@Suite("Budget files") struct BudgetFileTests {
    private static let header = "fiscal_year,region,type,sourcing,trips,cost\n"

    private static func read(_ text: String) throws(BudgetError) -> CostBudget {
        try BudgetFile.read(
            Array(text.utf8), file: "budget.csv", regions: NamedList(["North", "South"]),
            tripTypes: NamedList(["Emergency", "Routine"]))
    }

    private static func error(_ text: String) -> BudgetError? {
        do throws(BudgetError) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func namesAmountsAndBlanksAreRead() throws {
        let budget = try Self.read(
            "Fiscal Year,Region,Trip type,Sourcing,Trips,Cost\nFY2025,,,,\"1,200\",\"$600,000.00\"\n"
                + "2025,north,ROUTINE,In-house,,1234.5\n2026,Unassigned,all,contracted,0,\n")
        #expect(
            budget.lines == [
                BudgetLine(fiscalYear: 2025, scope: BudgetScope(), trips: 1200, costCents: 60_000_000),
                BudgetLine(
                    fiscalYear: 2025, scope: BudgetScope(region: 1, tripType: 2, sourcing: .inHouse), trips: nil,
                    costCents: 123_450),
                BudgetLine(
                    fiscalYear: 2026, scope: BudgetScope(region: 0, sourcing: .contracted), trips: 0, costCents: nil),
            ])
    }

    /// As spreadsheets of many languages save it: the comma is the decimal sign.
    @Test(arguments: [";", "\t"])
    func otherSeparatorsAreFoundByTheHeader(separator: String) throws {
        let text =
            "\u{FEFF}fiscal_year,region,type,sourcing,trips,cost\r\nFY2025,,,,1200,X\r\n2025,North,,,,1234|5\r\n,,,,,\r\n"
            .replacing(",", with: separator).replacing("|", with: ",").replacing("X", with: "\"$600.000,00\"")
        let budget = try Self.read(text)
        #expect(budget.lines.map(\.trips) == [1200, nil])
        #expect(budget.lines.map(\.costCents) == [60_000_000, 123_450])
    }

    @Test(arguments: ["1.200;1", "1,200;1", "1;21.500", "1;21,500"])
    func whatCanBeThousandsOrDecimalsIsRefused(amounts: String) throws {
        let error = try #require(
            Self.error(Self.header.replacing(",", with: ";") + "2025;;;;\(amounts)\n"))
        #expect(error.faults.count == 1)
        #expect(error.description.contains("can be read as thousands or as decimals; write it without separators"))
    }

    @Test func withSemicolonsALineOfOtherWidthSaysSo() throws {
        let error = try #require(Self.error(Self.header.replacing(",", with: ";") + "2025;;;1;1\n"))
        #expect(
            error.description.contains("line 2: 5 fields where the header has 6; quote fields that hold semicolons"))
    }

    @Test(arguments: [
        ("25,,,,1,1", "column fiscal_year"), ("2025,Nowhere,,,1,1", "column region"), ("2025,,Air,,1,1", "column type"),
        ("2025,,,leased,1,1", "column sourcing"), ("2025,,,,1.5,1", "column trips"), ("2025,,,,-1,1", "column trips"),
        ("2025,,,,1,$", "column cost"), ("2025,,,,1,-5", "column cost"), ("2025,,,,,", "column cost"),
    ])
    func aFaultNamesItsLineAndColumn(line: String, place: String) throws {
        let error = try #require(Self.error(Self.header + "2025,North,,,1,1\n" + line + "\n"))
        #expect(error.failureKind == .data)
        #expect(error.description.contains("budget.csv, line 3, \(place): "))
        #expect(error.faults.count == 1)
    }

    @Test func allFaultsAreNamedAndNoValueIs() throws {
        let error = try #require(Self.error(Self.header + "x,Jane Doe,900-12-3456,,1,1\n2025,,,,many,1\n"))
        #expect(error.faults.map(\.line) == [2, 2, 2, 3])
        for value in ["Jane", "900-12", "many"] { #expect(!error.description.contains(value)) }
    }

    @Test func twoLinesOfOneScopeAreRefused() throws {
        let error = try #require(
            Self.error(Self.header + "2025,North,,,1,1\n2025,south,,,1,1\nFY2025,NORTH,All,,2,2\n"))
        #expect(error.description.contains("line 4: the same fiscal year, region, type and sourcing as line 2"))
    }

    @Test(arguments: [
        ("", "line 1"), ("fiscal_year,region,type,sourcing,trips\n2025,,,,1\n", "line 1, column cost: is missing"),
        ("fiscal_year,region,type,sourcing,trips,cost,owner\n", "column 7 is none of a budget"),
        ("fiscal_year,region,type,sourcing,trips,cost,cost\n", "line 1, column cost: appears twice"),
        ("fiscal_year,region,type,sourcing,trips,cost\n", "no line below the header"),
        ("fiscal_year,region,type,sourcing,trips,cost\n2025,,,1,1\n", "line 2: 5 fields"),
    ])
    func aFileThatIsNoBudgetIsRefused(text: String, words: String) throws {
        #expect(try #require(Self.error(text)).description.contains(words))
    }
}

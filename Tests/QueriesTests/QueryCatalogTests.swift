import Queries
import StrictYAML
import TestSupport
import Testing

/// A query whose description is wrong is refused with file and line before anybody relies on it.
@Suite struct QueryCatalogTests {
    private func errors(sql: String, yaml: String, layer: String = "marts") throws -> String {
        try TemporaryFolder.with { folder in
            try folder.write("SELECT m.month_text AS month FROM calendar m\n", to: "staging/stg_months.sql")
            try folder.write(
                """
                name: stg_months
                description: Months.
                grain: one row a month
                columns:
                  month:
                    type: text
                    description: The month.

                """, to: "staging/stg_months.yml")
            try folder.write(sql, to: "\(layer)/counted.sql")
            try folder.write(yaml, to: "\(layer)/counted.yml")
            do throws(ConfigurationErrors) {
                _ = try QueryCatalog(folder: folder.path)
                return ""
            } catch {
                return error.description
            }
        }
    }

    private static let good = """
        name: counted
        description: Months, counted.
        grain: one row
        parameters:
          month:
            type: month
            default: null
            description: A month.
        columns:
          months:
            type: integer
            unit: months
            description: How many.

        """
    private static let sql = "SELECT COUNT(*) AS months\nFROM stg_months\nWHERE month = :month\n"

    @Test func aGoodOneIsTaken() throws {
        #expect(try errors(sql: Self.sql, yaml: Self.good) == "")
    }

    @Test(arguments: [
        ("months:", "monhts:", "columns"), ("  month:", "  moth:", "parameters"),
        ("type: integer", "type: intger", "counted.yml:11"), ("name: counted", "name: other", "counted.yml:1"),
        ("type: month", "type: date", "counted.yml:6"), ("grain: one row\n", "", "grain"),
        ("default: null", "default: May", "counted.yml:7"), ("    unit: months", "    units: months", "unit"),
    ])
    func aWrongDescriptionIsNamed(part: String, wrong: String, expected: String) throws {
        let yaml = Self.good.replacing(part, with: wrong, maxReplacements: 1)
        #expect(yaml != Self.good)
        #expect(try errors(sql: Self.sql, yaml: yaml).contains(expected))
    }

    @Test(arguments: [
        ("SELECT COUNT(*) AS months\nFROM stg_months\nWHERE moth = :month", "counted.sql:3"),
        ("SELECT COUNT(*) AS months FROM calendar WHERE month = :month", "no such table"),
        ("DELETE FROM stg_months", "DELETE"), ("SELECT 1 AS months, :month AS month", "columns"),
        ("SELECT 1 AS months; SELECT 2", "more than one"), ("SELECT 1 AS months WHERE 1 = ?", "parameters"),
    ])
    func wrongSQLIsNamed(sql: String, expected: String) throws {
        #expect(try errors(sql: sql, yaml: Self.good).contains(expected))
    }

    @Test func aCheckSaysHowBadItIs() throws {
        #expect(try errors(sql: Self.sql, yaml: Self.good, layer: "checks").contains("severity"))
        let check = Self.good + "severity: fail\nempty_means: All is well.\n"
        #expect(try errors(sql: Self.sql, yaml: check, layer: "checks") == "")
        #expect(try errors(sql: Self.sql, yaml: check).contains("severity"))
    }

    @Test func aLayerThatCannotBeReadIsNamed() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "checks")
            let error = #expect(throws: ConfigurationErrors.self) { try QueryCatalog(folder: folder.path) }
            #expect(error?.errors.contains { $0.file.hasSuffix("/checks") } == true)
        }
    }

    @Test func eachFileNeedsItsOther() throws {
        try TemporaryFolder.with { folder in
            try folder.write("SELECT 1 AS a", to: "marts/alone.sql")
            try folder.write(Self.good, to: "marts/counted.yml")
            let error = #expect(throws: ConfigurationErrors.self) { try QueryCatalog(folder: folder.path) }
            #expect(error?.errors.count == 2)
        }
    }
}

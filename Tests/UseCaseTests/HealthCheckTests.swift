import Basics
import Foundation
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct HealthCheckTests {
    @Test func aWholeInstallationHasNoFailure() throws {
        try TemporaryFolder.with { folder in
            let findings = try self.findings(in: folder)
            #expect(findings.count > 5 && findings.allSatisfy { $0.state == .ok }, "\(findings)")
        }
    }

    @Test func brokenRulesAreAConfigurationFailureWithTheirPlace() throws {
        try TemporaryFolder.with { folder in
            let finding = try findings(in: folder) { try folder.write("a: [1\n", to: "data/rules/r.yaml") }
                .first { $0.subject == "rules" }
            #expect(finding?.state == .fail)
            #expect(finding?.failure == .configuration)
            #expect(finding?.text.contains("r.yaml") == true)
        }
    }

    @Test func aMissingTableIsAConfigurationFailureWithItsPlace() throws {
        try TemporaryFolder.with { folder in
            let finding = try findings(in: folder) {
                try FileManager.default.removeItem(atPath: folder.path(of: "data/reference/states.csv"))
            }.first { $0.subject == "reference" }
            #expect(finding?.failure == .configuration)
            #expect(finding?.text.contains("states.csv") == true)
        }
    }

    @Test func missingQueriesAreAConfigurationFailure() throws {
        try TemporaryFolder.with { folder in
            let finding = try findings(in: folder) {
                try FileManager.default.removeItem(atPath: folder.path(of: "data/queries"))
            }.first { $0.subject == "queries" }
            #expect(finding?.failure == .configuration)
        }
    }

    /// So that an operator can compare the zone with what is announced, and sees whose data they are.
    @Test func theNextChangeOfTheClocksIsTold() throws {
        try TemporaryFolder.with { folder in
            let finding = try findings(in: folder) { try folder.write("zone: America/New_York\n", to: "tripkpi.yaml") }
                .first { $0.subject == "zone data" }
            #expect(
                finding?.text
                    == "built into this program; in America/New_York the clocks change next at 2026-03-08T07:00:00Z")
        }
    }

    @Test func aLocaleThatIsNotUTF8IsAWarningOnly() throws {
        try TemporaryFolder.with { folder in
            let finding = try findings(in: folder, locale: "C").first { $0.subject == "locale" }
            #expect(finding?.state == .warn)
            #expect(finding?.failure == nil)
        }
    }

    /// What is found in a whole installation after `damage`.
    private func findings(
        in folder: TemporaryFolder, locale: String = "C.UTF-8", damage: () throws -> Void = {}
    ) throws -> [HealthFinding] {
        let profile = "source: test\ncolumns: {trip_id: Id, service_date: Day}\n"
        try folder.write(profile, to: "data/profiles/p.yaml")
        let rules = "name: test\nrules:\n  - {id: a, reason: b, when: {present: contract_number}, then: contracted}\n"
        try folder.write(rules, to: "data/rules/r.yaml")
        for table in ["states.csv", "zip3_restricted.csv"] {
            try folder.write(Repository.bytes("data/reference/" + table), to: "data/reference/" + table)
        }
        for query in Repository.files(under: "queries") {
            try folder.write(Repository.bytes(query), to: "data/" + query)
        }
        try damage()
        let environment = HealthCheck.Context(
            dataDirectory: folder.path(of: "data"), environment: ["LANG": locale], executable: "/x",
            workingFolder: folder.path, now: UTCTime(secondsSince1970: 1_767_225_600))
        return HealthCheck(environment).findings()
    }
}

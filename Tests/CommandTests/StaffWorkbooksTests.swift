import Foundation
import TestSupport
import Testing

/// `month.xlsx` and `costs.xlsx` of the staff set.
@Suite struct StaffWorkbooksTests {
    private let fixture: CommandFixture
    private static let names = ["month.xlsx", "costs.xlsx"]

    init() throws {
        fixture = try CommandFixture()
    }

    private func run(_ words: String..., in folder: TemporaryFolder) throws -> CommandResult {
        try fixture.run(
            words,
            environment: [
                "SOURCE_DATE_EPOCH": "1767225600", "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ], in: folder.url)
    }

    private func files(_ audience: String, in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: folder.path(of: "reports/published/\(audience)/current")
        ).sorted()
    }

    @Test func theyAreInTheStaffSetOnlyAndTheSameForTheSameExports() throws {
        func night() throws -> [[UInt8]] {
            try TemporaryFolder.with { folder in
                try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
                #expect(try run("run", in: folder).status == 0)
                #expect(try files("staff", in: folder).filter(Self.names.contains) == ["costs.xlsx", "month.xlsx"])
                #expect(try files("release", in: folder).filter { $0.hasSuffix("xlsx") } == [])
                let manifest = String(
                    decoding: try folder.read("reports/published/staff/current/manifest.json"), as: UTF8.self)
                for name in Self.names { #expect(manifest.contains("\"\(name)\"")) }
                #expect(try run("verify", in: folder).status == 0)
                let hidden = try FileManager.default.contentsOfDirectory(
                    atPath: folder.path(of: "reports/published/staff")
                )
                #expect(hidden.sorted() == ["current", "runs"])
                return try Self.names.map { try folder.read("reports/published/staff/current/\($0)") }
            }
        }
        let first = try night()
        #expect(first.allSatisfy { $0.starts(with: [0x50, 0x4B]) })
        #expect(try night() == first)
    }

    @Test func aSettingLeavesThemOut() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            try folder.write("staff_workbooks: false\n", to: "tripkpi.yaml")
            #expect(try run("run", in: folder).status == 0)
            #expect(try files("staff", in: folder).filter { $0.hasSuffix("xlsx") } == [])
            // With another setting the same trips are another set.
            try folder.write("", to: "tripkpi.yaml")
            #expect(try run("publish", in: folder).status == 0)
            #expect(try files("staff", in: folder).filter(Self.names.contains).count == 2)
        }
    }

    /// The figures must not wait for a provider that is named like a telephone.
    @Test func oneWithAnIdentifierIsLeftOut() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<40).map { "SYN-\($0),2024-01-\($0 % 20 + 10),(202) 555-0142,100.00" }
            try folder.write(
                "trip_id,service_date,provider_name,cost\n" + rows.joined(separator: "\n") + "\n", to: "inbox/a.csv")
            let night = try run("run", in: folder)
            #expect(night.status == 0)
            #expect(night.stderrText.contains("costs.xlsx is not in the set for staff"))
            #expect(!night.stderrText.contains("555"))
            #expect(try files("staff", in: folder).filter { $0.hasSuffix("xlsx") } == ["month.xlsx"])
        }
    }
}

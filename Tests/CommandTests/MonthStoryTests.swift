import Foundation
import TestSupport
import Testing

/// A published month and a correction months later, as the analyst and the API see them.
@Suite struct MonthStoryTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let header = "trip_id,updated_at,service_date,region,cost,hcpcs_modifiers\n"

    /// 20 trips in each of three months.
    private static let original =
        header
        + (1...3).flatMap { month in
            (1...20).map { "T\(month)-\($0),2026-0\(month)-28 09:00:00,2026-0\(month)-10,North,100.00,QN\n" }
        }.joined()

    /// Five trips of February were contracted after all, and cost more.
    private static let correction =
        header + (1...5).map { "T2-\($0),2026-08-01 09:00:00,2026-02-10,North,180.00,QM\n" }.joined()

    private func run(
        _ folder: TemporaryFolder, _ arguments: [String] = ["run"], day: Int
    ) throws -> CommandResult {
        let time = 1_785_560_400 + day * 86_400
        let result = try fixture.run(arguments, environment: ["SOURCE_DATE_EPOCH": "\(time)"], in: folder.url)
        #expect(result.status == 0, "\(arguments): \(result.stderrText)")
        return result
    }

    private func summary(_ folder: TemporaryFolder) throws -> [String: Any] {
        let bytes = try folder.read("reports/published/staff/current/kpi-summary.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func restatements(_ folder: TemporaryFolder) throws -> [[String: Any]] {
        try #require(try summary(folder)["restatements"] as? [[String: Any]])
    }

    /// Lines of the published CSV that show neither February nor totals with February.
    private func otherMonths(_ folder: TemporaryFolder) throws -> [Substring] {
        String(decoding: try folder.read("reports/published/staff/current/kpi-cells.csv"), as: UTF8.self)
            .split(separator: "\r\n").filter { $0.contains("2026-01,") || $0.contains("2026-03,") }
    }

    private func figures(_ restatement: [String: Any], _ side: String) -> [Double?] {
        let figures = restatement[side] as? [String: Any] ?? [:]
        return ["trips", "inHousePercent", "totalCost", "costPerTrip"].map { figures[$0] as? Double }
    }

    @Test func aLateCorrectionRestatesItsMonthAndNoOther() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.original, to: "inbox/trips-q1.csv")
            _ = try run(folder, day: 0)
            #expect(try restatements(folder).isEmpty)
            let before = try otherMonths(folder)
            #expect(before.count >= 4)

            try folder.write(Self.correction, to: "inbox/trips-late.csv")
            let told = try run(folder, day: 1)
            #expect(told.stderrText.contains("2026-02"))
            let restated = try restatements(folder)
            #expect(restated.map { $0["month"] as? String } == ["2026-02"])
            let first = try #require(restated.first)
            #expect(first["restatedAt"] as? String == "2026-08-02T05:00:00Z")
            #expect(figures(first, "before") == [20, 100, 2000, 100])
            #expect(figures(first, "after") == [20, 75, 2400, 120])
            #expect(try otherMonths(folder) == before)

            let table = try run(folder, ["report", "--long"], day: 1).stdoutText
            #expect(table.contains("Restated since published"))
            #expect(table.contains("2026-02, on 2026-08-02: cost per trip                    $100.00         $120.00"))
            let march = try run(folder, ["report", "--long", "--month", "2026-03"], day: 1).stdoutText
            #expect(!march.contains("Restated"))

            // The same files in another run: nothing changes, and the entry stays.
            _ = try run(folder, day: 2)
            #expect(NSArray(array: try restatements(folder)) == NSArray(array: restated))
            _ = try run(folder, ["load", "--replay", "inbox/trips-late.csv"], day: 2)
            _ = try run(folder, ["publish"], day: 3)
            #expect(NSArray(array: try restatements(folder)) == NSArray(array: restated))
        }
    }

    @Test func takenOutAgainTheNumbersAreTheOldOnesAndTheRestatementTurns() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.original, to: "inbox/trips-q1.csv")
            _ = try run(folder, day: 0)
            let cells = try folder.read("reports/published/staff/current/kpi-cells.csv")
            let late = try folder.write(Self.correction, to: "inbox/trips-late.csv")
            let told = try run(folder, ["run", "--log-format", "json"], day: 1).stderrText
            #expect(try folder.read("reports/published/staff/current/kpi-cells.csv") != cells)

            let loaded = try #require(told.split(separator: "\n").first { $0.contains("export.loaded") })
            let hash = try #require(loaded.firstMatch(of: /"sha256":"([0-9a-f]{12})/)?.1)
            try FileManager.default.removeItem(atPath: late)
            _ = try run(folder, ["load", "--withdraw", String(hash)], day: 2)
            _ = try run(folder, ["publish"], day: 2)
            let again = try folder.read("reports/published/staff/current/kpi-cells.csv")
            #expect(again == cells)
            let turned = try #require(try restatements(folder).first)
            #expect(try restatements(folder).count == 1)
            #expect(figures(turned, "before") == [20, 75, 2400, 120])
            #expect(figures(turned, "after") == [20, 100, 2000, 100])

            try FileManager.default.removeItem(atPath: folder.path(of: "reports"))
            _ = try run(folder, ["publish"], day: 3)
            #expect(try folder.read("reports/published/staff/current/kpi-cells.csv") == cells)
        }
    }
}

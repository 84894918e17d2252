import TestSupport
import Testing

@Suite struct QueryCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func itListsWhatCanBeAsked() throws {
        let result = try fixture.run(["query"])
        #expect(result.status == 0)
        #expect(["stg_trips", "kpi_cells", "record_equation"].allSatisfy(result.stdoutText.contains))
    }

    @Test func anAnswerNeedsTheWordInternal() throws {
        let result = try fixture.run(["query", "kpi_cells"])
        #expect(result.status == 64)
        #expect(result.stderrText.contains("--internal"))
    }

    @Test(arguments: [
        ["query", "kpi_cells", "--check"], ["query", "--param", "a=b"], ["query", "a", "--sql", "b", "--internal"],
        ["query", "kpi_cells", "--internal", "--param", "month"],
        ["query", "kpi_cells", "--internal", "--param", "month=2026-01", "--param", "month=2026-02"],
    ])
    func wrongUsageIs64(arguments: [String]) throws {
        #expect(try fixture.run(arguments).status == 64)
    }

    @Test func aStoreThatIsNotThereIs66AndIsNotMade() throws {
        try TemporaryFolder.with { folder in
            let result = try fixture.run(["query", "kpi_cells", "--internal"], in: folder.url)
            #expect(result.status == 66)
            #expect(result.stderrText.contains("there is no store at store/tripkpi.sqlite"))
        }
    }
}

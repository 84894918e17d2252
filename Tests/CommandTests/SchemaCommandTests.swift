import TestSupport
import Testing

@Suite struct SchemaCommandTests {
    @Test func listsAndPrintsWhatTheDataFolderHolds() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: "profiles/p.yaml")
            try folder.write("{\"a\": 1}\n", to: "contract/kpi-summary.schema.json")
            let tripkpi = try CommandRunner()
            let environment = ["TRIPKPI_DATA": folder.path]
            #expect(try tripkpi.run(["schema"], environment: environment).stdoutText == "kpi-summary.schema.json\n")
            let printed = try tripkpi.run(["schema", "kpi-summary"], environment: environment)
            #expect(printed.stdoutText == "{\"a\": 1}\n")
            #expect(try tripkpi.run(["schema", "kpi"], environment: environment).status == 64)
        }
    }
}

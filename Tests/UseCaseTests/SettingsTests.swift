import Foundation
import Keys
import Operations
import Privacy
import Reporting
import Settings
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct SettingsTests {
    private func settings(
        _ folder: TemporaryFolder, environment: [String: String] = [:], flags: [Setting: String?] = [:]
    ) throws -> Settings {
        try Settings(
            flags: SettingLayer(flags: [flags]), config: nil,
            environment: environment, workingFolder: folder.path, processors: 2)
    }

    @Test func defaultsAreBelowTheWorkingFolder() throws {
        try TemporaryFolder.with { folder in
            let nightly = try settings(folder)
            #expect(nightly.inbox == "inbox" && nightly.store == "store/tripkpi.sqlite")
            #expect(nightly.reports == "reports/published" && nightly.keyFile == "store/tripkpi.sqlite.key")
            #expect(nightly.metricsFile == nil && nightly.logFormat == .text && nightly.keepRuns == 14)
            #expect(nightly.audiences == [.release, .staff])
            #expect(nightly.freshnessWarnDays == 3 && nightly.freshnessFailDays == nil)
        }
    }

    @Test func pathsInAFileAreRelativeToItAndFlagsAndVariablesComeFirst() throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                "store: s.sqlite\ninbox: /in\nreports: a/b\nkeep_runs: 3\nlog_format: json\naudiences: [staff]\n",
                to: "tripkpi.yaml")
            let nightly = try settings(
                folder, environment: ["TRIPKPI_KEEP_RUNS": "5", "TRIPKPI_INBOX": "there"], flags: [.inbox: "here"])
            #expect(nightly.store == folder.path(of: "s.sqlite"))
            #expect(nightly.keyFile == folder.path(of: "s.sqlite.key"))
            #expect(nightly.reports == folder.path(of: "a/b"))
            #expect(nightly.inbox == "here" && nightly.keepRuns == 5 && nightly.logFormat == .json)
            #expect(nightly.audiences == [.staff])
            #expect(nightly.origins.contains("keep_runs: environment") && nightly.origins.contains("inbox: flags"))
        }
    }

    @Test func audienceAndKeptMarginAreChosenByName() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).audience == .staff && settings(folder).disclosure.keptMargin == .region)
            try folder.write("audience: release\nkeep_margin: type\n", to: "tripkpi.yaml")
            #expect(try settings(folder).audience == .release && settings(folder).disclosure.keptMargin == .tripType)
            let all = try settings(folder, environment: ["TRIPKPI_AUDIENCE": "release", "TRIPKPI_AUDIENCES": "staff"])
            #expect(all.audience == .release && all.audiences == [.staff])
        }
    }

    @Test func missingCountsAreOmittedOnlyByFiles() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).disclosure.missingCounts == .publish)
            try folder.write("missing_counts: omit\n", to: "tripkpi.yaml")
            let all = try settings(folder)
            #expect(all.disclosure.missingCounts == .omit)
            #expect(all.origins.contains { $0.hasPrefix("missing_counts: ") })
            // If it were ignored, the release would publish what someone wants to leave out.
            let error = #expect(throws: SettingError.self) {
                try settings(folder, environment: ["TRIPKPI_MISSING_COUNTS": "omit"])
            }
            #expect(error?.description.contains("write missing_counts: omit to the project file") == true)
            #expect(try settings(folder, environment: ["TRIPKPI_MISSING_COUNTS": ""]).disclosure.missingCounts == .omit)
            try folder.write("missing_counts: hide\n", to: "tripkpi.yaml")
            let word = #expect(throws: SettingError.self) { try settings(folder) }
            #expect(
                word?.problem == "missing_counts has an unknown value" && word?.remedy == "write publish or omit")
        }
    }

    @Test(arguments: [
        "keep_runs: 0\n", "keep_runs: many\n", "log_format: xml\n", "audience: all\n", "keep_margin: both\n",
        "missing_counts: none\n", "missing_counts: [omit]\n",
        "audiences: [us]\n", "audiences: []\n",
        "freshness_warn_days: 0\n",
        "freshness_fail_days: 2\n",
        "freshness_warn_days: 9\nfreshness_fail_days: 8\n", "store: \"\"\n", "store: [a]\n", "key: abc\n",
        "crosswalk: a\n", "crosswalk: {file: a}\n", "crosswalk: {file: a, key_file: ''}\n",
        "crosswalk: {file: a, key_file: b, key: c}\n",
    ])
    func invalidSettingsAreRefused(text: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "tripkpi.yaml")
            let error = #expect(throws: (any Error).self) { try settings(folder) }
            #expect(FailureKind(of: try #require(error)) == .configuration)
        }
    }

    /// A variable that is ignored would be a release that someone thinks is stricter than it is.
    @Test(arguments: ["TRIPKPI_AUDIENSES", "TRIPKPI_MISSING_COUNTS", "TRIPKPI_ANYTHING", "TRIPKPI_TARGETS"])
    func aVariableThatIsNoSettingIsRefused(name: String) throws {
        try TemporaryFolder.with { folder in
            let error = #expect(throws: SettingError.self) { try settings(folder, environment: [name: "staff"]) }
            #expect(error?.origin == name)
            #expect(name != "TRIPKPI_AUDIENSES" || error?.remedy == "did you mean “TRIPKPI_AUDIENCES”?")
            let known = try settings(folder, environment: [name: "", "TRIPKPI": "x"])
            #expect(known.audiences == [.release, .staff])
        }
    }

    @Test func variablesOfAKubernetesServiceAreNoSettings() throws {
        try TemporaryFolder.with { folder in
            let variables = ["SERVICE_HOST", "SERVICE_PORT_HTTP", "PORT", "PORT_8080_TCP", "PORT_8080_TCP_ADDR"]
            let environment = Dictionary(uniqueKeysWithValues: variables.map { ("TRIPKPI_API_" + $0, "10.0.0.1") })
            let known = try settings(folder, environment: environment)
            #expect(known.audiences == [.release, .staff])
        }
    }

    /// Only a name that is free is no settings file: the settings of another file would release what this one holds back.
    @Test func aSettingsFileThatCannotBeReadIsNotMissing() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).origins.isEmpty)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "tripkpi.yaml"), withDestinationPath: "not-mounted/tripkpi.yaml")
            let error = #expect(throws: SettingError.self) { try settings(folder) }
            #expect(error?.description.contains("a link that leads nowhere") == true)
            try folder.write("audiences: [staff]\n", to: "not-mounted/tripkpi.yaml")
            #expect(try settings(folder).audiences == [.staff])
        }
    }

    @Test func otherSitesAreExactOrigins() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).apiCORSOrigins.isEmpty)
            let origins = ["https://app.example.org", "https://localhost:8443", "https://[::1]:9000"]
            let known = try settings(
                folder, environment: ["TRIPKPI_API_CORS_ORIGINS": origins.joined(separator: ", ")])
            #expect(known.apiCORSOrigins == origins)
            for origin in [
                "*", "https://*.example.org", "http://app.example.org", "https://app.example.org/", "null",
                "https://app.example.org:443", "https://app.example.org:65536", "https://App.example.org",
                "https://a@example.org", "app.example.org", "https://", "https://a..b", "https://app.example.org:0",
            ] {
                try folder.write("api_cors_origins: ['https://app.example.org', '\(origin)']\n", to: "tripkpi.yaml")
                let error = #expect(throws: SettingError.self, "\(origin)") { try settings(folder) }
                #expect(error?.problem == "api_cors_origins is not a list of origins")
            }
        }
    }

    /// A pipe says that it has no bytes: it would be a file that sets nothing.
    @Test func aPipeIsNoSettingsFile() throws {
        try TemporaryFolder.with { folder in
            #expect(mkfifo(folder.path(of: "tripkpi.yaml"), 0o600) == 0)
            let error = #expect(throws: SettingError.self) { try settings(folder) }
            #expect(error?.description.contains("it is not a file") == true)
        }
    }

    @Test func aRunFailsForOldTripsOnlyIfItIsConfigured() throws {
        try TemporaryFolder.with { folder in
            let nightly = try settings(folder, environment: ["TRIPKPI_FRESHNESS_WARN_DAYS": "30"])
            #expect(nightly.audiences == [.release, .staff])
            #expect(nightly.freshnessWarnDays == 30 && nightly.freshnessFailDays == nil)
        }
    }

    @Test func theCrosswalkIsOffUnlessAFileConfiguresIt() throws {
        try TemporaryFolder.with { folder in
            #expect(throws: SettingError.self) { try settings(folder, environment: ["TRIPKPI_CROSSWALK": "a"]) }
            #expect(try settings(folder).crosswalk == nil)
            try folder.write("store: s/s\ncrosswalk: {file: c/c, key_file: /k/k}\n", to: "tripkpi.yaml")
            let place = try #require(try settings(folder).crosswalk)
            #expect(
                place.file == folder.path(of: "c/c") && place.keyFile == "/k/k" && place.store == folder.path(of: "s/s")
            )
        }
    }
}

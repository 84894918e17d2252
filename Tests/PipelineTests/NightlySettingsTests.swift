import Crosswalk
import Operations
import Pipeline
import Privacy
import TestSupport
import Testing

@Suite struct NightlySettingsTests {
    private func settings(
        _ folder: TemporaryFolder, environment: [String: String] = [:], flags: NightlyLayer = NightlyLayer()
    ) throws -> Settings {
        var layer = SettingLayer(origin: "flags")
        layer.nightly = flags
        return try Settings(
            flags: layer, config: nil,
            surroundings: Settings.Surroundings(
                environment: environment, workingFolder: folder.path, processors: 2))
    }

    @Test func whatNobodySaysIsBelowTheWorkingFolder() throws {
        try TemporaryFolder.with { folder in
            let nightly = try settings(folder).nightly
            #expect(nightly.inbox == "inbox" && nightly.store == "store/tripkpi.sqlite")
            #expect(nightly.reports == "reports/published" && nightly.keyFile == "store/tripkpi.sqlite.key")
            #expect(nightly.metricsFile == nil && nightly.logFormat == .text && nightly.keepRuns == 14)
            #expect(nightly.audiences == [.release, .staff])
            #expect(nightly.freshnessWarnDays == 3 && nightly.freshnessFailDays == nil)
        }
    }

    @Test func pathsOfAFileLieBesideItAndFlagsAndVariablesComeFirst() throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                "store: s.sqlite\ninbox: /in\nreports: a/b\nkeep_runs: 3\nlog_format: json\naudiences: [staff]\n",
                to: "tripkpi.yaml")
            var flags = NightlyLayer()
            flags.inbox = "here"
            let all = try settings(
                folder, environment: ["TRIPKPI_KEEP_RUNS": "5", "TRIPKPI_INBOX": "there"], flags: flags)
            let nightly = all.nightly
            #expect(nightly.store == folder.path(of: "s.sqlite"))
            #expect(nightly.keyFile == folder.path(of: "s.sqlite.key"))
            #expect(nightly.reports == folder.path(of: "a/b"))
            #expect(nightly.inbox == "here" && nightly.keepRuns == 5 && nightly.logFormat == .json)
            #expect(nightly.audiences == [.staff])
            #expect(all.origins.contains("keep_runs: environment") && all.origins.contains("inbox: flags"))
        }
    }

    @Test func audienceAndKeptMarginAreChosenByTheirWords() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).audience == .release && settings(folder).disclosure.keptMargin == .region)
            try folder.write("audience: staff\nkeep_margin: type\n", to: "tripkpi.yaml")
            #expect(try settings(folder).audience == .staff && settings(folder).disclosure.keptMargin == .tripType)
            let all = try settings(folder, environment: ["TRIPKPI_AUDIENCE": "release", "TRIPKPI_AUDIENCES": "staff"])
            #expect(all.audience == .release && all.nightly.audiences == [.staff])
        }
    }

    @Test func missingCountsAreOmittedByFilesAlone() throws {
        try TemporaryFolder.with { folder in
            #expect(try settings(folder).disclosure.missingCounts == .publish)
            try folder.write("missing_counts: omit\n", to: "tripkpi.yaml")
            let all = try settings(folder)
            #expect(all.disclosure.missingCounts == .omit)
            #expect(all.origins.contains { $0.hasPrefix("missing_counts: ") })
            // Ignored, the variable would publish what somebody wants to leave out.
            let error = #expect(throws: SettingError.self) {
                try settings(folder, environment: ["TRIPKPI_MISSING_COUNTS": "omit"])
            }
            #expect(error?.description.contains("write missing_counts: omit to the project file") == true)
            #expect(try settings(folder, environment: ["TRIPKPI_MISSING_COUNTS": ""]).disclosure.missingCounts == .omit)
            try folder.write("missing_counts: hide\n", to: "tripkpi.yaml")
            let word = #expect(throws: SettingError.self) { try settings(folder) }
            #expect(
                word?.problem == "missing_counts is not one of its words" && word?.remedy == "write publish or omit")
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
    func whatCannotBeKeptIsRefused(text: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "tripkpi.yaml")
            let error = #expect(throws: (any Error).self) { try settings(folder) }
            #expect(FailureKind(of: try #require(error)) == .configuration)
        }
    }

    @Test func aRunFailsForOldTripsOnlyIfSomebodyWantsThat() throws {
        try TemporaryFolder.with { folder in
            let nightly = try settings(folder, environment: ["TRIPKPI_FRESHNESS_WARN_DAYS": "30"]).nightly
            #expect(nightly.audiences == [.release, .staff])
            #expect(nightly.freshnessWarnDays == 30 && nightly.freshnessFailDays == nil)
        }
    }

    @Test func theCrosswalkIsOffUnlessAFileSaysSo() throws {
        try TemporaryFolder.with { folder in
            let environment = [
                "TRIPKPI_CROSSWALK": "a", "TRIPKPI_CROSSWALK_FILE": "a", "TRIPKPI_CROSSWALK_KEY_FILE": "b",
            ]
            #expect(try settings(folder, environment: environment).nightly.crosswalk == nil)
            try folder.write("store: s/s\ncrosswalk: {file: c/c, key_file: /k/k}\n", to: "tripkpi.yaml")
            let place = try #require(try settings(folder).nightly.crosswalk)
            #expect(
                place.file == folder.path(of: "c/c") && place.keyFile == "/k/k" && place.store == folder.path(of: "s/s")
            )
        }
    }

    /// Each line of the shipped example can be used as it stands.
    @Test func theExampleNamesEverySettingAndIsRight() throws {
        try TemporaryFolder.with { folder in
            let lines = try Repository.text("data/tripkpi.yaml.example").split(separator: "\n")
            let settings = lines.filter { $0.firstMatch(of: /^# [a-z_]+:\s/) != nil }.map { $0.dropFirst(2) }
            try folder.write(settings.joined(separator: "\n"), to: "tripkpi.yaml")
            let origins = try self.settings(folder).origins
            // The two lists are one origin.
            #expect(settings.count == 27 && origins.count == 26)
        }
    }
}

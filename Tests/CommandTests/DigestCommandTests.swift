import Foundation
import TestSupport
import Testing

@Suite struct DigestCommandTests {
    private let fixture: CommandFixture
    private static let limits = (lines: 15, width: 76)

    init() throws {
        fixture = try CommandFixture()
    }

    /// Metrics have the real time, so the digest needs it too.
    private static var now: String { "\(Int(Date().timeIntervalSince1970) + 5)" }

    private func run(_ words: [String], in folder: TemporaryFolder, epoch: String? = nil) throws -> CommandResult {
        try fixture.run(
            words,
            environment: [
                "SOURCE_DATE_EPOCH": epoch ?? Self.now, "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ], in: folder.url)
    }

    private struct Message {
        let subject: String
        let lines: [String]
        /// Without the breaks of lines.
        let body: String

        init(_ text: String) throws {
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            subject = try #require(parts.first)
            #expect(parts.dropFirst().first == "" && parts.last == "")
            lines = Array(parts.dropFirst(2).dropLast())
            body = lines.joined(separator: "\n").replacingOccurrences(of: "\n  ", with: " ")
        }
    }

    private func digest(
        _ words: [String] = [], in folder: TemporaryFolder, epoch: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Message {
        let result = try run(["digest"] + words, in: folder, epoch: epoch)
        #expect(result.status == 0 && result.stderr.isEmpty, "\(result.stderrText)", sourceLocation: sourceLocation)
        let message = try Message(result.stdoutText)
        #expect(message.subject.hasPrefix("Subject: tripkpi on "), sourceLocation: sourceLocation)
        #expect(
            (1...Self.limits.lines).contains(message.lines.count), "\(message.lines)", sourceLocation: sourceLocation)
        #expect(message.lines.allSatisfy { $0.count <= Self.limits.width }, sourceLocation: sourceLocation)
        return message
    }

    private static let settings = "metrics_file: run.prom\n"

    @Test func aNightThatWentWell() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.settings, to: "tripkpi.yaml")
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run(["run"], in: folder).status == 0)
            let message = try digest(in: folder)
            #expect(message.subject.hasSuffix("the last run succeeded"))
            #expect(message.body.contains("What happened: the last run ended with 0: success"))
            #expect(message.body.contains(/Last success: 20\S+Z, 0 days ago/))
            #expect(message.body.contains("Exports: none failed, all newly loaded"))
            #expect(message.body.contains("Newest trip: more than a month old"))
            #expect(message.body.contains("New months: not known, because no earlier set is kept"))
            #expect(message.body.contains("Release: 2024-01 to 2024-01, made 20"))
            #expect(!message.body.contains("What to do"))
        }
    }

    @Test func aFailedExportAMonthThatIsNewAndCountsAsWords() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.settings, to: "tripkpi.yaml")
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            let early = Int(Date().timeIntervalSince1970) - 20 * 86_400
            #expect(try run(["run"], in: folder, epoch: "\(early)").status == 0)
            let february = CommandFixture.trips(400, beginningAt: 400).replacingOccurrences(
                of: ",2024-01-", with: ",2024-02-")
            try folder.write(february.replacingOccurrences(of: "2024-02-30", with: "2024-02-28"), to: "inbox/b.csv")
            try folder.write("trip_id,service_date\n1,soon\n2,2024-01-03\n", to: "inbox/failing.csv")
            #expect(try run(["run"], in: folder).status == 65)
            let message = try digest(
                ["--unit", "tripkpi.service", "--exit-status", "65", "--result", "exit-code"], in: folder)
            #expect(message.subject.hasSuffix("tripkpi.service failed with 65"))
            #expect(message.body.contains("Exports: some failed, some newly loaded"))
            #expect(message.body.contains("What to do: run `tripkpi quarantine list`"))
            #expect(message.body.contains("Look next: journalctl -u 'tripkpi.service' -n 50"))
            #expect(message.body.contains(/Months published since 20\d\d-\d\d-\d\d: 2024-02/))
            #expect(message.body.contains(/Last success: 20\S+Z, 0 days ago/))
            #expect(try digest(["--days", "30"], in: folder).body.contains(": 2024-02"))

            // Nothing of the staff set is needed, and no store, key or inbox.
            for name in ["store", "inbox", "reports/published/staff"] {
                try FileManager.default.removeItem(atPath: folder.path(of: name))
            }
            #expect(try digest(["--unit", "tripkpi.service", "--exit-status", "65"], in: folder).body == message.body)
        }
    }

    private struct JSONMessage: Decodable {
        var subject: String
        var text: String
        var unit: String?
        var exitCode: Int?
        var failed: Bool
        var exportsFailed: String?
        var newestTrip: String?
        var releaseMonths: [String]
        var newMonths: [String]?
    }

    @Test func theJSONHasTheSameText() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.settings, to: "tripkpi.yaml")
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run(["run"], in: folder).status == 0)
            func both(_ words: [String]) throws -> (message: Message, json: JSONMessage) {
                let message = try digest(words, in: folder)
                let result = try run(["digest", "--format", "json"] + words, in: folder)
                let json = try JSONDecoder().decode(JSONMessage.self, from: Data(result.stdout))
                #expect("Subject: \(json.subject)" == message.subject)
                #expect(json.text == ([json.subject, ""] + message.lines).joined(separator: "\n"))
                return (message, json)
            }
            let nightly = try both(["--unit", "tripkpi.service"]).json
            #expect(nightly.exportsFailed == "none" && nightly.newestTrip == "more than a month old")
            let (message, json) = try both(
                ["--unit", #"tripkpi@publish\x20\x2d\x2drevise.service"#, "--exit-status", "74"])
            // The arguments of a command may hold a reason.
            #expect(json.unit == "tripkpi@publish…" && json.exitCode == 74 && json.failed)
            #expect(message.body.contains("journalctl -u 'tripkpi@publish*' -n 50"))
            #expect(json.releaseMonths == ["2024-01"] && json.newMonths == nil)
            #expect(json.exportsFailed == nil && json.newestTrip == nil)
        }
    }

    /// A count below 11 is a word, wherever it stands.
    @Test(arguments: [
        (loaded: 0, failed: 0, "Exports: the run met none"), (0, 3, "Exports: all failed, none newly loaded"),
        (2, 10, "Exports: some failed, some newly loaded"), (10, 11, "Exports: 11 failed, some newly loaded"),
    ])
    func smallCountsAreWords(loaded: Int, failed: Int, line: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                """
                tripkpi_last_completion_timestamp_seconds 1767225600
                tripkpi_last_exit_code 65
                tripkpi_exports{outcome="loaded"} \(loaded)
                tripkpi_exports{outcome="known"} 0
                tripkpi_exports{outcome="failed"} \(failed)
                tripkpi_exports{outcome="waived"} 0
                tripkpi_rows{disposition="read"} 7

                """, to: "run.prom")
            let message = try digest(["--metrics", "run.prom"], in: folder, epoch: "1767225700")
            #expect(message.lines.contains(line), "\(message.lines)")
            #expect(message.body.contains("Release: there is no folder "))
        }
    }

    @Test func whatIsMissingIsSaid() throws {
        try TemporaryFolder.with { folder in
            #expect(try digest(in: folder).body.contains("Metrics: the setting metrics_file is not made"))
            #expect(try digest(["--metrics", "a.prom"], in: folder).body.contains("Metrics: there is no file"))
            try folder.write("other_metric 1\n", to: "b.prom")
            #expect(try digest(["--metrics", "b.prom"], in: folder).body.contains("is no metrics file of tripkpi"))
            // Wrong settings may be why the run failed.
            try folder.write("stor: x\n", to: "tripkpi.yaml")
            let wrong = try digest(["--metrics", "a.prom", "--exit-status", "78"], in: folder)
            #expect(wrong.subject.hasSuffix("the last run failed with 78"))
            #expect(wrong.body.contains(/Settings: they are wrong: \S+tripkpi\.yaml, line 1;/))
            #expect(wrong.body.contains("the key belongs to another store or is missing"))
            try folder.write("", to: "tripkpi.yaml")
            // Nothing published is not a missing folder, nor a damaged release.
            #expect(try digest(in: folder).body.contains("Release: there is no folder "))
            try folder.write("", to: "reports/published/staff/x")
            #expect(try digest(in: folder).body.contains("Release: no month is published"))
            try folder.write("x", to: "reports/published/release/current")
            #expect(try digest(in: folder).body.contains("Release: "))
            #expect(try !digest(in: folder).body.contains("no month is published"))
        }
    }

    /// The nightly run's metrics say nothing of another unit, and exit codes of other programs have other meanings.
    @Test func aMessageAboutAnotherUnit() throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                "tripkpi_last_completion_timestamp_seconds 1767225600\ntripkpi_last_exit_code 0\n", to: "run.prom")
            func message(_ words: String...) throws -> Message {
                try digest(["--metrics", "run.prom", "--unit"] + words, in: folder, epoch: "1767225700")
            }
            #expect(try message("tripkpi.service").subject.hasSuffix("tripkpi.service succeeded"))
            for unit in ["tripkpi-serve.service", "tripkpi@verify.service", "nginx.service"] {
                let other = try message(unit)
                #expect(other.subject.hasSuffix("nothing is known of \(unit)"))
                #expect(!other.body.contains("Last ") && !other.body.contains("metrics_file"), "\(other.body)")
            }
            let serve = try message("tripkpi-serve.service", "--exit-status", "78")
            #expect(serve.body.contains("with 78: settings, profile or rules are wrong"))
            let nginx = try message("nginx.service", "--exit-status", "78")
            #expect(nginx.body.contains("nginx.service ended with 78: it failed") && !nginx.body.contains("rules"))
        }
    }

    /// Only the file and the line of a wrong setting leave the machine.
    @Test(arguments: [
        ("jobs: s3cret\n", "they are wrong: .*tripkpi.yaml, line 1;"),
        ("# zone\nzone: Europe/S3cret\n", "they are wrong: .*tripkpi.yaml;"),
        ("max_reject: s3cret\n", "they are wrong: .*tripkpi.yaml, line 1;"),
        ("s3cret: [\n", "they could not be read: .*tripkpi.yaml, line [12];"),
    ])
    func aWrongSettingIsNamedWithoutItsValue(text: String, place: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "tripkpi.yaml")
            let message = try digest(in: folder)
            #expect(!message.body.lowercased().contains("s3cret"), "\(message.body)")
            #expect(try message.body.contains(Regex("Settings: \(place)")), "\(message.body)")
            let isRead = !place.contains("read")
            #expect(message.body.contains("Metrics: the setting metrics_file is not made") == isRead)
            #expect(message.body.contains("Metrics: the settings could not be read") == !isRead)
            #expect(message.body.contains("Release: the settings could not be read") == !isRead)
        }
    }

    /// The day of the newest trip is a staff figure.
    @Test(arguments: [
        (-1, "not known"), (0, "up to date"), (2, "up to date"), (3, "more than 2 days old"),
        (7, "more than 2 days old"), (8, "more than a week old"), (31, "more than a week old"),
        (32, "more than a month old"),
    ])
    func theAgeOfTheNewestTripIsAWord(days: Int, word: String) throws {
        try TemporaryFolder.with { folder in
            let now = 1_767_225_600, noon = now - days * 86_400 + 43_200
            try folder.write(
                """
                tripkpi_last_completion_timestamp_seconds \(now - 5)
                tripkpi_last_exit_code 0
                tripkpi_newest_trip_timestamp_seconds \(noon)

                """, to: "run.prom")
            let message = try digest(["--metrics", "run.prom"], in: folder, epoch: "\(now)")
            #expect(message.lines.contains("Newest trip: \(word)"), "\(message.lines)")
            // No count of exports is known: nothing is said of them.
            #expect(!message.body.contains("Exports"))
            let later = try digest(["--metrics", "run.prom"], in: folder, epoch: "\(now - 10)")
            #expect(later.body.contains("run.prom is of a time after now; check the clock"))
            #expect(later.subject.hasSuffix("nothing is known of the last run"))
        }
    }

    /// An earlier set that is damaged is no reason to call no month new.
    @Test func aComparisonThatCannotBeMadeSaysWhy() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            for (day, name) in [(20, "b"), (10, "c")] {
                let epoch = "\(Int(Date().timeIntervalSince1970) - day * 86_400)"
                #expect(try run(["run"], in: folder, epoch: epoch).status == 0)
                let february = CommandFixture.trips(400, beginningAt: day * 1000)
                    .replacingOccurrences(of: ",2024-01-", with: ",2024-0\(day == 20 ? 2 : 3)-")
                    .replacingOccurrences(of: "2024-02-30", with: "2024-02-28")
                try folder.write(february, to: "inbox/\(name).csv")
            }
            #expect(try run(["run"], in: folder).status == 0)
            #expect(try digest(in: folder).body.contains(/Months published since \S+: 2024-03/))
            let release = folder.path(of: "reports/published/release")
            let previous = try FileManager.default.destinationOfSymbolicLink(atPath: "\(release)/previous")
            try folder.write("{", to: "reports/published/release/\(previous)/kpi-summary.json")
            let message = try digest(in: folder)
            #expect(message.body.contains(/New months: not known, because the set of \d{4}-\d\d-\d\d is damaged/))
        }
    }

    /// A run that failed before it counted anything claims no exports.
    @Test func aRunThatCountedNothingSaysNothingOfExports() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.settings, to: "tripkpi.yaml")
            #expect(try run(["run"], in: folder).status == 66)
            let message = try digest(in: folder)
            #expect(message.subject.hasSuffix("the last run failed with 66"))
            #expect(message.body.contains("Last run: 20") && !message.body.contains("Exports"), "\(message.body)")
        }
    }

    @Test func runsThatNoLongerComeAreNamed() throws {
        try TemporaryFolder.with { folder in
            try folder.write(
                "tripkpi_last_completion_timestamp_seconds 1767225600\ntripkpi_last_exit_code 0\n", to: "run.prom")
            let late = try digest(["--metrics", "run.prom"], in: folder, epoch: "\(1_767_225_600 + 9 * 86_400)")
            #expect(late.subject.hasSuffix("no run for 9 days") && late.body.contains("tripkpi.timer"))
        }
    }

    @Test(arguments: [
        (["--exit-status", "KILL", "--result", "signal"], "by signal KILL: a signal ended it"),
        (["--exit-status", "TERM", "--result", "timeout"], "by timeout TERM: it took longer than the unit allows"),
        (["--exit-status", "243", "--result", "exit-code"], "with 243: systemd could not start it"),
        (["--exit-status", "143"], "with 143: a signal ended it"), (["--exit-status", "1"], "with 1: it did not end"),
        (["--exit-status", "", "--result", ""], "nothing is known of tripkpi.service"),
        // Of a unit that it no longer remembers systemd reports so.
        (["--exit-status", "", "--result", "success"], "nothing is known of tripkpi.service"),
        (["--exit-status", "0"], "ended with 0: success"),
    ])
    func howSystemdSaysThatAUnitEnded(words: [String], text: String) throws {
        try TemporaryFolder.with { folder in
            let message = try digest(["--unit", "tripkpi.service"] + words, in: folder)
            #expect(message.body.contains(text), "\(message.body)")
        }
    }

    @Test(arguments: [
        ["--unit", "a\nBcc: x@example.org"], ["--unit", "a b"], ["--exit-status", "1;2"], ["--result", "a;b"],
        ["--unit", String(repeating: "u", count: 256)], ["--days", "0"],
    ])
    func whatIsNoUnitOrStatusIsWrongUsage(words: [String]) throws {
        try TemporaryFolder.with { folder in
            let result = try run(["digest"] + words, in: folder)
            #expect(result.status == 64 && result.stdout.isEmpty)
        }
    }

    /// The table of docs/nightly.md has the words of the digest.
    @Test func exitCodesHaveTheWordsOfThePage() throws {
        let rows = try Repository.text("docs/nightly.md").split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| (\d+)(?:, (\d+))? \| (.+) \| (.+) \|/)
        }
        #expect(rows.count >= 8)
        try TemporaryFolder.with { folder in
            for row in rows {
                for code in [row.1, row.2 ?? row.1] {
                    let message = try digest(["--exit-status", String(code)], in: folder).body
                    #expect(message.contains("ended with \(code): \(row.3)"), "\(message)")
                    let remedy = String(row.4).replacing(/\[([^\]]+)\]\([^)]+\)/) { $0.1 }
                    #expect(code == "0" ? remedy == "nothing" : message.contains("What to do: \(remedy)"), "\(message)")
                }
            }
        }
    }
}

import Foundation
import GRDB
import TestSupport
import Testing

@Suite struct ReidentifyCommandTests {
    /// The audit log at its default path.
    private static let besideStore = ["TRIPKPI_AUDIT_LOG": ""]

    private static let id = "00000000000000010000000000000002"

    /// A folder with a store of one trip, whose public id is `id`.
    private func withStore(crosswalk: Bool = true, _ body: (CommandFixture, TemporaryFolder) throws -> Void) throws {
        let fixture = try CommandFixture()
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder.path(of: "keys"), withIntermediateDirectories: false)
            let settings =
                "store: store/s.sqlite\nmax_reject: 100%\n"
                + (crosswalk ? "crosswalk: {file: walk/c, key_file: keys/k}\n" : "")
            try folder.write(settings, to: "tripkpi.yaml")
            try folder.write(CommandFixture.canaryExport, to: "export.csv")
            let loaded = try fixture.run(["load", "export.csv"], environment: Self.besideStore, in: folder.url)
            #expect(loaded.status == 0 && loaded.leaks.isEmpty, "\(loaded.stderrText)")
            let store = try DatabaseQueue(path: folder.path(of: "store/s.sqlite"))
            try store.write { db in
                try db.execute(
                    sql:
                        "INSERT INTO public_ids (key_high, key_low, id_high, id_low) SELECT key_high, key_low, 1, 2 FROM trips LIMIT 1"
                )
            }
            try store.close()
            try body(fixture, folder)
        }
    }

    @Test func identifiersGoWhereTheyAreAskedForAndNowhereElse() throws {
        try withStore { fixture, folder in
            let asked = ["reidentify", Self.id, "--reason", "Dispute 1"]
            let refused = try fixture.run(asked, environment: Self.besideStore, in: folder.url)
            #expect(refused.status == 64 && refused.leaks.isEmpty && refused.stderrText.contains("--yes"))
            let log = "store/s.sqlite.audit.jsonl"
            func told() throws -> [Substring] {
                String(decoding: try folder.read(log), as: UTF8.self).split(separator: "\n")
                    .filter { $0.contains("\"event\":\"reidentify\"") }
            }
            #expect(try told().isEmpty)

            for rotation in 0...1 {
                let answer = try fixture.run(asked + ["--yes"], environment: Self.besideStore, in: folder.url)
                #expect(answer.status == 0 && answer.stderr.isEmpty, "\(answer.stderrText)")
                #expect(
                    answer.stdoutText
                        == "\(Self.id)\n  source: plain\n  trip_id: CANARYTRIP1\n  leg_id: CANARYLEG1\n  patient_id: –\n"
                )
                let json = try fixture.run(
                    asked + ["--yes", "--format", "json"], environment: Self.besideStore, in: folder.url)
                let answers = try JSONDecoder().decode([[String: String]].self, from: Data(json.stdout))
                #expect(answers.first?["trip_id"] == "CANARYTRIP1" && answers.count == 1)
                let lines = try told()
                #expect(lines.count == 2 * (rotation + 1) && lines.allSatisfy { $0.contains("Dispute 1") })
                #expect(CommandFixture.canaries.allSatisfy { !lines.joined().contains($0) })
                let rotated = try fixture.run(["key", "rotate"], environment: Self.besideStore, in: folder.url)
                #expect(rotated.status == 0 && rotated.leaks.isEmpty && rotated.stdout.isEmpty, "\(rotated.stderrText)")
                let whole = String(decoding: try folder.read(log), as: UTF8.self)
                #expect(whole.count(of: "\"event\":\"rotate-key\"") == rotation + 1)
                let fingerprint = try fixture.run(
                    ["key", "fingerprint"], environment: Self.besideStore, in: folder.url)
                #expect(fingerprint.stdoutText.hasSuffix("rotated \(rotation + 1) times\n"))
            }
            let check = try fixture.run(["crosswalk", "check"], environment: Self.besideStore, in: folder.url)
            #expect(check.status == 0 && check.stdoutText == "the crosswalk is whole: 2 entries\n")
        }
    }

    @Test func withoutAnAuditEntryNoIdentifierIsPrinted() throws {
        try withStore { fixture, folder in
            for name in ["store/s.sqlite.audit.jsonl", "store/s.sqlite.audit.jsonl.head"] {
                try FileManager.default.removeItem(atPath: folder.path(of: name))
            }
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "store/s.sqlite.audit.jsonl"), withIntermediateDirectories: false)
            for words in [
                ["reidentify", Self.id, "--reason", "r", "--yes"], ["key", "rotate"], ["crosswalk", "forget"],
            ] {
                let result = try fixture.run(words, environment: Self.besideStore, in: folder.url)
                #expect([73, 77].contains(result.status) && result.stdout.isEmpty && result.leaks.isEmpty)
            }
            let fingerprint = try fixture.run(["key", "fingerprint"], environment: Self.besideStore, in: folder.url)
            #expect(fingerprint.stdoutText.hasSuffix("rotated 0 times\n"))
        }
    }

    @Test func wrongQuestionsHaveTheirCodes() throws {
        try withStore { fixture, folder in
            let other = String(repeating: "0", count: 32)
            for (arguments, status) in [
                ([Self.id, "--yes"], 64), ([Self.id, "--yes", "--reason", " "], 64),
                (["12", "--yes", "--reason", "r"], 64),
                ([other, "--yes", "--reason", "r"], 66), ([Self.id, other, "--yes", "--reason", "r"], 66),
            ] {
                let result = try fixture.run(["reidentify"] + arguments, environment: Self.besideStore, in: folder.url)
                #expect(result.status == Int32(status) && result.stdout.isEmpty && result.leaks.isEmpty)
            }
            try folder.write("other key of 32 bytes, in its way", to: "keys/k")
            let size = try fixture.run(
                ["reidentify", Self.id, "--reason", "r", "--yes"], environment: Self.besideStore, in: folder.url)
            #expect([77, 78].contains(size.status) && size.stdout.isEmpty)
        }
    }

    @Test func withoutACrosswalkThereIsNothingToTell() throws {
        try withStore(crosswalk: false) { fixture, folder in
            let result = try fixture.run(
                ["reidentify", Self.id, "--reason", "r", "--yes"], environment: Self.besideStore, in: folder.url)
            #expect(result.status == 78 && result.stdout.isEmpty && result.stderrText.contains("crosswalk"))
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "walk")))
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}

import Foundation
import TestSupport
import Testing

/// Keys of JSON that the first records do not have: the figures never lack them in silence.
@Suite struct LaterKeysTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// - Parameter other: members of the records from `first` on, in place of the cost.
    private static func lines(_ count: Int = 1200, from first: Int = 900, other: String) -> String {
        (0..<count).map { record in
            let cost = record < first ? #""cost": "100.00""# : other
            return #"{"trip_id": "T\#(record)", "unit_notified_at": "2025-03-10 08:00:00", "region": "North", "#
                + #""on_scene_at": "2025-03-10 08:09:00", \#(cost)}"#
        }.joined(separator: "\n") + "\n"
    }

    private func scan(_ text: String, profile: String? = nil, _ more: [String] = []) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.json")
            var options = more
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options += ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", "export.json", "--audience", "staff", "--format", "csv"] + options, in: folder.url)
        }
    }

    private static let profile = """
        source: own
        columns: {trip_id: trip_id, unit_notified_at: unit_notified_at, on_scene_at: on_scene_at, region: region, cost: cost}

        """

    @Test(arguments: [
        #""Cost": "100.00""#, #""cost_usd": 100"#, #""total_cost": 100"#, #""billing": {"x": 1}, "COST": 1"#,
    ])
    func aCostUnderAnotherKeyEndsTheExport(other: String) throws {
        for profile in [nil, Self.profile] {
            for text in [
                Self.lines(other: other),
                "[" + Self.lines(other: other).split(separator: "\n").joined(separator: ",") + "]",
            ] {
                for blockBytes in [1 << 10, 1 << 18] {
                    let result = try scan(text, profile: profile, ["--block-bytes", "\(blockBytes)"])
                    #expect(result.status == 65, "\(result.stderrText)")
                    #expect(result.stderrText.contains("record 901 is the first with"), "\(result.stderrText)")
                }
            }
        }
        // A profile can say that nothing is lost.
        let accepted = try scan(Self.lines(other: other), profile: Self.profile + "accept_unreadable: [cost]\n")
        #expect(accepted.status == 0 && accepted.stderrText.contains("it is not read"), "\(accepted.stderrText)")
    }

    @Test func aStatusUnderAKeyThatOnlyLaterRecordsHaveEndsThePlainExport() throws {
        let other = #""cost": "100.00", "Trip Status": "cancelled""#
        let result = try scan(Self.lines(other: other))
        #expect(result.status == 65 && result.stderrText.contains("status"), "\(result.stderrText)")
        // A profile leaves out what it does not name, and the key is named.
        let named = try scan(Self.lines(other: other), profile: Self.profile)
        #expect(named.status == 0 && named.stderrText.contains("may be status"), "\(named.stderrText)")
        // Under the field's own name it is read, wherever it comes.
        let canonical = try scan(Self.lines(other: #""cost": "100.00", "status": "completed""#))
        #expect(canonical.status == 0 && !canonical.stderrText.contains("is the first with"), "\(canonical.stderrText)")
    }

    @Test func otherKeysOfLaterRecordsAreNoFault() throws {
        let others = [
            #""cost": "100.00", "crew": "A""#, #""cost": "100.00", "notes": "B""#, #""remark": {"a": [1, 2]}"#,
            #""cost": null"#, #""cost": "100.00", "a key that is longer than a step of thirty-two bytes": {"x": 1}"#,
        ]
        for other in others {
            for profile in [nil, Self.profile] {
                let result = try scan(Self.lines(other: other), profile: profile)
                #expect(result.status == 0, "\(result.stderrText)")
                #expect(!result.stderrText.contains("is the first with"), "\(result.stderrText)")
            }
        }
    }

    /// Within the first records a profile has chosen one of two spellings, and records have the other.
    @Test func aSpellingThatOtherRecordsHaveEndsTheExportWithinTheFirstRecordsToo() throws {
        let result = try scan(
            Self.lines(300, from: 50, other: #""Cost": "100.00""#), profile: Self.profile + "required: [cost]\n")
        #expect(result.status == 65 && result.stderrText.contains("record 51"), "\(result.stderrText)")
    }
}

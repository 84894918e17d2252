import Foundation
import TestSupport
import Testing

/// A commit that the disk refuses: SQLite takes the transaction back by itself.
@Suite struct FailedCommitTests {
    private let site: RemovalFixture
    private static let settings = "regions: [North]\ntrip_types: [Routine]\n"

    init() throws { site = try RemovalFixture() }

    /// Each trip with a provider of its own.
    private static func export(_ name: String, count: Int) -> String {
        let rows = (0..<count).map {
            "\(name)\($0),2025-10-\($0 % 18 + 10),QN,North,Routine,PAT-\($0 % 20),V\(name)\($0),100.00\n"
        }
        return "trip_id,service_date,hcpcs_modifiers,region,trip_type,patient_id,provider_id,cost\n" + rows.joined()
    }

    /// No file may grow beyond 500 KiB, and the log beside the store would.
    @Test func aRunWhoseExportIsNotCommittedEndsWithItsLogAndItsMetrics() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"], settings: Self.settings)
            try folder.write(Self.export("SYNB", count: 5000), to: "inbox/b.csv")
            let stopped = try site.shell(
                "ulimit -f 1000; exec \"$0\" run --metrics m.prom", day: 1, in: folder)
            #expect(!stopped.endedBySignal && stopped.status == 74, "\(stopped.status) \(stopped.stderrText)")
            #expect(stopped.stderrText.contains("no space left for the store"), "\(stopped.stderrText)")
            let metrics = String(decoding: try folder.read("m.prom"), as: UTF8.self)
            #expect(metrics.contains("74"), "\(metrics)")
            // The texts of the next new export have numbers of their own.
            try folder.write(Self.export("SYNC", count: 60), to: "inbox/a2.csv")
            let next = try site.run("run", day: 2, in: folder)
            #expect(next.status == 0, "\(next.stderrText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "5120")
            #expect(try site.run("verify", "--full", day: 2, in: folder).status == 0)
        }
    }
}

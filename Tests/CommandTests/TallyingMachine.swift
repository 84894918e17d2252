import Foundation
import TestSupport
import Testing

/// A folder with a key and two exports, and the program that makes tallies of them.
struct TallyingMachine {
    private let fixture: CommandFixture

    init(_ fixture: CommandFixture) { self.fixture = fixture }

    private static let environment = ["SOURCE_DATE_EPOCH": "1760000000"]

    /// Trips of two years; some have two versions, some are void.
    static func export(_ prefix: String, trips: Int, seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        var lines = ["trip_id,status,unit_notified_at,on_scene_at,completed_at,cost,region,patient_id,updated_at"]
        for trip in 1...trips {
            let month = Int.random(in: 1...12, using: &random), hour = Int.random(in: 0...20, using: &random)
            let day = "202\(Int.random(in: 4...5, using: &random))-\(month < 10 ? "0" : "")\(month)-11"
            func time(_ minutes: Int) -> String {
                let minutes = hour * 60 + minutes
                return
                    "\(day) \(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00"
            }
            let status =
                ["completed", "completed", "completed", "cancelled", "void"].randomElement(using: &random) ?? ""
            for version in 1...(trip.isMultiple(of: 7) ? 2 : 1) {
                lines.append(
                    "\(prefix)\(trip),\(status),\(time(3)),\(time(3 + Int.random(in: 0...40, using: &random))),\(time(70)),"
                        + "\(Int.random(in: 1...900, using: &random)).25,,P\(Int.random(in: 1...30, using: &random)),"
                        + "2026-01-0\(version) 00:00:00")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    func withExports(_ body: (borrowing TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let key = try folder.write([UInt8](repeating: 7, count: 32), to: "trips.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try folder.write(Self.export("E", trips: 900, seed: 1), to: "east.csv")
            try folder.write(Self.export("W", trips: 700, seed: 2), to: "west.csv")
            try body(folder)
        }
    }

    func run(
        _ words: [String], in folder: borrowing TemporaryFolder, stdin: [UInt8] = [],
        environment own: [String: String] = [:]
    ) throws -> CommandResult {
        var environment = Self.environment.merging(own) { $1 }
        environment["TRIPKPI_AUDIT_LOG"] = folder.path(of: "audit.jsonl")
        return try fixture.run(words, stdin: stdin, environment: environment, in: folder.url)
    }

    func tally(_ export: String, as file: String, _ more: [String] = [], in folder: borrowing TemporaryFolder)
        throws
    {
        let result = try run(["scan", export, "--tally", file, "--key-file", "trips.key"] + more, in: folder)
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stdout.isEmpty)
    }

    /// `tally` with what a last line says.
    static func words(of last: Substring) throws -> [String] {
        struct Lists: Decodable {
            var regions: [String]
            var tripTypes: [String]
        }
        let lists = try JSONDecoder().decode(Lists.self, from: Data(last.dropFirst().utf8))
        return [
            "tally", "--regions", "\(lists.regions.count)", "--trip-types", "\(lists.tripTypes.count)",
            "--longest-interval", "86400",
        ]
    }
}

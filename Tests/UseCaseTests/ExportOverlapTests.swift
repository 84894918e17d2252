import ExportBytes
import Foundation
import Intake
import Keys
import Privacy
import Profiles
import Reporting
import Rules
import TestSupport
import Testing
import Trips
import UseCases

/// Trips that several exports of a run have under different ids, and ids that several trips have.
@Suite struct ExportOverlapTests {
    private static let head = "trip_id,unit_notified_at,on_scene_at,completed_at,cost,loaded_miles,updated_at\n"

    /// - Parameter first: figures follow it: two exports with the same have the same trips.
    private static func export(
        _ ids: [String], first: Int = 0, updated: String = "", month: Int = 3, year: Int = 2026
    ) -> String {
        head
            + ids.enumerated().map { index, id in
                let number = first + index, day = "\(year)-0\(month)-\(10 + number % 18)"
                return "\(id),\(day) 08:00:00,\(day) 08:\(10 + number % 40):00,\(day) 09:\(10 + number * 7 % 50):00,"
                    + "\(100 + number * 3).50,\(5 + number % 30).5,\(updated)\n"
            }.joined()
    }

    private static func plan(
        _ exports: [String], profile: Profile? = nil, _ folder: TemporaryFolder
    ) throws -> ScanRequest {
        let paths = try exports.enumerated().map { try folder.write($1, to: "\($0)-\(UUID().uuidString).csv") }
        return ScanRequest(inputs: paths, profile: profile, rules: try ShippedRules.sample(), workers: 2)
    }

    private static func error(
        _ exports: [String], profile: Profile? = nil, _ folder: TemporaryFolder
    ) throws -> ExportError? {
        let plan = try plan(exports, profile: profile, folder)
        let scanned = try failure { _ = try ScanRun(plan).run() }
        // Rows of trips are read another way.
        let rows = try failure {
            var random = SystemRandomNumberGenerator()
            let key = try #require(PseudonymKey(bytes: Array(repeating: 9, count: PseudonymKey.byteCount)))
            _ = try ExportTripRows(plan, profile: .limitedDataSet, months: nil, key: key, random: &random)
        }
        #expect(scanned?.kind == rows?.kind, "\(String(describing: rows))")
        return scanned
    }

    private static func failure(_ body: () throws -> Void) throws -> ExportError? {
        do {
            try body()
            return nil
        } catch let error as ExportError {
            return error
        }
    }

    // MARK: - Under other ids

    @Test func tripsUnderOtherIDsAreRefused() throws {
        try TemporaryFolder.with { folder in
            let padded = Self.export((0..<60).map { "00000\($0)" })
            let plain = Self.export((0..<60).map { "\($0)" })
            let error = try #require(try Self.error([padded, plain], folder))
            #expect(error.problem.hasPrefix("60 of 60 trips that were compared are in another of the exports"))
            // A third export with trips of its own changes nothing, wherever it comes.
            let others = Self.export((200..<300).map { "\($0)" }, first: 200)
            #expect(try Self.error([padded, others, plain], folder)?.problem == error.problem)
            #expect(try Self.error([others, plain, padded], folder)?.problem == error.problem)
            // The smaller export is a part of the larger one.
            let more = Self.export((0..<400).map { "\($0)" })
            #expect(try Self.error([padded, more], folder)?.problem.hasPrefix("60 of 60 trips") == true)
        }
    }

    @Test func tripsUnderTheirOwnIDsAreCounted() throws {
        try TemporaryFolder.with { folder in
            let first = Self.export((0..<60).map { "A\($0)" })
            let seconds = [
                // Corrected: the same ids again.
                Self.export((0..<60).map { "A\($0)" }),
                // Other trips.
                Self.export((0..<60).map { "B\($0)" }, first: 60),
                // A few trips of a neighbour.
                Self.export((40..<100).map { "B\($0)" }, first: 40),
                // Too few to say.
                Self.export((0..<19).map { "B\($0)" }),
            ]
            for second in seconds {
                let error = try Self.error([first, second], folder)
                #expect(error == nil)
            }
        }
    }

    /// Trips with the same figures on one day are not distinguished by them.
    @Test func flatRatesAreNoCopies() throws {
        try TemporaryFolder.with { folder in
            func export(_ name: String) -> String {
                Self.head
                    + (0..<60).map { "\(name)\($0),2026-03-05 08:00,2026-03-05 08:10,2026-03-05 09:00,50,5,\n" }
                    .joined()
            }
            let error = try Self.error([export("A"), export("B")], folder)
            #expect(error == nil)
        }
    }

    /// Two fleets with flat rates, whole miles and scheduled minutes agree by chance, as they do a week later.
    @Test func fleetsAreNoCopies() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0xF1EE7)
            func export(_ name: String) -> String {
                let rows = (1...28).flatMap { day in
                    (0..<30).map { trip -> String in
                        let date = "2026-02-\(day < 10 ? "0" : "")\(day)",
                            miles = Int.random(in: 3...14, using: &random)
                        let clear = ["08:30", "08:45", "09:00"][Int.random(in: 0...2, using: &random)]
                        return "\(name)\(day)-\(trip),\(date) 08:00,,\(date) \(clear),\(85 + 3 * miles),\(miles),\n"
                    }
                }
                return Self.head + rows.joined()
            }
            let error = try Self.error([export("A"), export("B")], folder)
            #expect(error == nil)
        }
    }

    /// Bills have no times, and dispatch has no costs.
    @Test(arguments: ["trip_id,service_date,cost,loaded_miles", "trip_id,unit_notified_at,on_scene_at,completed_at"])
    func twoFiguresAreEnough(head: String) throws {
        try TemporaryFolder.with { folder in
            func export(_ name: (Int) -> String) -> String {
                head + "\n"
                    + (0..<60).map { index in
                        let day = "2026-03-\(10 + index % 18)"
                        return head.contains("cost")
                            ? "\(name(index)),\(day),\(100 + index * 3).50,\(5 + index % 30)\n"
                            : "\(name(index)),\(day) 08:00,\(day) 08:\(10 + index % 40),\(day) 09:\(10 + index * 7 % 50)\n"
                    }.joined()
            }
            let error = try Self.error([export { "T\($0)" }, export { "t00\($0)" }], folder)
            #expect(error?.problem.hasPrefix("60 of 60 trips that were compared") == true)
        }
    }

    // MARK: - Under one id

    /// Ids that begin again each year, in one export or in two, though `updated_at` says which record is newer.
    @Test func idsThatBeginAgainAreRefused() throws {
        try TemporaryFolder.with { folder in
            let ids = (0..<60).map { "\($0)" }
            let last = Self.export(ids, updated: "2025-04-01", year: 2025)
            let this = Self.export(ids, first: 500, updated: "2026-04-01")
            for exports in [[last, this], [this, last], [last + this.dropFirst(Self.head.count)]] {
                let error = try #require(try Self.error(exports, folder))
                #expect(error.kind == .reusedIDs)
                #expect(error.problem.hasPrefix("60 of 60 trips that come again have another day"))
            }
            #expect(try Self.error([last, this], profile: .stated(.versions), folder) == nil)
        }
    }

    /// Two days of one run number are two trips, also if they follow each other.
    @Test func idsOfEachDayAreRefused() throws {
        try TemporaryFolder.with { folder in
            let days = (1...28).map { day -> Substring in
                let date = "2026-02-\(day < 10 ? "0" : "")\(day)"
                let rows = (0..<20).map { run in
                    "\(run),\(date) 08:00,\(date) 08:1\((run + day) % 10),\(date) 09:0\((run * 3 + day) % 10),"
                        + "\(100 + run * day),\(5 + (run + day) % 9),\(date) 23:00\n"
                }
                return rows.joined()[...]
            }
            let error = try Self.error([Self.head + days.joined()], folder)
            #expect(error?.kind == .reusedIDs)
        }
    }

    /// A zone that is corrected moves trips by a day; a trip that was booked runs on another one.
    @Test func movedTripsAreVersions() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,status,service_date,requested_at,unit_notified_at,completed_at,cost,updated_at\n"
            let utc = (0..<40).map {
                "\($0),,,,2026-03-06 01:00:00,2026-03-06 02:00:00,\($0 + 100),2026-04-01\n"
            }
            let local = (0..<40).map {
                "\($0),,,,2026-03-05 20:00:00,2026-03-05 21:00:00,\($0 + 100),2026-04-02\n"
            }
            let booked = (0..<40).map { "\($0),,,2026-01-05 10:00:00,,,,2026-01-05\n" }
            let cancelled = (0..<40).map { "\($0),cancelled,2026-01-15,,,,20,2026-01-05\n" }
            for first in [utc, booked, cancelled] {
                let error = try Self.error([head + first.joined(), head + local.joined()], folder)
                #expect(error == nil)
            }
        }
    }

    /// Corrections move some trips far, but not most.
    @Test func correctedDatesAreVersions() throws {
        try TemporaryFolder.with { folder in
            let first = Self.export((0..<100).map { "\($0)" }, updated: "2026-04-01")
            let near = Self.export((0..<85).map { "\($0)" }, updated: "2026-04-02")
            let far = Self.export((85..<100).map { "\($0)" }, first: 85, updated: "2026-04-02", month: 6)
            let some = try Self.error([first, near + far.dropFirst(Self.head.count)], folder)
            let most = try Self.error([first, far], folder)
            #expect(some == nil && most?.kind == .reusedIDs)
        }
    }

    /// Of many records that are replaced some are compared: the same ones for any number of workers.
    @Test func whatIsComparedDoesNotDependOnTheWorkers() throws {
        try TemporaryFolder.with { folder in
            let ids = (0..<4000).map { "\($0)" }
            let first = Self.export(ids)
            let corrected = Self.export(Array(ids.dropLast(100))).replacing(".50,", with: ".51,")
            let others = Self.export(Array(ids.suffix(100)), first: 3900, month: 9).dropFirst(Self.head.count)
            var plan = try Self.plan([first, corrected + others], folder)
            let problems = try [1, 2, 3, 4, 2, 3].map { workers in
                plan.workers = workers
                return try Self.failure { _ = try ScanRun(plan).run() }?.problem
            }
            #expect(problems[0]?.contains("more than a week apart") == true, "\(problems)")
            #expect(Set(problems).count == 1, "\(problems)")
        }
    }
}

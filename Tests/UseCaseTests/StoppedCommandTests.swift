import Foundation
import Keys
import Operations
import Reporting
import Store
import TestSupport
import Testing
import UseCases

/// A command that was killed is repeated: it ends well and completes what was left.
@Suite struct StoppedCommandTests {
    private static func export(_ days: Range<Int>) -> String {
        let rows = days.map { "T\($0),2024-01-\($0),QN" }
        return "trip_id,service_date,hcpcs_modifiers\n" + rows.map { $0 + "\n" }.joined()
    }

    private func withStore(_ body: (UseCaseFixture, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let fixture = UseCaseFixture(folder, store: "store.sqlite", rules: try ShippedRules.sample())
            for (name, days) in [("a.csv", 10..<20), ("b.csv", 20..<30)] {
                let path = try folder.write(Self.export(days), to: name)
                #expect(try fixture.load([path]).failures.isEmpty)
            }
            try body(fixture, folder)
        }
    }

    @Test func aWithdrawalMayBeRepeated() throws {
        try withStore { fixture, folder in
            let export = try #require(try TripStore(reading: fixture.store).exports().last)
            let prefix = String(export.sha256.prefix(8))
            // What a kill between the removal of the rows and the tallies leaves.
            let key = try PseudonymKeyFile.load(fixture.key)
            let identity = TripStore.Identity(keyFingerprint: key.fingerprint, rulesName: "", rulesVersion: "")
            let stopped = try TripStore(path: fixture.store, identity: identity, isDurable: false)
            var session = try stopped.session(shape: stopped.shape())
            try stopped.withdraw(export.sha256, at: 0, session: &session)
            try stopped.close()
            #expect(try !TripStore(reading: fixture.store).staleMonths().isEmpty)

            let forecast = try NightlyForecast(fixture.site, fixture.figures).load(files: [], withdraw: [prefix])
            #expect(forecast.lines.last == "withdrawn before: \(export.sha256.prefix(12))")
            for _ in 0..<2 {
                #expect(try fixture.load([], withdraw: [prefix]).failure == nil)
            }
            let store = try TripStore(reading: fixture.store)
            #expect(try store.staleMonths().isEmpty && store.totals().trips == 10)
            #expect(throws: StoreError.notLoaded(hash: "0123456789")) {
                try fixture.load([], withdraw: ["0123456789"])
            }
            // Loaded again, it is withdrawn again.
            try fixture.load([folder.path(of: "b.csv"), folder.path(of: "a.csv")])
            #expect(try TripStore(reading: fixture.store).totals().trips == 20)
            try fixture.load([], withdraw: [prefix])
            #expect(try TripStore(reading: fixture.store).totals().trips == 10)
        }
    }

    @Test func theDraftOfAKeyIsRemoved() throws {
        try withStore { fixture, folder in
            try FileManager.default.linkItem(atPath: fixture.key, toPath: fixture.key + ".part-0123456789abcdef")
            try fixture.load([])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("key") } == [
                    "key"
                ])
        }
    }
}

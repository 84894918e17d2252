import Foundation
import Keys
import Operations
import Reporting
import Store
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct CrosswalkLoadTests {
    /// A store with a crosswalk, in folders of their own.
    private struct Site {
        var fixture: UseCaseFixture

        /// - Parameter name: of the store's folder.
        init(_ folder: TemporaryFolder, _ name: String = "store", hasCrosswalk: Bool = true) throws {
            fixture = UseCaseFixture(folder, store: "\(name)/store", rules: try ShippedRules.sample())
            fixture.key = folder.path(of: "\(name)/key")
            fixture.workers = 2
            if hasCrosswalk {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: "keys"), withIntermediateDirectories: true)
                fixture.crosswalk = CrosswalkPaths(
                    file: folder.path(of: "walk/trips.crosswalk"), keyFile: folder.path(of: "keys/walk.key"),
                    store: fixture.store)
            }
        }

        @discardableResult
        func load(_ files: [String]) throws -> NightlyOutcome { try fixture.load(files) }

        func digest() throws -> String { try TripStore(reading: fixture.store).digest() }

        /// The public id of a trip, which is made if there is none.
        func publicID(_ trip: String, leg: String) throws -> PublicTripID {
            let key = try PseudonymKeyFile.load(fixture.key)
            let store = try TripStore(
                path: fixture.store,
                identity: TripStore.Identity(keyFingerprint: key.fingerprint, rulesName: "", rulesVersion: ""),
                isDurable: false)
            let tripKey = Pseudonymizer(key: key, source: try #require(store.exports().first?.source))
                .tripKey(tripID: Array(trip.utf8), legID: Array(leg.utf8))
            #expect(try store.versions(of: tripKey) != nil)
            var system = SystemRandomNumberGenerator()
            return try store.publicIDs(of: [tripKey], random: &system)[0]
        }

        func answers(_ ids: [PublicTripID], log: String, reason: String = "test") throws -> [String] {
            let audit = AuditRecorder(path: log, owner: UseCaseFixture.owner, tool: UseCaseFixture.tool)
            return try Reidentification(fixture.site, audit: audit).answers(ids, reason: reason).map { answer in
                [
                    answer.publicID.description, answer.source, answer.tripID.revealed(for: .reidentifying),
                    answer.legID.revealed(for: .reidentifying), answer.patientID.revealed(for: .reidentifying),
                ].joined(separator: "|")
            }
        }

        var entries: Int { get throws { try CrosswalkService(fixture.site).check() } }
    }

    /// What the audit log says of re-identifications, in its order.
    private struct Line: Decodable {
        var event: String?
        var reason: String?
        var publicIds: [String]?
        var counts: [String: Int]?
    }

    private static func lines(_ log: String) throws -> [Line] {
        let text = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            .filter { $0.event == "reidentify" }
    }

    private static let header = "trip_id,leg_id,service_date,patient_id,patient_name\n"

    private static func export(_ range: Range<Int>, quoted: Bool = false) -> String {
        header
            + range.map { number in
                let trip = quoted ? "\"  CANARY\"\"T\(number) \"" : "CANARYT\(number)"
                return "\(trip),\(number % 3),2026-01-\(number % 20 + 10),CANARYP\(number % 7),Canary Person\n"
            }.joined()
    }

    @Test func aTripIsReidentifiedOnRecordAndAfterARotationToo() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try site.load([
                folder.write(Self.export(0..<5000), to: "a.csv"),
                folder.write(Self.export(0..<9, quoted: true), to: "b.csv"),
            ])
            #expect(try site.entries == 5009)
            let first = try site.publicID("CANARYT4711", leg: "1"), second = try site.publicID("CANARY\"T8", leg: "2")
            let log = folder.path(of: "audit.jsonl")
            let expected = ["\(first)|plain|CANARYT4711|1|CANARYP0", "\(second)|plain|CANARY\"T8|2|CANARYP1"]
            #expect(try site.answers([first, second], log: log, reason: "  why \n") == expected)
            let told = try Self.lines(log)
            #expect(told.map(\.reason) == ["why"] && told.map { $0.counts?["found"] } == [2])
            #expect(told.first?.publicIds == [first.description, second.description])

            #expect(throws: AuditError.self) { try site.answers([first], log: folder.path) }
            for reason in ["", "  ", "a\u{7}b", String(repeating: "x", count: 501)] {
                #expect(throws: ReidentificationError.reason) { try site.answers([first], log: log, reason: reason) }
            }
            let unknown = PublicTripID(high: 1, low: 2)
            #expect(throws: ReidentificationError.unknown([unknown], of: 2)) {
                try site.answers([first, unknown], log: log)
            }
            let tried = try Self.lines(log)
            #expect(tried.count == 2 && tried.last?.counts?["found"] == 1, "trying is on record too")

            _ = try KeyRotation(site.fixture.site).run(site.fixture.environment())
            #expect(try site.answers([first, second], log: log) == expected)
            try site.load([folder.write(Self.export(5000..<5003), to: "c.csv")])
            #expect(try site.entries == 5012)
            #expect(try site.answers([site.publicID("CANARYT5001", leg: "0")], log: log).count == 1)
        }
    }

    @Test func theStoreDoesNotDependOnTheCrosswalkAndHoldsNoIdentifier() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.export(0..<3000), to: "a.csv")
            try folder.write((0..<32).map { UInt8($0) }, to: "on/store/key")
            try folder.write((0..<32).map { UInt8($0) }, to: "off/store/key")
            var digests: [String] = []
            for isOn in [true, false] {
                let site = try Site(folder, isOn ? "on/store" : "off/store", hasCrosswalk: isOn)
                #expect(chmod600(site.fixture.key))
                try site.load([path])
                digests.append(try site.digest())
            }
            #expect(digests[0] == digests[1])
            #expect(try TripStore(reading: folder.path(of: "off/store/store")).crosswalkMark() == nil)
            for part in ["on", "off", "walk", "keys"] {
                let files = FileManager.default.enumerator(atPath: folder.path(of: part))?.allObjects as? [String] ?? []
                #expect(!files.isEmpty)
                for file in files {
                    guard let bytes = FileManager.default.contents(atPath: folder.path(of: "\(part)/\(file)")) else {
                        continue
                    }
                    #expect(bytes.range(of: Data("CANARY".utf8)) == nil, "\(part)/\(file)")
                }
            }
        }
    }

    private func chmod600(_ path: String) -> Bool {
        (try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)) != nil
    }

    /// An export that fails is in neither; one whose identifiers cannot be kept is not in the store.
    @Test func storeAndCrosswalkGoTogether() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            let bad = Self.header + String(repeating: "CANARYX,,,,\n", count: 50)
            let good = try folder.write(Self.export(0..<10), to: "good.csv")
            let outcome = try site.load([
                folder.write(Self.export(20..<4000) + bad.dropFirst(Self.header.count), to: "bad.csv"), good,
            ])
            #expect(outcome.failures.count == 1)
            #expect(try site.entries == 10)

            let more = try folder.write(Self.export(10..<20), to: "more.csv")
            let digest = try site.digest()
            let walk = folder.path(of: "walk/trips.crosswalk")
            let whole = try folder.read("walk/trips.crosswalk")
            func expectRefusal(_ what: String) throws {
                #expect(throws: CrosswalkError.self, "\(what)") { try site.load([more]) }
                #expect(try site.digest() == digest, "\(what)")
            }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: walk))
            try file.truncate(atOffset: UInt64(whole.count - 1))
            try expectRefusal("cut")
            try file.truncate(atOffset: 0)
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(whole.prefix(100) + [whole[100] ^ 1] + whole.dropFirst(101)))
            try expectRefusal("changed")
            try file.truncate(atOffset: 0)
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(whole))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: walk)
            try expectRefusal("open to others")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: walk)
            try FileManager.default.moveItem(atPath: walk, toPath: walk + ".old")
            try expectRefusal("gone")
            try CrosswalkService(site.fixture.site).forget(site.fixture.environment())
            try site.load([more])
            #expect(try site.entries == 10, "another crosswalk, from here on")
        }
    }

    @Test func theLogIsOnlyAddedToAndForItsOwnerAlone() throws {
        try TemporaryFolder.with { folder in
            let site = try Site(folder)
            try site.load([folder.write(Self.export(0..<3), to: "a.csv")])
            let id = try site.publicID("CANARYT0", leg: "0")
            let log = folder.path(of: "log.jsonl")
            var before: [UInt8] = []
            for number in 1...2 {
                #expect(try site.answers([id], log: log).count == 1)
                let bytes = try folder.read("log.jsonl")
                #expect(bytes.starts(with: before) && Data(bytes).range(of: Data("CANARY".utf8)) == nil)
                #expect(try Self.lines(log).count == number)
                before = bytes
            }
            #expect(try AuditLog(path: log).check().findings.isEmpty)
            let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }
}

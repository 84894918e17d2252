import Foundation
import Keys
import Reporting
import Store
import TestSupport
import Testing
import Trips
import UseCases

@Suite struct KeyRotationTests {
    /// Facts but for the patient, whose pseudonym is another one.
    private func facts(_ store: TripStore, _ key: TripKey) throws -> [TripFacts] {
        let versions = try store.versions(of: key)
        return (versions.map { $0.own + $0.parts } ?? []).map { version in
            var facts = version.trip.facts
            facts.patient = facts.patient == 0 ? 0 : 1
            return facts
        }
    }

    private func keys(_ store: TripStore, source: String, key: PseudonymKey) throws -> [TripKey] {
        let pseudonymizer = Pseudonymizer(key: key, source: source)
        return try (0..<200).flatMap { number in
            ["", "1"].map { pseudonymizer.tripKey(tripID: Array("T\(number)".utf8), legID: Array($0.utf8)) }
        }.filter { try store.versions(of: $0) != nil }
    }

    /// Rotated, killed half way or not, a store is what it would be had it always had the new key; figures and public
    /// ids are as they were, and nothing of an old key is left in the file.
    @Test(arguments: [false, true])
    func aRotatedStoreIsOneThatAlwaysHadTheKey(isKilled: Bool) throws {
        let rules = try ShippedRules.sample()
        for seed in UInt64(0)..<UInt64(FuzzPlan.iterations(5)) {
            try TemporaryFolder.with(inMemory: true) { folder in
                var random = SplitMix64(seed: seed)
                let exports = try RandomExports(&random, in: folder)
                var history = try NightlyHistory("history", in: folder, rules: rules)
                try history.load(exports.good)
                let isShown = try history.publish()
                let before = isShown ? try history.files() : [:]
                let keyPath = folder.path(of: "key")
                let old = try PseudonymKeyFile.load(keyPath)
                let (ids, oldKeys) = try giveIDs(history, key: old)
                let oldFacts = try oldKeys.map { try facts(TripStore(reading: history.storePath), $0) }

                if isKilled {
                    _ = try PseudonymKeyFile.rotate(keyPath)
                } else {
                    #expect(try history.rotate().rotations == 1)
                }
                try history.load([])
                let key = try PseudonymKeyFile.load(keyPath)
                let store = try TripStore(reading: history.storePath)
                #expect(try store.keyFingerprint() == key.fingerprint && key.layerCount == 2)
                let newKeys = try ids.map { try #require(try store.tripKey(of: $0)) }
                #expect(try newKeys.map { try facts(store, $0) } == oldFacts)
                #expect(Set(newKeys).isDisjoint(with: oldKeys))
                #expect(try store.health().staleMonths == [])
                if isShown {
                    #expect(try history.publish())
                    #expect(try history.files() == before)
                }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: history.storePath))
                for key in newKeys { #expect(bytes.range(of: Self.bytes(key)) != nil) }
                for key in oldKeys { #expect(bytes.range(of: Self.bytes(key)) == nil) }

                // New exports meet the trips that are there.
                try history.load([exports.visitor].compactMap { $0 })
                let fresh = try NightlyHistory("fresh", in: folder, rules: rules)
                try fresh.load(exports.good + [exports.visitor].compactMap { $0 })
                #expect(try history.digest() == fresh.digest())
            }
        }
    }

    /// As SQLite writes it: in the fewest of 1, 2, 3, 4, 6 and 8 bytes.
    private static func bytes(_ key: TripKey) -> Data {
        let width = [1, 2, 3, 4, 6].first { [0, -1].contains(key.high >> (8 * $0 - 1)) } ?? 8
        return Data((0..<width).map { UInt8(truncatingIfNeeded: key.high >> (8 * (width - 1 - $0))) })
    }

    private func giveIDs(_ history: NightlyHistory, key: PseudonymKey) throws -> ([PublicTripID], [TripKey]) {
        let store = try TripStore(
            path: history.storePath,
            identity: TripStore.Identity(keyFingerprint: key.fingerprint, rulesName: "", rulesVersion: ""),
            isDurable: false)
        let keys = try keys(store, source: store.exports().first?.source ?? "", key: key)
        #expect(keys.count > 5)
        var system = SystemRandomNumberGenerator()
        return (try store.publicIDs(of: keys, random: &system), keys)
    }

    @Test func aStoreFromABackupIsCarriedOverAndAnotherKeysIsNot() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var random = SplitMix64(seed: 99)
            let exports = try RandomExports(&random, in: folder)
            let history = try NightlyHistory("history", in: folder, rules: ShippedRules.sample())
            try history.load(exports.good)
            let backup = try folder.read("history/store")
            #expect(try history.rotate().rotations == 1)
            #expect(try history.rotate().rotations == 2)
            let digest = try history.digest()
            try folder.write(backup, to: "history/store")
            try history.load([])
            #expect(try history.digest() == digest)
            try folder.write(Array(repeating: 9, count: 32), to: "key")
            #expect(throws: StoreError.otherKey(path: history.storePath)) { try history.load([]) }
        }
    }
}

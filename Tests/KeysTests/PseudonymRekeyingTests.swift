import Foundation
import Keys
import TestSupport
import Testing
import Trips

@Suite struct PseudonymRekeyingTests {
    private func key(_ layers: UInt8...) throws -> PseudonymKey {
        try #require(PseudonymKey(bytes: layers.flatMap { Array(repeating: $0, count: PseudonymKey.byteCount) }))
    }

    /// Carrying over what the old key made gives what the new key makes, over one rotation or several.
    @Test func whatIsCarriedOverIsWhatTheRotatedKeyMakes() throws {
        let keys = [try key(1), try key(1, 2), try key(1, 2, 3)]
        let id = Array("T1".utf8)
        let made = keys.map { Pseudonymizer(key: $0, source: "cad") }
        for (from, to) in [(0, 1), (1, 2), (0, 2), (1, 1)] {
            let rekeying = try #require(PseudonymRekeying(from: keys[from], to: keys[to]))
            #expect(
                rekeying.tripKey(made[from].tripKey(tripID: id, legID: [])) == made[to].tripKey(tripID: id, legID: []))
            #expect(rekeying.patient(made[from].patient(id)) == made[to].patient(id))
            #expect(rekeying.patient(0) == 0)
        }
        #expect(Set(made.map { $0.tripKey(tripID: id, legID: []) }).count == 3)
        #expect(Set(made.map { $0.patient(id) }).count == 3)
    }

    @Test func onlyItsOwnPastIsCarriedOver() throws {
        let now = try key(1, 2)
        for other in [try key(2), try key(2, 1), try key(1, 2, 3), try key(1, 3)] {
            #expect(PseudonymRekeying(from: other, to: now) == nil)
            #expect(now.asOf(other.fingerprint) == nil)
        }
        #expect(now.asOf(try key(1).fingerprint)?.layerCount == 1)
        #expect(now.earlier.map(\.fingerprint) == [try key(1).fingerprint])
        let fingerprints = [try key(1), try key(2), now, try key(2, 1), try key(1, 2, 3)].map(\.fingerprint)
        #expect(Set(fingerprints).count == fingerprints.count)
    }

    @Test func aFileIsRotatedInPlaceAndNotForEver() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "trips.key")
            let first = try PseudonymKeyFile.create(path)
            let rotated = try PseudonymKeyFile.rotate(path)
            #expect(rotated.layerCount == 2 && rotated.asOf(first.fingerprint) != nil)
            #expect(try PseudonymKeyFile.load(path).fingerprint == rotated.fingerprint)
            #expect(try folder.read("trips.key").count == 96)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["trips.key"])
            for _ in 2..<PseudonymKey.maximumLayers { _ = try PseudonymKeyFile.rotate(path) }
            let whole = try folder.read("trips.key")
            #expect(throws: PseudonymKeyError.rotatedOut(path: path)) { try PseudonymKeyFile.rotate(path) }
            #expect(try folder.read("trips.key") == whole)
        }
    }

    @Test func aLostKeyIsExplained() {
        let text = PseudonymKeyError.missing(path: "k").description
        for part in ["backup", "nothing can be added", "published stands", "--releases-of", "public ids"] {
            #expect(text.contains(part))
        }
    }
}

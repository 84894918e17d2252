import Foundation
import Keys
import TestSupport
import Testing
import Trips

#if canImport(Glibc)
import Glibc
#endif

@Suite struct CrosswalkTests {
    @Test func whatIsWrittenIsReadOverSeveralRuns() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder)
            let first = CrosswalkFixture.trips(0..<10), second = CrosswalkFixture.trips(5..<12, source: "vetride")
            var mark = try fixture.write(first, mark: nil)
            #expect(try fixture.read(mark: mark) == CrosswalkFixture.lines(first))
            mark = try fixture.write(second, mark: mark)
            #expect(try fixture.read(mark: mark) == CrosswalkFixture.lines(first + second))
            #expect(try fixture.read(mark: nil).count == 17)
            let bytes = try Data(fixture.bytes)
            for canary in ["CANARY", "cad", "vetride"] { #expect(bytes.range(of: Data(canary.utf8)) == nil) }
            for path in [fixture.place.file, fixture.place.keyFile] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            #expect("\(CrosswalkFixture.block(first))" == "‹redacted›")
            #expect("\(CrosswalkFixture.block(first).revealed(for: .sealing))" == "‹redacted›")
        }
    }

    @Test func valuesOfAnyLengthAndBytes() throws {
        var block = IdentifierBlock()
        let values = [0, 1, 127, 128, 129, 16_383, 16_384, 70_000].map { [UInt8](repeating: 0xFF, count: $0) }
        for value in values { block.append(tripID: value, legID: [0], patientID: value) }
        var met: [[UInt8]] = []
        try #require(IdentifierBlock(bytes: block.bytes)).forEach { trip, leg, patient in
            #expect(Array(leg) == [0] && trip == patient)
            met.append(Array(trip))
        }
        #expect(met == values)
        #expect(IdentifierBlock(bytes: block.bytes.dropLast()) == nil)
        #expect(IdentifierBlock(bytes: Array(repeating: 0x80, count: 40)) == nil)
    }

    @Test func anotherKeyIsToldFromTamperingAndALostOneExplained() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder)
            let mark = try fixture.write(CrosswalkFixture.trips(0..<4), mark: nil)
            try FileManager.default.removeItem(atPath: fixture.place.keyFile)
            #expect(fixture.failure(mark: mark) == .keyLost(path: fixture.place.file, keyPath: fixture.place.keyFile))
            // Nor is a new one made for it.
            #expect(throws: CrosswalkError.self) { try fixture.write([], mark: mark) }
            #expect(!FileManager.default.fileExists(atPath: fixture.place.keyFile))
            _ = try PseudonymKeyFile.create(fixture.place.keyFile)
            guard case .wrongKey(_, let keyID, let ownKeyID) = fixture.failure(mark: mark) else {
                Issue.record("another key was not noticed")
                return
            }
            #expect(keyID != ownKeyID && keyID.count == 16)
        }
    }

    /// Whatever byte is changed, nothing is told, and it is called tampering.
    @Test func everyByteCounts() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let fixture = try CrosswalkFixture(folder)
            var mark = try fixture.write(CrosswalkFixture.trips(0..<4), mark: nil)
            mark = try fixture.write(CrosswalkFixture.trips(4..<6), mark: mark)
            let whole = try fixture.bytes
            #expect(mark.byteCount == whole.count)
            for index in whole.indices {
                for change: UInt8 in [0x01, 0x80, 0xFF] {
                    var bytes = whole
                    bytes[index] ^= change
                    try fixture.put(bytes)
                    guard case .tampered = fixture.failure(mark: mark) else {
                        Issue.record("byte \(index): \(String(describing: fixture.failure(mark: mark)))")
                        continue
                    }
                }
            }
        }
    }

    @Test func everyCutIsNoticedByTheStoresMark() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let fixture = try CrosswalkFixture(folder)
            let early = try fixture.write(CrosswalkFixture.trips(0..<4), mark: nil)
            let mark = try fixture.write(CrosswalkFixture.trips(4..<6), mark: early)
            let whole = try fixture.bytes
            for count in 0..<whole.count {
                try fixture.put(whole.prefix(count))
                let expected = CrosswalkError.truncated(
                    path: fixture.place.file, bytes: count, expected: whole.count)
                #expect(fixture.failure(mark: mark) == expected)
                #expect(throws: expected) { try fixture.write([], mark: mark) }
                #expect(try fixture.bytes.count == count, "a cut crosswalk is left as it is")
                // To a store from a backup what is left may be whole.
                if count >= early.byteCount {
                    #expect(
                        try fixture.read(mark: early).prefix(4)
                            == CrosswalkFixture.lines(CrosswalkFixture.trips(0..<4))[...])
                }
            }
            try FileManager.default.removeItem(atPath: fixture.place.file)
            #expect(fixture.failure(mark: mark) == .lost(path: fixture.place.file))
            #expect(fixture.failure(mark: nil) == .missing(path: fixture.place.file))
            #expect(throws: CrosswalkError.lost(path: fixture.place.file)) { try fixture.write([], mark: mark) }
        }
    }

    /// What a kill leaves, at any byte, is cut off by the next run; what was sealed before stays.
    @Test func aTornEndIsCutOff() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let fixture = try CrosswalkFixture(folder)
            let first = CrosswalkFixture.trips(0..<4), second = CrosswalkFixture.trips(4..<9)
            let mark = try fixture.write(first, mark: nil)
            let sealed = try fixture.bytes
            try fixture.write(second, mark: mark)
            let whole = try fixture.bytes
            for count in sealed.count..<whole.count {
                for known in [mark, nil] {
                    try fixture.put(whole.prefix(count))
                    #expect(try fixture.read(mark: known).prefix(4) == CrosswalkFixture.lines(first)[...])
                    let again = try fixture.write(second, mark: known)
                    #expect(try fixture.read(mark: again) == CrosswalkFixture.lines(first + second))
                    #expect(try fixture.bytes.prefix(sealed.count) == sealed[...])
                }
            }
            // A power cut may leave anything there.
            try fixture.put(sealed + Array(repeating: 0, count: 500))
            #expect(try fixture.read(mark: mark) == CrosswalkFixture.lines(first))
            #expect(throws: CrosswalkError.tampered(path: fixture.place.file, byteOffset: sealed.count)) {
                try fixture.read(mark: nil)
            }
            // A header that was never finished.
            try fixture.put(sealed.prefix(40))
            let mended = try fixture.write(first, mark: nil)
            #expect(try fixture.read(mark: mended) == CrosswalkFixture.lines(first))
        }
    }

    @Test func recordsKeepTheirPlaceAndTheirFile() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let fixture = try CrosswalkFixture(folder), other = try CrosswalkFixture(folder, name: "other-")
            let trips = CrosswalkFixture.trips(0..<9)
            let mark = try fixture.write(trips, mark: nil)
            try FileManager.default.copyItem(atPath: fixture.place.keyFile, toPath: other.place.keyFile)
            let otherMark = try other.write(trips, mark: nil)
            let pieces = CrosswalkFixture.pieces(try fixture.bytes), others = CrosswalkFixture.pieces(try other.bytes)
            #expect(pieces.count == 6, "header, session, three batches, seal")
            func isRefused(_ pieces: [[UInt8]], _ what: String) throws {
                try fixture.put(pieces.joined())
                for known in [mark, nil] {
                    switch fixture.failure(mark: known) {
                    case .tampered, .truncated: break
                    case let other: Issue.record("\(what): \(String(describing: other))")
                    }
                }
            }
            for first in 1..<6 {
                for second in first + 1..<6 {
                    var moved = pieces
                    moved.swapAt(first, second)
                    try isRefused(moved, "\(first) and \(second) swapped")
                }
                if first < 5 {
                    var fewer = pieces
                    fewer.remove(at: first)
                    try isRefused(fewer, "\(first) left out")
                }
                if first < 5 {
                    var more = pieces
                    more.insert(pieces[first], at: first)
                    try isRefused(more, "\(first) twice")
                }
                var foreign = pieces
                foreign[first] = others[first]
                try isRefused(foreign, "\(first) of another file")
            }
            try fixture.put(others.joined())
            #expect(fixture.failure(mark: mark) == .otherFile(path: fixture.place.file))
            #expect(try fixture.read(mark: otherMark) == CrosswalkFixture.lines(trips))
        }
    }

    /// After a rollback the same numbers come again, under another key.
    @Test func noNonceIsUsedTwice() throws {
        try TemporaryFolder.with { folder in
            let fixture = try CrosswalkFixture(folder)
            let trips = CrosswalkFixture.trips(0..<6)
            let writer = try CrosswalkWriter(fixture.place)
            try writer.begin(mark: nil)
            var uses: Set<[UInt8]> = [], sessions: Set<[UInt8]> = []
            for _ in 0..<5 {
                try fixture.append(trips, to: writer)
                let pieces = CrosswalkFixture.pieces(try fixture.bytes).dropFirst()
                var salt: [UInt8] = []
                for piece in pieces {
                    if piece[0] == 1 {
                        salt = Array(piece[13..<45])
                        #expect(sessions.insert(salt).inserted)
                    }
                    #expect(uses.insert(salt + piece[5..<13]).inserted)
                }
                writer.rollBack()
                #expect(try fixture.bytes.count == 72)
            }
            try fixture.append(trips, to: writer)
            let mark = try writer.seal()
            #expect(try fixture.read(mark: mark) == CrosswalkFixture.lines(trips))
        }
    }
}

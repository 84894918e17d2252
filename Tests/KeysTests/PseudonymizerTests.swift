import Keys
import Testing
import Trips

@Suite struct PseudonymizerTests {
    private let key = PseudonymKey(bytes: Array(0..<32))

    private func pseudonymizer(_ source: String = "cad") throws -> Pseudonymizer {
        Pseudonymizer(key: try #require(key), source: source)
    }

    @Test func theSameTripHasTheSameKeyInEveryRun() throws {
        let first = try pseudonymizer().tripKey(tripID: Array("T1".utf8), legID: Array("2".utf8))
        let second = try pseudonymizer().tripKey(tripID: Array("T1".utf8), legID: Array("2".utf8))
        #expect(first == second)
    }

    @Test func sourceTripAndLegAllCount() throws {
        let trip = Array("T1".utf8), leg = Array("2".utf8)
        let keys = [
            try pseudonymizer().tripKey(tripID: trip, legID: leg),
            try pseudonymizer("other").tripKey(tripID: trip, legID: leg),
            try pseudonymizer().tripKey(tripID: Array("T12".utf8), legID: []),
            try pseudonymizer().tripKey(tripID: Array("T".utf8), legID: Array("12".utf8)),
            try pseudonymizer().tripKey(tripID: trip, legID: []),
        ]
        #expect(Set(keys).count == keys.count)
    }

    /// The codes are Python's `hmac`.
    @Test func keysAreHMACSHA256OfTheSourceAndTheLengthPrefixedIDs() throws {
        let cad = try pseudonymizer()
        #expect(
            cad.tripKey(tripID: Array("T1".utf8), legID: Array("2".utf8))
                == TripKey(
                    high: Int64(bitPattern: 0xD4E3_D068_B401_6100), low: Int64(bitPattern: 0x95ED_92D0_FC8C_4AFA)))
        #expect(cad.patient(Array("P1".utf8)) == 0x7520_396D_47F3_D6F0)
        let long = cad.tripKey(tripID: Array(repeating: UInt8(ascii: "x"), count: 200), legID: [])
        #expect(long == TripKey(high: 0x344E_C2EE_B9EF_E1AD, low: 0x231D_D39A_6FF9_B2C1))
    }

    /// The code is Python's `hashlib`.
    @Test func contentNumbersAreHashesAfterASecretOfKeyAndSource() throws {
        let number = try pseudonymizer().content(ofHash: 0x0123_4567_89AB_CDEF)
        #expect(number == Int64(bitPattern: 0x1C11_C9DF_2C71_4B90))
        #expect(try pseudonymizer("other").content(ofHash: 0x0123_4567_89AB_CDEF) != number)
        #expect(try pseudonymizer().content(ofHash: 0) != number)
    }

    /// The rotation of a key has the old layer and a new one; the numbers need both.
    @Test func contentNumbersNeedAllLayersOfARotatedKey() throws {
        let rotated = try #require(PseudonymKey(bytes: Array(0..<32) + Array(repeating: 7, count: 32)))
        let number = Pseudonymizer(key: rotated, source: "cad").content(ofHash: 5)
        #expect(try pseudonymizer().content(ofHash: 5) != number)
    }

    /// Both sides of the length from which ids are hashed in pieces. The codes are Python's `hmac`.
    @Test(arguments: [
        (123, 0x3E2E_AEF7_A790_4BB5 as UInt64, 0xFAB3_87C1_5D1E_C5F6 as UInt64),
        (124, 0xFA2D_9D7D_4234_B554, 0x937E_F68C_47E0_2794),
    ])
    func longIDsAreHashedTheSame(count: Int, high: UInt64, low: UInt64) throws {
        let trip = Array(repeating: UInt8(ascii: "x"), count: count)
        let key = try pseudonymizer().tripKey(tripID: trip, legID: [UInt8(ascii: "1")])
        #expect(key == TripKey(high: Int64(bitPattern: high), low: Int64(bitPattern: low)))
    }

    @Test func anotherKeyGivesAnotherPseudonym() throws {
        let other = try #require(PseudonymKey(bytes: Array(repeating: 7, count: 32)))
        let patient = Array("P1".utf8)
        #expect(try pseudonymizer().patient(patient) != Pseudonymizer(key: other, source: "cad").patient(patient))
        #expect(try #require(key).fingerprint != other.fingerprint)
    }

    @Test func theKeyDoesNotPrint() throws {
        let key = try #require(key)
        #expect("\(key)" == "‹redacted›")
        #expect(String(reflecting: key) == "‹redacted›")
        #expect(PseudonymKey(bytes: [1, 2]) == nil)
    }
}

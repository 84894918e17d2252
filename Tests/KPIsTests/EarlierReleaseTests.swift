import Basics
import KPIs
import TestSupport
import Testing
import Trips

/// Tallies of releases that earlier versions recorded: their miles and intervals are of all completed trips together.
@Suite struct EarlierReleaseTests {
    private static let month = Month(year: 2026, month: 4)

    /// A month of one cell as versions 2 and 3 wrote it: 3 in-house trips and 2 contracted ones, one cancelled; costs of
    /// $10 and $5; loaded miles of two trips; two response times of 60 s.
    private static func encoded(version: UInt8) -> [UInt8] {
        var bytes: [UInt8] = [version]
        func unsigned(_ values: Int...) {
            for value in values {
                var rest = UInt64(value)
                while rest >= 0x80 {
                    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                    rest >>= 7
                }
                bytes.append(UInt8(truncatingIfNeeded: rest))
            }
        }
        func signed(_ values: Int...) { for value in values { unsigned((value << 1) ^ (value >> 63)) } }
        signed(Int(month.index))
        unsigned(1, 0)
        signed(6)
        unsigned(0, 6, 1)
        bytes += [0, 0]
        signed(5, 1, 0)
        signed(3, 2, 0)
        signed(1_000, 500, 0)
        signed(1, 1, 0)
        signed(700, 0, 1_500, 700, 2, 2, 0)
        if version > 2 { signed(0) }
        for _ in 0..<5 {
            bytes += Array(repeating: 0xFF, count: 8)
            unsigned(0)
        }
        for interval in TripInterval.allCases {
            if interval == .response {
                signed(2, 3, 120)
                unsigned(60 << 1 | 1, 2 << 1)
            } else {
                signed(0, 5, 0)
            }
        }
        let checksum = TallyChecksum.of(bytes[...])
        return bytes + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
    }

    @Test(arguments: [2, 3] as [UInt8]) func theyAreReadAsOnePopulation(version: UInt8) throws {
        var tally = KPITally(shape: RandomTally.shape)
        try tally.merge(encoded: Self.encoded(version: version), month: Self.month, takesEarlierFormats: true)
        let all = tally.allLeaves, sums = tally.sums(of: all, in: Self.month)
        #expect(sums.trips == 5 && sums.cancelled == 1 && sums.inHouse.trips == 0)
        let completed = tally.completedSums(of: all, in: Self.month, TripPopulation.completed)
        #expect(completed.costCents == 1_500 && completed.costedTrips == 2 && completed.tripsWithLoadedMiles == 2)
        let response = tally.intervalTotals(.response, of: all, in: Self.month, TripPopulation.completed)
        #expect(response == (2, 3, 120))
    }

    @Test func aStoreTalliesItsMonthsAgain() {
        var tally = KPITally(shape: RandomTally.shape)
        #expect(throws: TallyDecodingError(month: Self.month, problem: .version(3))) {
            try tally.merge(encoded: Self.encoded(version: 3), month: Self.month)
        }
    }
}

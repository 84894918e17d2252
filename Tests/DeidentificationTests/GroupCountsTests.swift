import Deidentification
import TestSupport
import Testing
import Trips

@Suite struct GroupCountsTests {
    private typealias Fixture = DeidentifierFixture

    /// Of 0 to 40 like trips the largest multiple of 11 goes through: the first by their ids.
    @Test(arguments: [1, 11])
    func aMultipleOfEachGroupGoesThrough(minimum: Int) throws {
        let deidentifier = Deidentifier(try Fixture.policy(.safeHarbor))
        for count in 0...40 {
            var counts = GroupCounts(minimum: minimum)
            let others = 11
            var rows: [DeidentifiedTrip] = []
            for number in 0..<count + others {
                var trip = try Fixture.trip(UInt64(number))
                if number >= count { trip.sourcing = .inHouse }
                rows.append(try #require(deidentifier.deidentify(trip)))
            }
            rows.forEach { counts.count($0) }
            var quota = counts.quota
            let admitted = rows.filter { quota.admits($0) }
            let own = admitted.filter { $0.sourcing == .contracted }
            #expect(own.count == count - count % minimum)
            #expect(own.map(\.id) == rows.prefix(own.count).map(\.id))
            #expect(admitted.count - own.count == others)
        }
    }
}

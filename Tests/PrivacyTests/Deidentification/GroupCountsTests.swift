import Privacy
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

    /// Each night one trip more, anywhere among the ids: whoever keeps all rows has a multiple of 11 ids too.
    @Test func theRowsOfAllNightsAreAMultiple() throws {
        let deidentifier = Deidentifier(try Fixture.policy(.safeHarbor))
        var random = SplitMix64(seed: 0x42)
        let numbers = (0..<80).map { UInt64($0) }.shuffled(using: &random)
        var shown: Set<UInt64> = []
        for night in 1...numbers.count {
            let rows = try numbers.prefix(night).sorted().map { number in
                (number, try #require(deidentifier.deidentify(Fixture.trip(number))))
            }
            var counts = GroupCounts(minimum: 11)
            for (number, row) in rows { counts.count(row, wasShown: shown.contains(number)) }
            var quota = counts.quota
            let admitted = rows.filter { quota.admits($0.1, wasShown: shown.contains($0.0)) }.map(\.0)
            #expect(admitted.count == night - night % 11)
            shown.formUnion(admitted)
            #expect(shown.count == night - night % 11)
        }
    }
}

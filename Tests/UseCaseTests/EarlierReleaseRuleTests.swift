import Basics
import Foundation
import KPIContract
import KPIs
import Privacy
import Reporting
import Store
import TestSupport
import Testing
import Trips
import UseCases

/// Months that a version before the five populations released: they stay as they are until they are divided again.
@Suite struct EarlierReleaseRuleTests {
    private static let month = Month(year: 2025, month: 3)
    private static let shape = KPITally.Shape(regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400)
    private static let context = KPITally.TableContext(
        regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])

    private static func trip(_ key: Int64, _ sourcing: Sourcing) -> StoredTrip {
        var facts = TripFacts()
        facts.month = month.index
        facts.day = CivilDay.days(year: month.year, month: month.month, day: 10)
        facts.region = 1
        facts.tripType = 1
        facts.costCents = 10_000
        facts.sourcing = sourcing.rawValue
        facts.patient = UInt64(key)
        return StoredTrip(
            key: TripKey(high: key, low: key), exportID: 0, recordOffset: Int(key) * 10,
            version: TripVersion(updatedAt: 1), facts: facts)
    }

    /// 40 in-house and 20 contracted trips, released as one group.
    private static func store(_ folder: borrowing TemporaryFolder) throws -> (store: TripStore, tally: KPITally) {
        let store = try TripStore(
            path: folder.path(of: "store.sqlite"),
            identity: TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0"), isDurable: false)
        try store.adopt(regions: context.regions, tripTypes: context.tripTypes)
        let trips = (1...60).map { trip($0, $0 <= 40 ? .inHouse : .contracted) }
        var tally = KPITally(shape: shape)
        try tally.add(trips.map(\.facts))
        let earlier = """
            {"minimumCell":11,"cancelled":{},"noShow":{},"completed":{"groups":[[{"region":1,"tripType":1}]]},\
            "divisionLimits":[{"leaf":{"region":1,"tripType":1},"parts":3,"isCostDivided":true}]}
            """
        try store.add([
            StoredRelease(
                month: month, releasedAt: 1, rulesVersion: "0", partition: Array(earlier.utf8),
                tally: tally.encoded(month: month), maximumIntervalSeconds: shape.maximumIntervalSeconds)
        ])
        return (store, tally)
    }

    private static func overall(_ register: ReleaseRegister, _ releases: [StoredRelease], _ tally: KPITally) throws
        -> PublishedCell
    {
        let figures = try register.figures(releases, current: tally)
        return try Publishable(
            releasing: figures.months, tally: figures.tally, withholding: [], context: context
        ).overall
    }

    @Test func theyAreShownWithoutSourcingUntilTheyAreDividedAgain() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let (store, tally) = try Self.store(folder)
            let register = ReleaseRegister(store: store, rule: PartitionRule())
            let before = try Self.overall(register, store.releases(), tally)
            #expect(before.trips == 60 && before.complete && before["totalCost"] == .value(600_000))
            #expect(before["inHouse"] == .suppressed && before["inHouseShare"] == .suppressed)

            let again = try register.planAgain(tally, rulesVersion: "0")
            #expect(again.months == [Self.month] && again.joined == 0)
            try store.releaseAgain(again.releases, excluding: [])
            let after = try Self.overall(register, store.releases(), tally)
            #expect(after.trips == 60 && after["inHousePercent"] == .value(67))
            #expect(try store.releaseChanges().isEmpty)
            // There is nothing left to be divided again.
            #expect(try register.planAgain(tally, rulesVersion: "0").releases.isEmpty)
        }
    }

    @Test func aPartitionIsReadAsItWasWritten() throws {
        var tally = KPITally(shape: Self.shape)
        try tally.add((1...60).map { Self.trip($0, $0 <= 40 ? .inHouse : .contracted).facts })
        let partition = PartitionRule().partition(of: Self.month, in: tally)
        let bytes = try ReleaseRegister.encode(partition)
        let read = try JSONDecoder().decode(ReleasePartition.self, from: Data(bytes))
        #expect(read == partition && !read.isOfEarlierRule && read.groups(of: .unclassified) == [])
    }
}

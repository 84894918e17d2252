import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// Hidden cells that are about the same few people: 30 trips of six.
struct RemainingPatientsTests {
    private static let january = Month(year: 2026, month: 1)

    /// Two small regions, with these people, beside large ones.
    private static func table(_ people: [Set<UInt64>], others: Int) -> KPITable {
        var groups = TripGroups()
        groups.regions = NamedList((0..<people.count + others).map { "Region \($0)" })
        for (index, people) in people.enumerated() {
            groups.add(15, month: january, region: UInt8(index + 1)) { $0.people = people }
        }
        for index in 0..<others {
            groups.add(40 + index, month: january, region: UInt8(people.count + index + 1)) { $0.patients = 40 }
        }
        return groups.table()
    }

    private static func shownRegions(_ table: KPITable, _ release: Release) throws -> [UInt8] {
        let published = try DisclosureControl(release: release).publish(table, mode: .suppressed)
        return published.cells.filter {
            $0.trips != nil && $0.scope == CellScope(month: january, region: $0.scope.region)
        }
        .compactMap(\.scope.region)
    }

    @Test("Where two hidden regions are about the same people, a third goes too", arguments: [Release.single, .series])
    func samePeople(release: Release) throws {
        let six = Set<UInt64>(1...6)
        #expect(try Self.shownRegions(Self.table([six, six], others: 3), release) == [4, 5])
    }

    @Test("Where they are about enough people, none does", arguments: [Release.single, .series])
    func otherPeople(release: Release) throws {
        let table = Self.table([Set(1...6), Set(11...16)], others: 3)
        #expect(try Self.shownRegions(table, release) == [3, 4, 5])
    }
}

import Basics
import KPIContract
import KPIs
import Privacy
import Testing
import Trips

/// Counts of events of a release: no hidden count can be computed, whatever is added and subtracted.
@Suite struct EventReleaseTests {
    private static let month = Month(year: 2026, month: 3)

    private static func tally(_ counts: [(region: String, kind: EventKind, isEvacuation: Bool, events: Int)])
        -> EventTally
    {
        var tally = EventTally()
        for count in counts {
            tally.add(
                EventLeaf(month: month, region: count.region, kind: count.kind, isEvacuation: count.isEvacuation),
                events: count.events)
        }
        return tally
    }

    private static func text(_ events: KPISummaryV1.Events) -> [String] {
        events.counts.map { count in
            "\(count.region) \(count.kind) \(count.events) \(count.evacuations.map(String.init) ?? "-")"
        }
    }

    @Test func staffSeeEveryCount() {
        let tally = Self.tally([
            ("North", .flood, true, 1), ("North", .fire, false, 2), ("Unassigned", .fire, false, 1),
        ])
        let events = PublishableEvents(forStaff: tally).contract
        #expect(events.months == ["2026-03"])
        #expect(
            Self.text(events) == [
                "All All 4 1", "All Fire 3 0", "All Flood 1 1", "North All 3 1", "North Fire 2 0", "North Flood 1 1",
                "Unassigned All 1 0", "Unassigned Fire 1 0",
            ])
    }

    @Test func aMonthWithTooFewEventsIsNotShown() {
        let events = PublishableEvents(releasing: Self.tally([("North", .flood, true, 10)]), minimumCell: 11).contract
        #expect(events.months.isEmpty && events.counts.isEmpty)
    }

    @Test func aRegionIsDividedByKindWhereEachKindHasEnough() {
        let tally = Self.tally([
            ("North", .flood, true, 12), ("North", .fire, false, 11), ("South", .flood, false, 20),
            ("South", .fire, true, 3),
        ])
        let events = PublishableEvents(releasing: tally, minimumCell: 11).contract
        #expect(
            Self.text(events) == [
                "All All 46 -", "North All 23 12", "North Fire 11 0", "North Flood 12 12", "South All 23 -",
            ])
    }

    @Test func aMonthThatIsNotDividedByRegionIsDividedByKind() {
        let tally = Self.tally([("North", .flood, true, 12), ("South", .flood, false, 2), ("North", .fire, false, 11)])
        let events = PublishableEvents(releasing: tally, minimumCell: 11).contract
        #expect(Self.text(events) == ["All All 25 -", "All Fire 11 0", "All Flood 14 -"])
    }

    @Test func aSelectionOfRegionsShowsPartsOfTheseRegionsOnly() {
        let tally = Self.tally([("North", .flood, true, 12), ("South", .flood, false, 20)])
        let north = PublishableEvents(releasing: tally, minimumCell: 11, regions: ["North"]).contract
        #expect(Self.text(north) == ["All All 12 12", "All Flood 12 12", "North All 12 12", "North Flood 12 12"])
        let undivided = Self.tally([("North", .flood, true, 12), ("South", .flood, false, 2)])
        #expect(PublishableEvents(releasing: undivided, minimumCell: 11, regions: ["North"]).contract.months.isEmpty)
    }

    /// Every table of three regions, two kinds and two flags with up to five events. A reader who knows the rule knows all
    /// tables with the published counts. No sum over a region, a kind, a flag, or several of them, is one small number in all
    /// of them.
    @Test func noReaderOfTheRuleFindsASmallCount() {
        let minimum = 3
        var alternatives: [[String]: [[Int]]] = [:]
        var table = Array(repeating: 0, count: 12)
        Self.forEachTable(&table, from: 0, left: 5) { table in
            let published = PublishableEvents(releasing: Self.tally(table), minimumCell: minimum).contract
            alternatives[Self.text(published), default: []].append(table)
        }
        #expect(alternatives.count > 10)
        let sums = Self.sums
        for (published, tables) in alternatives {
            for sum in sums {
                let values = Set(tables.map { table in sum.reduce(0) { $0 + table[$1] } })
                guard values.count == 1, let value = values.first else { continue }
                // Bounded tables: with more events than five, a sum has more values still.
                #expect(value == 0 || value >= minimum, "\(published) discloses a count of \(value)")
            }
        }
    }

    private static func forEachTable(_ table: inout [Int], from place: Int, left: Int, _ body: ([Int]) -> Void) {
        guard place < table.count else { return body(table) }
        for count in 0...left {
            table[place] = count
            forEachTable(&table, from: place + 1, left: left - count, body)
        }
        table[place] = 0
    }

    private static let regions = ["North", "South", "Unassigned"]
    private static let kinds: [EventKind] = [.flood, .other]

    private static func tally(_ table: [Int]) -> EventTally {
        tally(
            table.indices.map { place in
                (regions[place / 4], kinds[place / 2 % 2], place % 2 == 1, table[place])
            })
    }

    /// The places of a table that belong to a region or all, a kind or all, a flag or all.
    private static var sums: [[Int]] {
        (0...3).flatMap { region in
            (0...2).flatMap { kind in
                (0...2).map { flag in
                    (0..<12).filter { place in
                        (region == 3 || place / 4 == region) && (kind == 2 || place / 2 % 2 == kind)
                            && (flag == 2 || place % 2 == flag)
                    }
                }
            }
        }
    }
}

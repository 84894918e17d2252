import Basics
import Foundation
import Rules
import TestSupport
import Testing
import Trips

@Suite struct RuleSetDifferenceTests {
    private typealias Decision = RuleSetDifference.Decision

    private static let contracted = Decision(sourcing: .contracted, ruleID: "invoice")
    private static let fleet = Decision(sourcing: .inHouse, ruleID: "fleet")
    private static let none = Decision(sourcing: .unclassified, ruleID: nil)
    private static let march = Month(year: 2026, month: 3)

    private static func difference(
        _ moves: [(Month, Decision, Decision, trips: Int, costCents: Int)]
    ) -> RuleSetDifference {
        var difference = RuleSetDifference()
        for (month, old, new, trips, costCents) in moves {
            difference.add(.init(month: month, old: old, new: new), trips: trips, costCents: costCents)
        }
        return difference
    }

    private static func random(_ random: inout SplitMix64) -> RuleSetDifference {
        let decisions = [contracted, fleet, none]
        return difference(
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (
                    march.advanced(by: Int.random(in: 0...2, using: &random)),
                    decisions[Int.random(in: 0...2, using: &random)], decisions[Int.random(in: 0...2, using: &random)],
                    trips: Int.random(in: 0...30, using: &random),
                    costCents: Int.random(in: -5...500_000, using: &random)
                )
            })
    }

    @Test func mergingHasAnIdentityAndNoOrder() {
        var random = SplitMix64(seed: 7)
        func merged(_ one: RuleSetDifference, _ other: RuleSetDifference) -> RuleSetDifference {
            var sum = one
            sum.merge(other)
            return sum
        }
        for _ in 0..<200 {
            let a = Self.random(&random), b = Self.random(&random), c = Self.random(&random)
            #expect(merged(a, RuleSetDifference()) == a && merged(RuleSetDifference(), a) == a)
            #expect(merged(a, b) == merged(b, a))
            #expect(merged(merged(a, b), c) == merged(a, merged(b, c)))
        }
    }

    @Test func showsTripsSharesAndCostsOldAndNew() {
        let difference = Self.difference([
            (Self.march, Self.contracted, Self.contracted, trips: 60, costCents: 600_000),
            (Self.march, Self.contracted, Self.fleet, trips: 20, costCents: 200_005),
            (Self.march, Self.fleet, Self.fleet, trips: 20, costCents: 100_000),
            (Self.march.advanced(by: 1), Self.none, Self.none, trips: 40, costCents: 0),
        ])
        let report = RuleSetDifferenceReport(difference, minimumCell: 11)
        #expect(
            report.lines == [
                "INTERNAL: small groups are not hidden",
                "trips in all      20 of 140 change class", "  in-house        20 % -> 40 %",
                "  in-house cost   $1000.00 -> $3000.05", "  contracted cost $8000.05 -> $6000.00",
                "2026-03           20 of 100 change class", "  in-house        20 % -> 40 %",
                "  in-house cost   $1000.00 -> $3000.05", "  contracted cost $8000.05 -> $6000.00",
                "other months      no change", "contracted (invoice) -> inHouse (fleet): 20 trips, $2000.05",
            ])
    }

    @Test func noTripsAreNoChange() {
        let report = RuleSetDifferenceReport(RuleSetDifference(), minimumCell: 11)
        #expect(report.lines == ["INTERNAL: small groups are not hidden", "trips in all      0 of 0 change class"])
    }

    @Test func theReportIsJSONToo() throws {
        let difference = Self.difference([(Self.march, Self.none, Self.fleet, trips: 20, costCents: 5)])
        let report = RuleSetDifferenceReport(difference, minimumCell: 11)
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        #expect((json?["total"] as? [String: Any])?["inHousePercentNew"] as? Int == 100)
        #expect((json?["rules"] as? [[String: Any]])?.first?["newRule"] as? String == "fleet")
    }
}

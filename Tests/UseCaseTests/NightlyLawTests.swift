import Foundation
import KPIContract
import Rules
import StrictYAML
import Synchronization
import TestSupport
import Testing

/// Any history that ends with the same exports ends with the same store and the same staff set; a month that was released
/// stays as it was released until a revision.
@Suite struct NightlyLawTests {
    @Test(arguments: 0..<4)
    func anyHistoryEndsAsOneLoadOfEverything(lane: Int) throws {
        let rules = try ShippedRules.sample(), otherRules = try Self.otherRules()
        for round in 0..<FuzzPlan.iterations(40) {
            let seed = UInt64(lane) << 32 | UInt64(round)
            withEvery("seed", in: [seed]) { seed in
                try TemporaryFolder.with(inMemory: true) { folder in
                    try Self.check(seed: seed, in: folder, rules: rules, otherRules: otherRules)
                }
            }
        }
    }

    private static func check(
        seed: UInt64, in folder: TemporaryFolder, rules: RuleSet, otherRules: RuleSet
    ) throws {
        var random = SplitMix64(seed: seed)
        let exports = try RandomExports(&random, in: folder)
        let all = exports.good + exports.bad
        let waived = exports.bad.filter { _ in Bool.random(using: &random) }

        var plain = try NightlyHistory("plain", in: folder, rules: rules)
        try plain.load(all)
        for file in waived { try plain.waive(file) }
        let isShown = try plain.publish()

        var history = try NightlyHistory("history", in: folder, rules: rules)
        let publishes = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            try history.doSomething(
                all + [exports.visitor].compactMap { $0 }, publishes: publishes, otherRules: otherRules, &random)
        }
        try history.settle(all, visitor: exports.visitor, &random)
        for file in waived { try history.waive(file) }
        #expect(try history.publish() == isShown, CaseTrace.current)

        #expect(try history.digest() == plain.digest(), CaseTrace.current)
        guard isShown else { return }
        // Once more the same numbers: nothing new for readers.
        let once = try history.files()
        #expect(try history.publish(), CaseTrace.current)
        expectSame(try history.files(), once)
        #expect(history.published.last?.restatements == restatements(history.published), CaseTrace.current)
        for (place, (before, after)) in zip(history.released, history.released.dropFirst()).enumerated()
        where !history.revisions.contains(place + 1) {
            #expect(changedMonths(before, after) == [], CaseTrace.current)
        }
        if history.published.count > 1 {
            try history.forgetPublished()
            #expect(try history.publish(), CaseTrace.current)
        }
        expectSame(try history.files(), try plain.files())
    }

    /// The same bytes; the first line that differs is told.
    private static func expectSame(_ found: [String: [UInt8]], _ expected: [String: [UInt8]]) {
        for (name, bytes) in expected {
            let lines = [found[name] ?? [], bytes].map { $0.split(separator: 0x0A) }
            let different = zip(lines[0], lines[1]).first { $0 != $1 }.map { [$0, $1] } ?? []
            let shown = different.map { String(decoding: $0, as: UTF8.self) }
            #expect(
                lines[0].count == lines[1].count && shown.isEmpty, "\(CaseTrace.current.rawValue), \(name): \(shown)")
        }
    }

    /// Cells of released months that a later release shows otherwise, but for what waits for a revision.
    private static func changedMonths(_ before: KPISummaryV1, _ after: KPISummaryV1) -> [String] {
        func cells(_ summary: KPISummaryV1) -> [String: KPISummaryV1.Cell] {
            let months = summary.cells.filter { $0.month != "All" }.map { cell in
                var cell = cell
                cell.revisionPending = nil
                return ("\(cell.month), \(cell.region), \(cell.tripType)", cell)
            }
            return Dictionary(months, uniquingKeysWith: { first, _ in first })
        }
        let now = cells(after)
        // Unassigned regions and trip types are listed where any month may have them.
        return cells(before).filter { place, cell in
            let isGone = now[place] == nil && cell.trips ?? 0 == 0
            return now[place] != cell && !isGone
        }.map(\.key).sorted()
    }

    /// What the last of these documents should say of the months that changed on the way to it.
    private static func restatements(_ published: [KPISummaryV1]) -> [KPISummaryV1.Restatement] {
        var restated: [String: KPISummaryV1.Restatement] = [:]
        for (before, after) in zip(published, published.dropFirst()) {
            // A month under way grows.
            let open = Set(before.openMonths + after.openMonths)
            for month in after.openMonths { restated[month] = nil }
            for month in Set((before.cells + after.cells).map(\.month)) where month != "All" && !open.contains(month) {
                let old = before.headline(month), new = after.headline(month)
                if old == nil, new != nil {
                    restated[month] = nil
                } else if let old, old.isRestated(by: new ?? .init()) {
                    restated[month] = KPISummaryV1.Restatement(
                        month: month, restatedAt: after.generatedAt, before: old, after: new ?? .init())
                }
            }
        }
        return restated.values.sorted { $0.month < $1.month }
    }

    /// Others, that ask the same fields.
    private static func otherRules() throws -> RuleSet {
        let file = "data/rules/sample.yaml"
        return try RuleSetFile.read(file: file) { path in
            guard path == file else { return try Repository.bytes(path) }
            return Array(
                try Repository.text(path).replacing("{hcpcs_modifiers: QN}", with: "{hcpcs_modifiers: QX}").utf8)
        }
    }
}

extension KPISummaryV1.HeadlineFigures {
    /// Whether the month came or went, or a figure that both show is another one.
    fileprivate func isRestated(by new: Self) -> Bool {
        if (trips == nil) != (new.trips == nil) { return true }
        let pairs = [
            (trips, new.trips), (inHousePercent, new.inHousePercent), (totalCost?.cents, new.totalCost?.cents),
            (costPerTrip?.cents, new.costPerTrip?.cents), (avgDuration?.tenths, new.avgDuration?.tenths),
            (responseP90, new.responseP90),
        ]
        return pairs.contains { before, after in before != nil && after != nil && before != after }
    }
}

extension KPISummaryV1 {
    fileprivate func headline(_ month: String) -> HeadlineFigures? {
        cells.first { $0.month == month && $0.region == "All" && $0.tripType == "All" }.map { cell in
            HeadlineFigures(
                trips: cell.trips, inHousePercent: cell.inHousePercent, totalCost: cell.totalCost,
                costPerTrip: cell.costPerTrip, avgDuration: cell.duration.mean, responseP90: cell.response.p90)
        }
    }
}

/// Says once that it is over, after so many questions, and from then on.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ questions: Int?) {
        left = Mutex(questions)
    }

    func isOver() -> Bool {
        left.withLock { left in
            guard let count = left else { return false }
            left = max(0, count - 1)
            return count == 0
        }
    }
}

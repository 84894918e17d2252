import Basics
package import KPIContract
package import KPIs
import Trips

/// Counts of events that an audience may see.
///
/// A month's events are divided by region, these by kind, and these by whether they call for an evacuation. A set of events
/// is divided only if each part has none or at least the minimum; if it is not divided by one of the three, the next is
/// tried. What is not divided further are the parts of the month. Published are counts of unions of parts and nothing else,
/// and parts are disjoint: so whatever a reader adds or subtracts is a union of parts, of none or at least the minimum.
/// `docs/events.md` has the proof; for staff the minimum is one event, which divides everything.
package struct PublishableEvents: Sendable {
    package let contract: KPISummaryV1.Events
    package let audience: Audience

    /// From a total of 2 that is not divided into two parts a reader would conclude 1 and 1.
    package static let leastMinimum = 3

    /// Every count, exact, for the health system's own people.
    ///
    /// - Parameter regions: nil: all; else `All` means all of these.
    package init(forStaff tally: EventTally, regions: Set<String>? = nil) {
        self.init(tally, audience: .staff, minimum: 1, regions: regions)
    }

    /// What anybody may see.
    ///
    /// - Parameters:
    ///   - tally: of closed months.
    ///   - minimumCell: fewest events of a part, if it is 3 or more.
    package init(releasing tally: EventTally, minimumCell: Int, regions: Set<String>? = nil) {
        self.init(tally, audience: .release, minimum: max(minimumCell, Self.leastMinimum), regions: regions)
    }

    private init(_ tally: EventTally, audience: Audience, minimum: Int, regions: Set<String>?) {
        self.audience = audience
        var months: [String] = []
        var counts: [KPISummaryV1.EventCount] = []
        for (month, rows) in Dictionary(grouping: tally.rows, by: \.leaf.month).sorted(by: { $0.key < $1.key }) {
            let all = EventSet(rows)
            guard all.events >= minimum else { continue }
            var parts = all.parts(minimum: minimum)
            if let regions {
                // A part of several regions is neither in the selection nor outside of it.
                guard parts.allSatisfy({ $0.region != nil }) else { continue }
                parts.removeAll { !regions.contains($0.region ?? "") }
                if parts.isEmpty { continue }
            }
            months.append(month.description)
            counts += Self.counts(month, parts)
        }
        contract = KPISummaryV1.Events(months: months, counts: counts)
    }

    /// The union of parts for each region and kind, and for All of them, where each part lies inside or outside of it.
    private static func counts(_ month: Month, _ parts: [EventSet]) -> [KPISummaryV1.EventCount] {
        let regions = Set(parts.compactMap(\.region)).sorted(by: RegionOrder.isBefore).map(Optional.some)
        let kinds = Set(parts.compactMap(\.kind)).sorted { $0.index < $1.index }.map(Optional.some)
        return ([nil] + regions).flatMap { region in
            ([nil] + kinds).compactMap { kind in
                var events = 0, evacuations: Int? = 0
                for part in parts {
                    if let region, let own = part.region, own != region { continue }
                    if let kind, let own = part.kind, own != kind { continue }
                    guard region == nil || part.region != nil, kind == nil || part.kind != nil else { return nil }
                    events += part.events
                    evacuations = evacuations.flatMap { sum in part.evacuations.map { sum + $0 } }
                }
                guard events > 0 else { return nil }
                return KPISummaryV1.EventCount(
                    month: month.description, region: region ?? CellKey.all, kind: kind?.rawValue ?? CellKey.all,
                    events: events, evacuations: evacuations)
            }
        }
    }
}

/// By name, with `Unassigned` at the end.
private enum RegionOrder {
    static func isBefore(_ left: String, _ right: String) -> Bool {
        (left == NamedList.unassigned ? 1 : 0, left) < (right == NamedList.unassigned ? 1 : 0, right)
    }
}

/// Events of a month, and what all of them have in common.
private struct EventSet {
    private let rows: [(leaf: EventLeaf, events: Int)]
    /// Nil: not divided by region.
    private(set) var region: String?
    /// Nil: not divided by kind.
    private(set) var kind: EventKind?
    /// Nil: not divided by evacuation.
    private var isEvacuation: Bool?

    init(_ rows: [(leaf: EventLeaf, events: Int)]) { self.rows = rows }

    var events: Int { rows.reduce(0) { $0 + $1.events } }

    var evacuations: Int? { isEvacuation.map { $0 ? events : 0 } }

    private enum Division: CaseIterable { case region, kind, evacuation }

    /// The parts with events: at each step by the first division that leaves none with fewer than the minimum.
    func parts(minimum: Int) -> [EventSet] { parts(minimum: minimum, Division.allCases[...]) }

    private func parts(minimum: Int, _ divisions: ArraySlice<Division>) -> [EventSet] {
        for step in divisions.indices {
            let divided = divided(by: divisions[step])
            guard divided.allSatisfy({ $0.events >= minimum }) else { continue }
            return divided.flatMap { $0.parts(minimum: minimum, divisions[(step + 1)...]) }
        }
        return [self]
    }

    private func divided(by division: Division) -> [EventSet] {
        switch division {
        case .region:
            Dictionary(grouping: rows, by: \.leaf.region).map { region, rows in part(rows) { $0.region = region } }
        case .kind: Dictionary(grouping: rows, by: \.leaf.kind).map { kind, rows in part(rows) { $0.kind = kind } }
        case .evacuation:
            Dictionary(grouping: rows, by: \.leaf.isEvacuation).map { isEvacuation, rows in
                part(rows) { $0.isEvacuation = isEvacuation }
            }
        }
    }

    private func part(_ rows: [(leaf: EventLeaf, events: Int)], _ name: (inout EventSet) -> Void) -> EventSet {
        var part = EventSet(rows)
        part.region = region
        part.kind = kind
        part.isEvacuation = isEvacuation
        name(&part)
        return part
    }
}

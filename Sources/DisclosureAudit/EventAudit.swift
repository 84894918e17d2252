import Basics
package import KPIContract

/// How many events of a month have the same region, kind and evacuation flag.
package struct AuditedEvents: Sendable, Hashable {
    /// `YYYY-MM`.
    package var month: String
    package var region: String
    package var kind: String
    package var isEvacuation: Bool
    package var events: Int

    package init(month: String, region: String, kind: String, isEvacuation: Bool, events: Int) {
        self.month = month
        self.region = region
        self.kind = kind
        self.isEvacuation = isEvacuation
        self.events = events
    }
}

/// Checks the events of a release: each count is computed again from the true ones, by code of its own.
package struct EventAudit: Sendable {
    /// Events that are counted together.
    private struct EventPart {
        var events: [AuditedEvents]
        /// The region, kind and evacuation flag that all of them have; nil where they are not divided by it.
        var common: [String?] = [nil, nil, nil]

        var region: String? { common[0] }
        var kind: String? { common[1] }
        var flag: String? { common[2] }
        var size: Int { events.reduce(0) { $0 + $1.events } }
    }

    private let events: [AuditedEvents]
    private let kinds: [String]
    private let minimum: Int
    private let regions: Set<String>?

    /// - Parameters:
    ///   - events: of the months that may be shown.
    ///   - kinds: all there are, in their order.
    ///   - minimum: of the release; one below 3 counts as 3.
    ///   - regions: what the document's `All` means; nil: all.
    package init(_ events: [AuditedEvents], kinds: [String], minimum: Int, regions: Set<String>? = nil) {
        self.events = events
        self.kinds = kinds
        self.minimum = max(3, minimum)
        self.regions = regions
    }

    /// The events that a document must have.
    var expected: KPISummaryV1.Events {
        let counts = Dictionary(grouping: events, by: \.month).flatMap(counts).sorted { rank($0) < rank($1) }
        return .init(months: Set(counts.map(\.month)).sorted(), counts: counts)
    }

    /// What is wrong with the events of a document, without a figure.
    package func findings(in document: KPISummaryV1.Events) -> [String] {
        document.canonical.differences(from: expected.canonical).map { "events: \($0) is not the one that is expected" }
    }

    private func rank(_ count: KPISummaryV1.EventCount) -> (String, Int, String, Int) {
        let region = count.region == CellKey.all ? 0 : count.region == CellKey.unassigned ? 2 : 1
        return (count.month, region, count.region, (kinds.firstIndex(of: count.kind) ?? -1) + 1)
    }

    private func counts(of month: String, _ events: [AuditedEvents]) -> [KPISummaryV1.EventCount] {
        let all = EventPart(events: events), every = CellKey.all
        guard all.size >= minimum else { return [] }
        var parts = cut(all, from: 0)
        if let regions {
            if parts.contains(where: { $0.region == nil }) { return [] }
            parts = parts.filter { $0.region.map(regions.contains) ?? false }
        }
        return Set(parts.compactMap(\.region)).union([every]).flatMap { region in
            Set(parts.compactMap(\.kind)).union([every]).compactMap { kind in
                let touched = parts.filter { part in
                    [every, part.region ?? region].contains(region) && [every, part.kind ?? kind].contains(kind)
                }
                let isWhole = touched.allSatisfy { part in
                    (region == every || part.region != nil) && (kind == every || part.kind != nil)
                }
                guard isWhole, !touched.isEmpty else { return nil }
                let evacuations = touched.filter { $0.flag == true.description }.reduce(0) { $0 + $1.size }
                return KPISummaryV1.EventCount(
                    month: month, region: region, kind: kind, events: touched.reduce(0) { $0 + $1.size },
                    evacuations: touched.allSatisfy { $0.flag != nil } ? evacuations : nil)
            }
        }
    }

    /// Divides a part where each piece has the minimum of events.
    ///
    /// - Parameter step: 0 is by region, 1 by kind, 2 by evacuation.
    private func cut(_ part: EventPart, from step: Int) -> [EventPart] {
        guard step < part.common.count else { return [part] }
        let names = Dictionary(grouping: part.events) { [$0.region, $0.kind, $0.isEvacuation.description][step] }
        let pieces = names.map { name, events in
            var piece = EventPart(events: events, common: part.common)
            piece.common[step] = name
            return piece
        }
        let isAllowed = pieces.allSatisfy { $0.size >= minimum }
        return (isAllowed ? pieces : [part]).flatMap { cut($0, from: step + 1) }
    }
}

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
    private struct CountKey: Hashable {
        var month: String
        var region: String
        var kind: String
    }

    /// What all events of a part have in common; nil where they differ or the part is not divided by it.
    private struct EventPart {
        var events: [AuditedEvents]
        var region: String?
        var kind: String?
        var flag: Bool?

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

    /// What is wrong with the events of a document, without a figure.
    package func findings(in document: KPISummaryV1.Events) -> [String] {
        var findings: [String] = []
        var expected: [CountKey: (events: Int, evacuations: Int?)] = [:]
        var months: [String] = []
        for (month, own) in Dictionary(grouping: events, by: \.month) {
            let counts = counts(of: own)
            if !counts.isEmpty { months.append(month) }
            for (place, count) in counts { expected[place] = count }
        }
        if document.months != months.sorted() { findings.append("events.months are not the months that have enough") }
        var seen: Set<CountKey> = []
        for count in document.counts {
            let place = CountKey(month: count.month, region: count.region, kind: count.kind)
            let own = expected[place]
            if !seen.insert(place).inserted || own == nil || own?.events != count.events
                || own?.evacuations != count.evacuations
            {
                findings.append(
                    "events: the count of \(count.month), \(count.region), \(count.kind) is not that of its parts")
            }
        }
        if seen.count != expected.count { findings.append("events: a count is missing") }
        let order = document.counts.map(rank)
        if zip(order, order.dropFirst()).contains(where: { $0 >= $1 }) {
            findings.append("events: the counts are not in order")
        }
        return findings
    }

    private func rank(_ count: KPISummaryV1.EventCount) -> (String, Int, String, Int) {
        let region = count.region == CellKey.all ? 0 : count.region == "Unassigned" ? 2 : 1
        return (count.month, region, count.region, (kinds.firstIndex(of: count.kind) ?? -1) + 1)
    }

    private func counts(of month: [AuditedEvents]) -> [CountKey: (events: Int, evacuations: Int?)] {
        guard let name = month.first?.month, month.reduce(0, { $0 + $1.events }) >= minimum else { return [:] }
        var parts = cut(EventPart(events: month), from: 0)
        if let regions {
            if parts.contains(where: { $0.region == nil }) { return [:] }
            parts = parts.filter { $0.region.map(regions.contains) ?? false }
        }
        var counts: [CountKey: (events: Int, evacuations: Int?)] = [:]
        let every = CellKey.all
        for region in Set(parts.compactMap(\.region)).union([every]) {
            for kind in Set(parts.compactMap(\.kind)).union([every]) {
                let touched = parts.filter { part in
                    (region == every || part.region ?? region == region) && (kind == every || part.kind ?? kind == kind)
                }
                let isWhole = touched.allSatisfy { part in
                    (region == every || part.region == region) && (kind == every || part.kind == kind)
                }
                guard isWhole, !touched.isEmpty else { continue }
                let flagged = touched.allSatisfy { $0.flag != nil }
                counts[CountKey(month: name, region: region, kind: kind)] = (
                    touched.reduce(0) { $0 + $1.size },
                    flagged ? touched.filter { $0.flag == true }.reduce(0) { $0 + $1.size } : nil
                )
            }
        }
        return counts
    }

    /// - Parameter step: 0 is by region, 1 by kind, 2 by evacuation.
    private func cut(_ part: EventPart, from step: Int) -> [EventPart] {
        guard step < 3 else { return [part] }
        var pieces: [EventPart] = []
        switch step {
        case 0:
            for region in Set(part.events.map(\.region)) {
                var piece = part
                piece.events = part.events.filter { $0.region == region }
                piece.region = region
                pieces.append(piece)
            }
        case 1:
            for kind in Set(part.events.map(\.kind)) {
                var piece = part
                piece.events = part.events.filter { $0.kind == kind }
                piece.kind = kind
                pieces.append(piece)
            }
        default:
            for flag in Set(part.events.map(\.isEvacuation)) {
                var piece = part
                piece.events = part.events.filter { $0.isEvacuation == flag }
                piece.flag = flag
                pieces.append(piece)
            }
        }
        let isAllowed = !pieces.contains { $0.size < minimum }
        return (isAllowed ? pieces : [part]).flatMap { cut($0, from: step + 1) }
    }
}

extension SummaryAudit {
    func checkEvents(_ document: KPISummaryV1) {
        guard let events = release.events else {
            return require(document.events == nil, "events are there, and none were released")
        }
        guard let own = document.events else { return require(false, "events are missing") }
        let audit = EventAudit(
            events.filter { release.shownMonths.contains($0.month) }, kinds: release.eventKinds,
            minimum: release.minimum,
            regions: release.selection.regions)
        for finding in audit.findings(in: own) { require(false, finding) }
    }
}

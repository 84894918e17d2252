import DisclosureAudit
import KPIContract

/// Events of a made-up release: fires and floods, and in every other month a few in no region.
struct HonestEvents {
    static let kinds = ["Fire", "Flood", "Other"]
    let release: SyntheticRelease

    private var region: String { release.regions[1] }

    /// The true counts. Those without a region are enough together, and too few of each kind.
    var audited: [AuditedEvents] {
        release.months.flatMap { month in
            var events = [
                AuditedEvents(month: month, region: region, kind: "Fire", isEvacuation: false, events: 13),
                AuditedEvents(month: month, region: region, kind: "Flood", isEvacuation: true, events: 12),
            ]
            if isMixed(month) {
                events += [
                    AuditedEvents(month: month, region: "Unassigned", kind: "Flood", isEvacuation: true, events: 9),
                    AuditedEvents(month: month, region: "Unassigned", kind: "Other", isEvacuation: true, events: 8),
                ]
            }
            return events
        }
    }

    private func isMixed(_ month: String) -> Bool { "02468".contains(month.suffix(1)) }

    func published(in months: [String]) -> KPISummaryV1.Events {
        let regions = release.selection.regions
        let hasFirst = regions?.contains(region) ?? true
        let shown = months.filter { hasFirst || isMixed($0) && regions?.contains("Unassigned") ?? true }
        let counts = shown.flatMap { month -> [KPISummaryV1.EventCount] in
            func count(_ region: String, _ kind: String, _ events: Int, _ evacuations: Int?) -> KPISummaryV1.EventCount
            {
                .init(month: month, region: region, kind: kind, events: events, evacuations: evacuations)
            }
            let first = [("All", 25, 12), ("Fire", 13, 0), ("Flood", 12, 12)]
            let hasRest = isMixed(month) && regions?.contains("Unassigned") ?? true
            var counts: [KPISummaryV1.EventCount] = []
            if hasFirst, hasRest {
                counts.append(count("All", "All", 42, 29))
            } else if hasFirst {
                counts += first.map { count("All", $0.0, $0.1, $0.2) }
            } else {
                counts.append(count("All", "All", 17, 17))
            }
            if hasFirst { counts += first.map { count(region, $0.0, $0.1, $0.2) } }
            if hasRest { counts.append(count("Unassigned", "All", 17, 17)) }
            return counts
        }
        return KPISummaryV1.Events(months: shown, counts: counts)
    }
}

import KPIContract

/// Checks the targets of a release: how often each was met is counted again from the document's own cells.
struct TargetAudit {
    /// By measure: the entry of `incompleteMeasures` that leaves trips out of it, the counts of its trips, and units.
    private static let measures:
        [String: (partial: String, counts: [String], unitsPerOne: Double, isMoreBetter: Bool)] = [
            "inHouseShare": ("sourcing", ["inHouse", "contracted"], 10_000, true),
            "costPerTrip": ("cost", ["costedTrips"], 100, false),
            "duration.mean": ("duration", ["duration.used"], 10, false),
            "response.p90": ("response", ["response.used"], 1, false),
        ]

    let document: KPISummaryV1

    var findings: [String] {
        var seen: Set<String> = []
        return (document.targets ?? []).enumerated().compactMap { place, own in
            let name = "\(own.measure) \(own.region) \(own.tripType)"
            guard seen.insert(name).inserted, let expected = expected(own) else {
                return "target \(place + 1) is of no measure, region and trip type of the document, or of one twice"
            }
            return own == expected ? nil : "target \(place + 1) was not met as often as the cells say"
        }
    }

    private func expected(_ own: KPISummaryV1.Target) -> KPISummaryV1.Target? {
        guard let measure = Self.measures[own.measure], document.filters.regions.contains(own.region),
            document.filters.tripTypes.contains(own.tripType)
        else { return nil }
        let target = own.target * measure.unitsPerOne
        guard target.rounded() == target || abs(target.rounded() - target) < 0.001 else { return nil }
        var expected = own
        expected.monthCount = 0
        expected.monthsMet = 0
        expected.gap = nil
        for cell in document.cells where cell.region == own.region && cell.tripType == own.tripType {
            guard let latest = document.headline?.month, cell.month != CellKey.all, cell.month <= latest,
                document.partialMonths?.contains(cell.month) != true,
                cell.complete == true, !(cell.incompleteMeasures ?? []).contains(measure.partial),
                measure.partial != "sourcing" || cell.sourcingBasis != "all",
                measure.counts.reduce(0, { $0 + (cell[$1] ?? 11) }) >= 11, let figure = cell[own.measure]
            else { continue }
            let gap = figure - Int(target.rounded())
            expected.monthCount += 1
            if measure.isMoreBetter ? gap >= 0 : gap <= 0 { expected.monthsMet += 1 }
            if cell.month == latest { expected.gap = Double(gap) / measure.unitsPerOne }
        }
        return expected
    }
}

extension SummaryAudit {
    func checkTargets(_ document: KPISummaryV1) {
        for finding in TargetAudit(document: document).findings { require(false, finding) }
    }
}

import KPIContract

extension TableReport {
    /// The groups of several regions or trip types of a month: their trips are in no cell by themselves.
    func mergedGroups(_ summary: KPISummaryV1, month: String) -> [String] {
        let groups = (summary.groups ?? []).filter { $0.isMerged && $0.month == month }
        guard !groups.isEmpty else { return [] }
        let lines = groups.flatMap { group -> [String] in
            let places = "\(group.regionsText) · \(group.tripTypesText), \(group.population.title)"
            let figures = Self.groupMeasures.compactMap { kpi in
                kpi.figure(group.figures).map { "\(lowercased(kpi.title)) \(kpi.shownFormat.shown($0))" }
            }
            let text = ([NumberText.counted(group.trips, "trip")] + figures).joined(separator: ", ")
            return TextColumn.wrapped("\(places): \(text)", to: Self.width)
        }
        return ["", bold("\(month), groups of several regions or trip types")] + lines
    }

    private static let groupMeasures = ["costPerTrip", "duration.mean", "response.p90"]
        .compactMap(KPICatalog.description(named:))

    private func lowercased(_ title: String) -> String { title.prefix(1).lowercased() + title.dropFirst() }
}

import KPIContract

extension TableReport {
    /// The groups of several regions or trip types of a month, a paragraph each.
    func mergedGroups(_ summary: KPISummaryV1, month: String) -> [String] {
        let lines = summary.mergedGroups(of: month).flatMap { group -> [String] in
            let figures = KPISummaryV1.Group.shownMeasures.compactMap { kpi in
                kpi.shownFigure(group.figures).map { figure in
                    let sign = kpi.isRoundedInRelease ? KPIDescription.roundedSign : ""
                    return
                        "\(kpi.title.prefix(1).lowercased() + kpi.title.dropFirst()) \(sign)\(kpi.shownFormat.shown(figure))"
                }
            }
            let text = ([NumberText.counted(group.trips, "trip")] + figures).joined(separator: ", ")
            return TextColumn.wrapped(
                "\(summary.places(of: group)), \(group.population.title): \(text)", to: Self.width)
        }
        return lines.isEmpty ? [] : ["", bold("\(month), groups of several regions or trip types")] + lines
    }
}

import Basics
import KPIContract

extension TableReport {
    /// At most so many targets line by line.
    static let targetLines = 20

    /// What measures are to reach, the gap of the latest complete month, and in how many months they did.
    func targets(_ summary: KPISummaryV1) -> [String] {
        let all = summary.targets ?? []
        guard !all.isEmpty else { return [] }
        let targets = all.filter { $0.monthCount > 0 }
        let widths = (place: 29, target: 18, gap: 18)
        let heading =
            TextColumn.left("Target", widths.place) + TextColumn.left("", widths.target)
            + TextColumn.left(summary.latestCompleteMonth ?? "Gap", widths.gap) + "Months met"
        let lines = targets.prefix(Self.targetLines).map { target in
            let places = [target.region, target.tripType].filter { $0 != CellKey.all }
            let title = ([target.kpi?.title ?? ""] + places).joined(separator: ", ")
            return TextColumn.left(TextColumn.cut(title, to: widths.place - 1), widths.place)
                + TextColumn.left(target.words, widths.target) + TextColumn.left(target.gapWords ?? "–", widths.gap)
                + (target.monthsMetText ?? "–")
        }
        let rest = targets.count - lines.count
        let without = all.count - targets.count
        return ["", bold(heading)] + lines
            + (rest > 0 ? ["and \(rest) more: `--format json`, `targets`"] : [])
            + (without > 0 ? ["\(NumberText.counted(without, "target")) have no month with complete figures"] : [])
    }
}

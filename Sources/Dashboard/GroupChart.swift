import KPIContract

/// Draws one figure of several regions or trip types.
struct GroupChart {
    private typealias Scale = ChartScale
    /// The longest bar, and the height a bar with its name takes, in tenths.
    private static let longest = 2300
    private static let pitch = 340

    private let plan: GroupChartPlan
    private let nameOfRows: String
    private let names: [String]
    private let kpi: KPIDescription?
    private let figures: [CellFigure]

    /// - Parameter place: of the cell of a name.
    init(
        _ plan: GroupChartPlan, _ names: [String], nameOfRows: String, _ index: CellFigures,
        place: (String) -> CellKey
    ) {
        let kpi = KPICatalog.description(named: plan.measure)
        let groups = names.filter { $0 != CellKey.all }
        self.plan = plan
        self.kpi = kpi
        self.nameOfRows = nameOfRows
        self.names = groups
        figures = groups.map { name in kpi.map { index.figure($0, at: place(name)) } ?? .undefined }
    }

    var model: ChartModel? {
        guard let kpi else { return nil }
        var model = ChartModel(
            id: plan.id, title: plan.title, summary: ChartSummary.groups(names, figures, kpi.format),
            height: Scale.text(Self.pitch * names.count + 40), nameOfRows: nameOfRows, columns: [kpi.title],
            rows: zip(names, figures).map { .init(name: $0, figures: [TableFigure($1, kpi.format)]) })
        let largest = max(1, figures.compactMap(\.value).max() ?? 0)
        for (place, name) in names.enumerated() {
            let y = Self.pitch * place
            let figure = figures[place], isHidden = figure == .suppressed
            model.addLabel("group", x: 10, y: y + 120, name)
            let width = figure.value.map { Scale.ratio(Self.longest, $0, largest) } ?? (isHidden ? 160 : 0)
            if width > 0 {
                let mark = isHidden ? "hidden-bar" : figure.coverage.isIncomplete ? "bar is-part" : "bar"
                model.addBox(mark, x: 10, y: y + 170, width: width, height: 140)
            }
            model.addLabel("group", x: width + 70, y: y + 280, figure.marked(kpi.format))
        }
        return model
    }
}

/// What a chart says, as a sentence.
enum ChartSummary {
    static func months(_ kpi: KPIDescription, months: [String], figures: [CellFigure]) -> String {
        let shown = months.indices.compactMap { month in
            figures[month].value.map { (month: months[month], value: $0, figure: figures[month]) }
        }
        let hidden = figures.count { $0 == .suppressed }
        let rest = hidden == 0 ? "" : "; hidden in \(hidden) \(hidden == 1 ? "month" : "months")"
        guard let last = shown.last, let first = shown.first else { return "\(kpi.title): no month is shown\(rest)." }
        let text = { (value: Int) in kpi.format.shown(value) }
        var sentence = "\(kpi.title): \(text(last.value)) in \(last.month)"
        if let words = last.figure.coverage.words { sentence += " (\(words))" }
        if !shown.allSatisfy({ $0.figure.isComparable(with: last.figure) }) {
            if shown.count > 1 { sentence += "; the months are \(FigureCoverage.notComparable)" }
        } else if shown.count > 1 {
            let highest = shown.reduce(first) { $1.value > $0.value ? $1 : $0 }
            let lowest = shown.reduce(first) { $1.value < $0.value ? $1 : $0 }
            sentence +=
                "; highest \(text(highest.value)) in \(highest.month), lowest \(text(lowest.value)) in \(lowest.month)"
        }
        return sentence + rest + "."
    }

    static func groups(_ names: [String], _ figures: [CellFigure], _ format: FigureFormat) -> String {
        let shown = zip(names, figures).compactMap { name, figure in
            figure.value.map { "\(name) \(format.shown($0))" + (figure.coverage.words.map { " (\($0))" } ?? "") }
        }
        let hidden = zip(names, figures).compactMap { $1 == .suppressed ? $0 : nil }
        let parts = [
            shown.joined(separator: ", "), hidden.isEmpty ? "" : "hidden: " + hidden.joined(separator: ", "),
        ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: "; ")
        return text.isEmpty ? "There is nothing to show." : text + "."
    }
}

import KPIContract

/// What the script must know of the KPIs, from the one catalog: it has no list of its own.
enum CatalogBlock {
    static let text: String = {
        let columns = CanonicalJSON.list(PageModel.measures.map { .text($0) })
        let kpis = CanonicalJSON.object(KPICatalog.all.map { .init($0.name, json($0)) })
        let cards = CanonicalJSON.object(
            CardModel.measures.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) })
        let months = CanonicalJSON.list(MonthChartPlan.all.map(json))
        let groups = CanonicalJSON.list([GroupChartPlan.regions, .tripTypes].map(json))
        let block = CanonicalJSON.object([
            .init("columns", columns), .init("cards", cards), .init("monthCharts", months),
            .init("groupCharts", groups),
            .init("kpis", kpis), .init("words", words),
            .init("sentences", sentences), .init("measures", measures),
        ])
        return DataBlock.text(of: block.document)
    }()

    /// Those of `explanation.js`: what the release says of a cell.
    private static let sentences = CanonicalJSON.object(
        CellSentence.allCases.filter { !saidByPrograms.contains($0) }.map { .init($0.rawValue, .text($0.template)) })

    /// A document has no cell of which these could be said.
    private static let saidByPrograms: Set<CellSentence> = [
        .staff, .withheld, .monthOpen, .monthNotReleased, .monthTooSmall, .everyMonthTooSmall, .nothingReleased,
        .meansLeftOut, .waitUntilClosed, .publish,
    ]

    private static let measures = CanonicalJSON.object(
        PartialMeasure.all.map { measure in
            .init(
                measure.name,
                .object([
                    .init("title", .text(measure.title)), .init("why", .text(measure.why.rawValue)),
                    .init("key", .text(measure.key)), .init("isOfValues", .bool(measure.isOfValues)),
                ]))
        })

    private static let words = CanonicalJSON.object([
        .init("incomplete", .text(FigureCoverage.incomplete)),
        .init("contractedOrUnclassified", .text(FigureCoverage.contractedOrUnclassified)),
        .init("countedTogether", .text(FigureCoverage.countedTogether)),
    ])

    private static func json(_ kpi: KPIDescription) -> CanonicalJSON {
        let absence: (rule: String, names: [String])
        switch kpi.none {
        case .never: absence = ("never", [])
        case .whereSumIsZero(let names): absence = ("whereSumIsZero", names)
        case .whereShown(let names): absence = ("whereShown", names)
        }
        return .object([
            .init("title", .text(kpi.title)), .init("format", .text(kpi.format.rawValue)),
            .init("unitsPerOne", .integer(kpi.format.unitsPerOne)), .init("better", .text(kpi.better.rawValue)),
            .init("none", .text(absence.rule)), .init("noneOf", .list(absence.names.map { .text($0) })),
            .init("incompleteWith", .list(kpi.measures.map { .text($0) })),
            .init("countsContracted", .bool(kpi.countsContracted)),
            .init("isOfOtherTrips", .bool(kpi.isOfOtherTrips)),
        ])
    }

    private static func json(_ plan: MonthChartPlan) -> CanonicalJSON {
        .object([
            .init("id", .text(plan.id)), .init("title", .text(plan.title)), .init("isBars", .bool(plan.isBars)),
            .init("measures", .list(plan.measures.map { .text($0) })), .init("top", .integer(plan.top)),
        ])
    }

    private static func json(_ plan: GroupChartPlan) -> CanonicalJSON {
        .object([
            .init("id", .text(plan.id)), .init("title", .text(plan.title)), .init("measure", .text(plan.measure)),
        ])
    }
}

import Basics
import KPIContract

/// What the script must know of the KPIs, from the one catalogue: it has no list of its own.
enum CatalogBlock {
    static let text: String = {
        let block: CanonicalJSON = [
            "columns": KPICatalog.onScreen.map(\.name), "keyFigures": KeyFigure.measures.map(\.name),
            "fewestTrips": MinimumCell.standard,
            "fewestPooledMonths": KeyFigure.fewestPooledMonths, "mostDays": TrustModel.mostDays,
            "kpis": object(KPICatalog.all) { ($0.name, json($0)) }, "words": words,
            "populations": object(GroupRow.Population.allCases) { ($0.rawValue, $0.title) },
            "groupColumns": KPISummaryV1.Group.shownMeasures.map(\.name),
            "sentences": object(CellSentence.allCases.filter(\.isOfDocument)) { ($0.name, $0.rawValue) },
            "measures": object(PartialMeasure.all) { ($0.name, json($0)) },
        ]
        return DataBlock.text(of: block.document)
    }()

    private static func object<Element>(
        _ elements: [Element], _ member: (Element) -> (String, any CanonicalValue)
    ) -> CanonicalJSON {
        .object(elements.map(member).map { .init($0.0, $0.1.canonical) })
    }

    private static let words: CanonicalJSON = [
        "incomplete": FigureCoverage.incomplete, "rounded": KPIDescription.roundedSign,
        "usual": ControlVerdict.usual.words,
    ]

    private static func json(_ measure: PartialMeasure) -> CanonicalJSON {
        [
            "title": measure.title, "why": measure.why.name, "keys": measure.measures.map(\.name),
            "isOfValues": measure.isOfValues,
            "isOfCompleted": measure.isOfCompleted,
        ]
    }

    private static func json(_ kpi: KPIDescription) -> CanonicalJSON {
        let absence: (rule: String, measures: [Measure])
        switch kpi.none {
        case .never: absence = ("never", [])
        case .whereSumIsZero(let measures): absence = ("whereSumIsZero", measures)
        case .whereShown(let measures): absence = ("whereShown", measures)
        }
        let quotient = kpi.quotient
        var pooling: (rule: String, count: Measure?, scale: Int) = ("none", nil, 1)
        switch kpi.pooling {
        case .month: pooling.rule = "month"
        case .quotient(_, _, let scale): pooling = ("quotient", nil, scale)
        case .mean(let count): pooling = ("mean", count, 1)
        case .none: break
        }
        return [
            "title": kpi.title, "format": kpi.shownFormat.rawValue, "unitsPerOne": kpi.shownFormat.unitsPerOne,
            "part": quotient?.part.name, "whole": (quotient?.whole ?? []).map(\.name),
            "valuesOf": kpi.valuesOf.map(\.name), "pooling": pooling.rule, "pooledCount": pooling.count?.name,
            "pooledScale": pooling.scale,
            "better": kpi.better.rawValue, "none": absence.rule, "noneOf": absence.measures.map(\.name),
            "incompleteWith": kpi.partialMeasures, "isRounded": kpi.isRoundedInRelease,
        ]
    }
}

import Basics
import KPIContract

/// All that the template is filled with. Texts are escaped by Mustache; only what ends in `Block`, `style` and `script`
/// is written unchanged: it is part of the program, or was escaped before.
///
/// No text of the document may be in an attribute: Mustache escapes whole characters, and a quotation mark with an
/// accent on it is one character to Swift, and two to a browser.
struct PageModel {
    struct Fact {
        var name: String
        var text: String
    }

    /// A line that opens to its explanation.
    struct Notice {
        var title: String
        var text: String
    }

    struct Definition {
        var title: String
        var text: String
        var unit: String?
        var better: String?
    }

    struct Row {
        /// Names of the row; the first is its header.
        var name: String
        var second: String?
        var isSum = false
        /// `under way`, `lacks days`, or nil: the month is compared.
        var remark: String?
        var figures: [TableFigure]
    }

    let title: String
    let heading: String
    /// What the figures are of, while nothing is chosen.
    let everything: String
    let stamp: String?
    let period: String
    /// Whether `trips.html` is beside the page.
    let hasTripsPage: Bool
    let dataThrough: String
    let generatedAt: String
    let notices: [Notice]
    let hasData: Bool
    let hasHidden: Bool
    /// What the marks after figures mean; empty where there are none.
    let legends: [String]
    /// Paragraphs: why the figures over everything are incomplete.
    let explanation: [String]
    let isExplained: Bool
    /// What to know first; empty for a document from before there were such sentences.
    let sentences: [String]
    let hasSentences: Bool
    /// Facts on how far the figures can be trusted.
    let trust: [TrustModel.Fact]
    let trustLine: String
    /// The month of the key figures; nil without one.
    let keyMonth: String?
    let keyMonthTitle: String
    let keySelection: String
    let keyFigures: [KeyFigure]
    let months: [String]
    let regions: [String]
    let tripTypes: [String]
    let columns: [String]
    let groupRows: [Row]
    /// Titles of the figures of groups of several regions or trip types, and these groups of the month of the key figures.
    let groupColumns: [String]
    let mergedGroups: [GroupRow]
    /// Whether a month has such groups.
    let hasMergedGroups: Bool
    let monthRows: [Row]
    let comparisons: [ComparisonRow]
    let targets: [TargetRow]
    let hasTargets: Bool
    let events: [EventRow]
    let hasEvents: Bool
    let eventsLegend: String
    let hasRestatements: Bool
    let restatements: [RestatementRow]
    let quality: QualityModel
    let privacyStatement: String
    let minimumCell: Int
    let facts: [Fact]
    let definitions: [Definition]
    let contentSecurityPolicy: String
    let style: String
    let script: String
    let summaryBlock: String
    let catalogBlock: String

    init(_ summary: KPISummaryV1, summaryBlock: String, hasTripsPage: Bool, assets: PageAssets) {
        self.hasTripsPage = hasTripsPage
        let index = CellFigures(summary)
        let kpis = summary.withValues(KPICatalog.onScreen)
        stamp = summary.isInternal ? KPISummaryV1.internalStamp : nil
        let selection = summary.selection?.joined(separator: "; ")
        heading = "Ambulance trip KPIs" + (selection.map { ": \($0)" } ?? "")
        title = (summary.isInternal ? "\(KPISummaryV1.internalStamp): " : "") + heading
        everything = "All months, all regions, all trip types" + (selection.map { " (\($0))" } ?? "")
        period = Self.period(index.monthsWithCells)
        dataThrough = summary.dataThrough ?? "no trip yet"
        generatedAt = summary.generatedAt
        let trustModel = TrustModel(summary)
        trust = trustModel.facts
        trustLine = trustModel.line
        notices = (trustModel.oldNotice.map { [$0] } ?? []) + Self.notices(summary)
        sentences = summary.headline?.sentences ?? []
        hasSentences = !sentences.isEmpty
        hasData = !index.months.isEmpty
        hasHidden = summary.privacy.suppressedCells > 0
        legends = summary.coverageLegends
        explanation = CellExplanation(of: CellKey(), in: summary, namesMeans: false).paragraphs
        isExplained = !explanation.isEmpty
        keyMonth = summary.latestCompleteMonth
        keyMonthTitle = keyMonth ?? "No month"
        keySelection =
            (keyMonth ?? "All months") + ", all regions, all trip types" + (selection.map { " (\($0))" } ?? "")
        keyFigures = summary.withValues(KeyFigure.measures).map {
            KeyFigure(
                $0, index, month: summary.latestCompleteMonth.flatMap { Month($0) }, isRelease: !summary.isInternal,
                summary.controlCharts ?? [])
        }
        months = summary.filters.months
        regions = summary.filters.regions
        tripTypes = summary.filters.tripTypes
        columns = kpis.map(\.title)
        groupRows = summary.filters.regions.flatMap { region in
            summary.filters.tripTypes.map { type in
                Row(
                    name: region, second: type, isSum: type == CellKey.all,
                    figures: Self.figures(
                        kpis, index, .init(region: region, tripType: type), isRelease: !summary.isInternal))
            }
        }
        let merged = (summary.groups ?? []).filter(\.isMerged)
        groupColumns = KPISummaryV1.Group.shownMeasures.map(\.title)
        mergedGroups = merged.filter { $0.month == summary.latestCompleteMonth }.map(GroupRow.init)
        hasMergedGroups = !merged.isEmpty
        monthRows = index.months.map { month in
            Row(
                name: month, remark: summary.remark(onMonth: month),
                figures: Self.figures(kpis, index, .init(month: month), isRelease: !summary.isInternal))
        }
        comparisons = summary.comparisons
            .filter { $0.region == CellKey.all && $0.tripType == CellKey.all }.map {
                ComparisonRow($0, index, hasCosts: summary.hasCosts, remark: summary.remark(onMonth: $0.month))
            }
        restatements = (summary.restatements ?? []).map(RestatementRow.init)
        hasRestatements = !restatements.isEmpty
        targets = (summary.targets ?? []).map(TargetRow.init)
        hasTargets = !targets.isEmpty
        events = (summary.events?.counts ?? []).map(EventRow.init)
        hasEvents = !events.isEmpty
        eventsLegend =
            summary.isInternal
            ? "A month, region or kind that is not listed has no events."
            : "A month, region or kind that is not listed has no events, or too few to show."
        quality = QualityModel(
            summary.quality, summary.qualityShares, isPart: summary.selection?.isEmpty == false)
        privacyStatement = summary.privacy.statement
        minimumCell = summary.privacy.minimumCell
        facts = Self.facts(summary)
        definitions = kpis.map(Definition.init)
        contentSecurityPolicy = assets.contentSecurityPolicy
        style = assets.style
        script = assets.script
        self.summaryBlock = summaryBlock
        catalogBlock = CatalogBlock.text
    }

    private static func figures(
        _ kpis: [KPIDescription], _ index: CellFigures, _ place: CellKey, isRelease: Bool
    ) -> [TableFigure] {
        kpis.map { kpi in
            TableFigure(
                index.figure(kpi, at: place), kpi.shownFormat, isRounded: isRelease && kpi.isRoundedInRelease)
        }
    }

    private static func period(_ months: [String]) -> String {
        guard let first = months.first, let last = months.last else { return "no months" }
        return first == last ? first : "\(first) to \(last)"
    }

    /// What a reader must know of the months and the data.
    private static func notices(_ summary: KPISummaryV1) -> [Notice] {
        var notices: [Notice] = []
        let withCells = Set(summary.cells.map(\.month))
        func add(_ title: String, _ months: [String], _ text: String) {
            guard !months.isEmpty else { return }
            notices.append(Notice(title: "\(title): \(months.joined(separator: ", "))", text: text))
        }
        add(
            "Withheld", summary.monthsNotReleased,
            "Too few trips to publish a count, or the month is not over. These trips are in no figure."
        )
        add(
            "Hidden", summary.monthsHidden,
            "Too few trips, or trips that are shown only together with others. They are not in the totals here.")
        add(
            "Lacks days", (summary.partialMonths ?? []).filter(withCells.contains),
            "Days at the beginning or the end have no trips. Such a month is not compared.")
        add(
            "Restated", (summary.restatements ?? []).map(\.month),
            "Figures differ from those published before; see Restated months.")
        add(
            "Revision pending", summary.monthsWithRevisionPending,
            "Corrections arrived later. The figures stay as they are until the next revision.")
        if let failed = summary.quality.exports?.failed, failed > 0 {
            notices.append(
                Notice(
                    title: "Incomplete: \(NumberText.counted(failed, "export")) could not be loaded",
                    text: "Their trips are in no figure."))
        }
        return notices
    }

    private static func facts(_ summary: KPISummaryV1) -> [Fact] {
        let audit = summary.privacy.auditPassed.map { $0 ? "passed" : "FAILED" } ?? "not made"
        return [
            Fact(name: "Month of a trip", text: "the first time it has, of: \(summary.monthEvent)"),
            Fact(name: "Dates", text: summary.dateBasis),
            Fact(name: "Rules", text: "\(summary.rules.name), version \(summary.rules.version.prefix(12))"),
            Fact(name: "Run", text: summary.runId),
            Fact(name: "Contract version", text: summary.contractVersion),
            Fact(name: "Smallest count shown", text: "\(summary.privacy.minimumCell); 0 is shown"),
            Fact(name: "Hidden cells", text: NumberText.grouped(summary.privacy.suppressedCells)),
            Fact(name: "Disclosure audit", text: audit),
        ]
    }
}

extension PageModel.Definition {
    init(_ kpi: KPIDescription) {
        title = kpi.title
        text = kpi.definition
        switch kpi.format {
        case .count: unit = nil
        case .percent, .share, .tenthsOfPercent: unit = "Percent"
        case .dollars: unit = "Dollars"
        case .miles: unit = "Statute miles"
        case .seconds, .tenthsOfSeconds: unit = "Written as minutes:seconds, or hours:minutes:seconds"
        }
        switch kpi.better {
        case .higher: better = "Higher is better"
        case .lower: better = "Lower is better"
        case .neither: better = nil
        }
    }
}

import Basics

/// Three sentences on the latest complete month: what changed, where, and since when.
///
/// They name only figures of the contract's cells and signals of its control charts, so they show nothing that the document
/// does not show.
struct HeadlineSentences {
    /// In the order in which sentences name them.
    private static let measures = KPICatalog.measures([
        .trips, .inHouseShare, .costPerTrip, .responseP90, .durationMean,
    ])
    /// More regions are not named one by one.
    private static let mostRegions = 3

    private let month: Month
    private let cells: [CellKey: KPISummaryV1.Cell]
    private let charts: [KPISummaryV1.ControlChart]
    private let regions: [String]
    private let isRelease: Bool

    /// - Parameters:
    ///   - cells: of the contract.
    ///   - month: of `latestMonth`.
    ///   - isRelease: percentiles are then rounded.
    static func of(
        _ cells: [KPISummaryV1.Cell], _ charts: [KPISummaryV1.ControlChart], month: Month?, regions: [String],
        isRelease: Bool
    ) -> KPISummaryV1.Headline {
        guard let month else { return .init(month: nil, sentences: []) }
        let headline = HeadlineSentences(
            month: month,
            cells: Dictionary(cells.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }), charts: charts,
            regions: regions, isRelease: isRelease)
        return .init(
            month: month.description,
            sentences: [headline.whatChanged, headline.where, headline.sinceWhen].filter { !$0.isEmpty })
    }

    /// The last month that is over and whose total is shown.
    ///
    /// - Parameter lastClosed: later months are under way; nil: none is over.
    static func latestMonth(_ cells: [KPISummaryV1.Cell], lastClosed: Month?) -> Month? {
        guard let lastClosed else { return nil }
        let totals = cells.filter { $0.region == CellKey.all && $0.tripType == CellKey.all && !$0.suppressed }
        return totals.compactMap { Month($0.month) }.filter { $0 <= lastClosed }.max()
    }

    // MARK: What changed

    /// The trips, what is unusual, what is not, and what is not shown.
    private var whatChanged: String {
        let trips = Self.measures.prefix(1).compactMap(change).first ?? "the number of trips is hidden"
        var unusual: [String] = [], usual: [String] = []
        for kpi in Self.measures.dropFirst() {
            guard let text = change(kpi) else { continue }
            if verdict(kpi) == .usual { usual.append(lowercased(kpi.title)) } else { unusual.append(text) }
        }
        var parts = [trips] + unusual
        if !usual.isEmpty { parts.append("\(CellSentence.list(usual)) \(ControlVerdict.usual.words)") }
        let hidden = Self.measures.dropFirst().filter(isHidden).map { lowercased($0.title) }
        if !hidden.isEmpty { parts.append("\(CellSentence.list(hidden)) not shown") }
        return "\(month): \(parts.joined(separator: "; "))."
    }

    private func verdict(_ kpi: KPIDescription, region: String = CellKey.all) -> ControlVerdict? {
        charts.chart(of: kpi.measure, region: region)?.verdict(of: month.description)
    }

    /// Whether the month has the figure, and does not show it.
    private func isHidden(_ kpi: KPIDescription) -> Bool {
        cells[CellKey(month: month.description)].map { kpi.shownFigure($0) == nil && !kpi.isNone($0) } ?? false
    }

    /// `412 trips, down from 451 (worse than usual)`; nil where the figure is not shown.
    private func change(_ kpi: KPIDescription) -> String? {
        guard let cell = cells[CellKey(month: month.description)], let now = kpi.shownFigure(cell) else { return nil }
        let coverage = kpi.coverage(cell)
        var text = (coverage.isIncomplete ? "\(FigureCoverage.incomplete) " : "") + name(kpi, now)
        let earlier = cells[CellKey(month: month.advanced(by: -1).description)]
        if let earlier, let before = kpi.shownFigure(earlier), coverage.isComparable(with: kpi.coverage(earlier)) {
            let isSame = shown(kpi, now) == shown(kpi, before)
            text +=
                isSame
                ? ", level with the month before" : ", \(now > before ? "up" : "down") from \(shown(kpi, before))"
        }
        if let verdict = verdict(kpi) { text += " (\(verdict.words))" }
        return text
    }

    private func name(_ kpi: KPIDescription, _ figure: Int) -> String {
        let text = shown(kpi, figure)
        return kpi.measure == .trips ? "\(text) \(figure == 1 ? "trip" : "trips")" : "\(lowercased(kpi.title)) \(text)"
    }

    private func lowercased(_ title: String) -> String { title.prefix(1).lowercased() + title.dropFirst() }

    private func shown(_ kpi: KPIDescription, _ figure: Int) -> String {
        kpi.spacious(figure, isRounded: isRelease && kpi.isRoundedInRelease)
    }

    // MARK: Where

    /// Regions whose figure is shown are compared, and the others are named: the slowest may be one of them.
    private var `where`: String {
        let kpi = Measure.responseP90.kpi
        var known: [(name: String, value: Int)] = [], hidden: [String] = [], few: [String] = []
        for region in regions where region != CellKey.unassigned {
            guard let cell = cells[CellKey(month: month.description, region: region)], !kpi.isNone(cell) else {
                continue
            }
            guard let figure = kpi.shownFigure(cell) else {
                hidden.append(region)
                continue
            }
            if cell[.responseUsed] ?? MinimumCell.standard >= MinimumCell.standard {
                known.append((region, figure))
            } else {
                few.append(region)
            }
        }
        let scope = hidden.isEmpty && few.isEmpty ? "" : hidden.isEmpty ? "compared" : "shown"
        var sentences = [comparison(kpi, known, scope: scope)].compactMap(\.self)
        if sentences.isEmpty, few.isEmpty, !hidden.isEmpty {
            sentences = ["No region's \(lowercased(kpi.title)) is shown in \(month)."]
        } else if !hidden.isEmpty {
            sentences.append("\(sentences.isEmpty ? "\(kpi.title) not" : "Not") shown: \(CellSentence.list(hidden)).")
        }
        if !few.isEmpty, known.count + few.count > 1 {
            sentences.append("Too few trips to compare \(lowercased(kpi.title)): \(CellSentence.list(few)).")
        }
        let unusual = unusualRegions
        if !unusual.isEmpty { sentences.append("Unusual by region: \(unusual.joined(separator: "; ")).") }
        return sentences.joined(separator: " ")
    }

    /// Nil without a region.
    ///
    /// - Parameter scope: `shown` or `compared`, where some regions are not.
    private func comparison(
        _ kpi: KPIDescription, _ known: [(name: String, value: Int)], scope: String
    ) -> String? {
        guard let longest = known.map(\.value).max(), let shortest = known.map(\.value).min() else { return nil }
        func names(_ value: Int) -> String { CellSentence.list(known.filter { $0.value == value }.map(\.name)) }
        guard longest > shortest else {
            let all = scope.isEmpty ? "each region" : "each region \(scope)"
            return "\(kpi.title) is \(shown(kpi, longest)) in \(known.count == 1 ? known[0].name : all)."
        }
        let part = scope.isEmpty ? "" : ", of the regions \(scope),"
        return
            "\(kpi.title)\(part) is longest in \(names(longest)) (\(shown(kpi, longest))) and shortest in "
            + "\(names(shortest)) (\(shown(kpi, shortest)))."
    }

    /// `North response p90 worse than usual`: of the first regions that have a signal in the month.
    private var unusualRegions: [String] {
        let signals = regions.flatMap { region in
            Self.measures.compactMap { kpi -> String? in
                guard let verdict = verdict(kpi, region: region), verdict != .usual else { return nil }
                return "\(region), \(lowercased(kpi.title)) \(verdict.words)"
            }
        }
        return signals.prefix(Self.mostRegions) + (signals.count > Self.mostRegions ? ["and others"] : [])
    }

    // MARK: Since when

    /// Of measures whose control chart has the month. The others are named: nothing is claimed of them.
    private var sinceWhen: String {
        let charted = Self.measures.compactMap { kpi in charts.chart(of: kpi.measure).map { (kpi: kpi, chart: $0) } }
        guard !charted.isEmpty else {
            return "Fewer than 12 months shown are comparable, so no month can be called unusual."
        }
        let known = charted.filter { $0.chart.verdict(of: month.description) != nil }
        let cell = cells[CellKey(month: month.description)]
        /// What the month has a figure of, and nothing is said of.
        func unassessed(_ why: String, _ measures: [KPIDescription]) -> String? {
            let titles = measures.filter { kpi in
                !known.contains { $0.kpi.measure == kpi.measure } && cell.map { !kpi.isNone($0) } ?? false
            }.map { lowercased($0.title) }
            return titles.isEmpty ? nil : "Not assessed, since \(why): \(CellSentence.list(titles))."
        }
        let uncharted = Self.measures.filter { charts.chart(of: $0.measure) == nil }
        return [
            known.isEmpty ? nil : course(of: known),
            unassessed("\(month) cannot be compared", charted.map(\.kpi)),
            unassessed("fewer than 12 months are comparable", uncharted),
        ].compactMap(\.self).joined(separator: " ")
    }

    private func course(of known: [(kpi: KPIDescription, chart: KPISummaryV1.ControlChart)]) -> String {
        let assessed = CellSentence.list(known.map { lowercased($0.kpi.title) })
        // Of a month that is left out nothing is known, also whether it was unusual.
        let hasGaps = known.contains { !$0.chart.monthsLeftOut.isEmpty }
        let scope = hasGaps ? "Over all trips here, in the months that can be compared," : "Over all trips here,"
        let lasting = known.compactMap { kpi, chart in
            chart.run(endingAt: month.description).map {
                "\(lowercased(kpi.title)) since \($0.first) (\($0.verdict.words))"
            }
        }
        guard lasting.isEmpty else { return "Unusual for some time: \(lasting.joined(separator: "; "))." }
        let signals = known.flatMap { kpi, chart in
            chart.signals.filter { $0.month <= month.description }.map { (kpi: kpi, signal: $0) }
        }
        let isUnusual = signals.contains { $0.signal.month == month.description }
        let earlier = signals.filter { $0.signal.month < month.description }.max { $0.signal.month < $1.signal.month }
        guard let earlier else {
            return "\(scope) no \(isUnusual ? "earlier " : "")month was unusual in \(assessed)."
        }
        return "\(scope) no change has lasted in \(assessed). The last unusual month"
            + (isUnusual ? " before" : "") + " was \(earlier.signal.month): \(lowercased(earlier.kpi.title)) "
            + "\(earlier.signal.verdict.words)."
    }
}

extension KPISummaryV1.ControlChart {
    /// The signals of one direction without a gap that end at a month: the first month, and how they compare. Nil for
    /// fewer than two.
    fileprivate func run(endingAt month: String) -> (first: String, verdict: ControlVerdict)? {
        guard let last = signals.first(where: { $0.month == month }), var current = Month(month) else {
            return nil
        }
        var first = last
        while let before = signals.first(where: { $0.month == current.advanced(by: -1).description }),
            before.direction == last.direction
        {
            first = before
            current = current.advanced(by: -1)
        }
        return first.month == month ? nil : (first.month, last.verdict)
    }
}

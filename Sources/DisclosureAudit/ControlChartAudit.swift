import KPIContract

/// Checks the control charts of a release: each is computed again from the cells of all released months, by code of
/// its own: the document's own cells, and of months that it does not show the ones of the groups.
///
/// Everything is compared as whole numbers: `n` times a distance from the mean, where `n` is the number of months.
struct ControlChartAudit {
    /// A measure that has control charts.
    private struct Measure {
        let name: String
        /// The entry of `incompleteMeasures` that leaves trips out of it.
        var partial: String?
        /// The counts of trips behind a figure; empty: the figure is a count.
        var counts: [String] = []
        var isMoreBetter: Bool?
        /// Of the published figures, in the unit they are held in.
        var step: Int128 = 1
        /// Of that unit, in a line of the chart.
        var parts = 1
    }

    private static let measures = [
        Measure(name: "trips", parts: 10),
        Measure(
            name: "inHouseShare", partial: "sourcing", counts: ["inHouse", "contracted"], isMoreBetter: true),
        Measure(name: "costPerTrip", partial: "cost", counts: ["costedTrips"], isMoreBetter: false),
        Measure(name: "duration.mean", partial: "duration", counts: ["duration.used"], isMoreBetter: false),
        Measure(
            name: "response.p90", partial: "response", counts: ["response.used"], isMoreBetter: false, step: 10,
            parts: 10),
    ]

    private let months: [CalendarMonth]
    private let cells: [CellKey: KPISummaryV1.Cell]
    private let keys: [CellKey]

    init(_ document: KPISummaryV1, of release: AuditedRelease, _ expected: ExpectedCells, _ ranks: RankAudit) {
        let shown = Set(release.shownMonths),
            keys = document.filters.regions.flatMap { region in
                document.filters.tripTypes.map { CellKey(region: region, tripType: $0) }
            }
        let over = release.months.filter { month in
            release.firstOpenMonth.map { month < $0 } ?? true && !release.partialMonths.contains(month)
        }
        let complete = over.last { expected.cell(at: CellKey(month: $0)).trips != nil }
        months = over.filter { month in complete.map { month <= $0 } ?? false }.compactMap(CalendarMonth.init)
        var cells = Dictionary(
            document.cells.filter { !release.partialMonths.contains($0.month) }.map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        let others = over.filter { !shown.contains($0) }.flatMap { month in
            keys.map { CellKey(month: month, region: $0.region, tripType: $0.tripType) }
        }
        let percentiles = others.isEmpty ? [:] : ranks.percentiles(90, of: "response", at: others)
        for key in others {
            cells[key] = expected.cell(at: key)
            cells[key]?["response.p90"] = percentiles[key]
        }
        self.cells = cells
        self.keys = keys
    }

    /// What the document must have, in its order.
    var expected: [KPISummaryV1.ControlChart] {
        keys.flatMap { key in Self.measures.compactMap { chart($0, key) } }
    }

    private func cell(_ month: CalendarMonth, _ key: CellKey) -> KPISummaryV1.Cell? {
        cells[CellKey(month: month.name, region: key.region, tripType: key.tripType)]
    }

    private func chart(_ measure: Measure, _ key: CellKey) -> KPISummaryV1.ControlChart? {
        guard let last = months.last(where: { cell($0, key)?[measure.name] != nil }), let reference = cell(last, key)
        else { return nil }
        let value = { (month: CalendarMonth) -> Int128? in
            guard let cell = cell(month, key), let figure = cell[measure.name],
                isUsable(measure, cell), isUsable(measure, reference),
                measure.partial != "sourcing" || cell.sourcingBasis == reference.sourcingBasis
            else { return nil }
            return Int128(figure)
        }
        // Of a count, the first month with enough trips may have begun before the data did.
        let isCount = measure.counts.isEmpty
        guard let earliest = months.first(where: { month in value(month).map { !isCount || $0 >= 11 } ?? false }),
            earliest.ordinal + (isCount ? 1 : 0) <= last.ordinal
        else { return nil }
        let first = isCount ? earliest.advanced(by: 1) : earliest
        let values = (first.ordinal...last.ordinal).map { value(CalendarMonth(ordinal: $0)) }
        let known = values.compactMap(\.self), n = Int128(known.count), sum = known.reduce(0, +)
        guard known.count >= 12, values.last != Int128?.none, let (range, ranges) = Self.meanRange(values) else {
            return nil
        }
        if measure.counts.isEmpty, 2 * sum + n < 22 * n { return nil }
        // A limit is (100 · sum · ranges ± 266 · range · n) / (100 · n · ranges).
        let line = { (hundredths: Int128) -> Double in
            let top = (100 * sum * ranges + hundredths * range * n) * Int128(measure.parts) * 2 + 100 * n * ranges
            let bottom = 200 * n * ranges
            let floor = top / bottom - (top % bottom < 0 ? 1 : 0)
            let unitsPerOne = KPICatalog.description(named: measure.name)?.format.unitsPerOne ?? 1
            return Double(Int(floor)) / Double(measure.parts * unitsPerOne)
        }
        let distances = values.map { $0.map { $0 * n - sum } }
        return KPISummaryV1.ControlChart(
            measure: measure.name, region: key.region, tripType: key.tripType, lastMonth: last.name,
            monthCount: known.count,
            monthsLeftOut: values.indices.filter { values[$0] == nil }.map { first.advanced(by: $0).name },
            mean: line(0), lowerLimit: line(-266), upperLimit: line(266),
            signals: range == 0
                ? []
                : values.indices.compactMap { place in
                    rule(
                        at: place, values, distances, limit: (266 * range * n, 100 * ranges), nearest: measure.step * n
                    )
                    .map { rule, isHigh in
                        KPISummaryV1.ControlSignal(
                            month: first.advanced(by: place).name, rule: rule, direction: isHigh ? "high" : "low",
                            isBetter: measure.isMoreBetter.map { $0 == isHigh })
                    }
                })
    }

    /// Of all trips of the cell, and of 11 or more.
    private func isUsable(_ measure: Measure, _ cell: KPISummaryV1.Cell) -> Bool {
        guard cell.complete == true, !(measure.partial.map { (cell.incompleteMeasures ?? []).contains($0) } ?? false)
        else { return false }
        return measure.counts.isEmpty || measure.counts.reduce(0) { $0 + (cell[$1] ?? 11) } >= 11
    }

    /// The sum and number of the changes from month to month, without those of 3.267 times their mean or more.
    private static func meanRange(_ values: [Int128?]) -> (sum: Int128, count: Int128)? {
        var changes: [Int128] = []
        for place in values.indices.dropFirst() {
            guard let now = values[place], let before = values[place - 1] else { continue }
            changes.append(max(now, before) - min(now, before))
        }
        guard !changes.isEmpty else { return nil }
        let total = changes.reduce(0, +), count = Int128(changes.count)
        changes.removeAll { 1000 * $0 * count >= 3267 * total }
        let rest = changes.reduce(0, +)
        return rest == 0 ? (total, count) : (rest, Int128(changes.count))
    }

    /// - Parameters:
    ///   - distances: from the mean, times the number of months.
    ///   - limit: the distance of a limit from the mean, as a fraction.
    ///   - nearest: no signal is nearer to the mean.
    private func rule(
        at place: Int, _ values: [Int128?], _ distances: [Int128?], limit: (top: Int128, bottom: Int128),
        nearest: Int128
    ) -> (String, isHigh: Bool)? {
        guard let own = distances[place] else { return nil }
        guard own != 0, abs(own) >= nearest else { return nil }
        let outside = { (distance: Int128) in abs(distance) * limit.bottom > limit.top }
        if outside(own) { return ("outsideLimits", own > 0) }
        if isOfTrend(place, values) { return ("trend", own > 0) }
        let isClose = { (distance: Int128) in !outside(distance) && 3 * abs(distance) * limit.bottom > 2 * limit.top }
        let isOneSided = { (run: [Int128?]) in
            run.allSatisfy { ($0 ?? 0) > 0 } || run.allSatisfy { ($0 ?? 0) < 0 }
        }
        let threes = Self.windows(of: 3, around: place, in: distances)
        if isClose(own),
            threes.contains(where: { three in
                isOneSided(three) && three.count { $0.map(isClose) ?? false } >= 2
            })
        {
            return ("twoOfThree", own > 0)
        }
        return Self.windows(of: 7, around: place, in: distances).contains(where: isOneSided) ? ("shift", own > 0) : nil
    }

    /// Whether a month is one of seven that rise, or that fall.
    private func isOfTrend(_ place: Int, _ values: [Int128?]) -> Bool {
        Self.windows(of: 7, around: place, in: values).contains { seven in
            let known = seven.compactMap(\.self), pairs = zip(known, known.dropFirst())
            return known.count == 7 && (pairs.allSatisfy { $0 < $1 } || pairs.allSatisfy { $0 > $1 })
        }
    }

    private static func windows(of length: Int, around place: Int, in values: [Int128?]) -> [[Int128?]] {
        (max(0, place - length + 1)...place).filter { $0 + length <= values.count }
            .map { Array(values[$0..<$0 + length]) }
    }
}

extension SummaryAudit {
    func checkControlCharts(_ document: KPISummaryV1) {
        require(
            document.controlCharts
                == ControlChartAudit(
                    document, of: release, expected,
                    RankAudit(release: release, expected: expected, findings: findings)
                ).expected,
            "controlCharts are not the ones of the cells")
    }
}

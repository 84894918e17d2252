import Basics
package import KPIContract

extension TableReport {
    /// Regions by trip types of a month or of all; of all, with the trips of the last months as a sparkline.
    package func grid(_ summary: KPISummaryV1, month: String, title: String) -> [String] {
        let all = CellKey.all
        // Of a single region or trip type, "All" would repeat the same figures.
        let isOneRegion = summary.filters.regions.count == 2, isOneType = summary.filters.tripTypes.count == 2
        let cells = summary.cells.filter { cell in
            cell.month == month && !(isOneRegion && cell.region == all) && !(isOneType && cell.tripType == all)
        }
        let shown = cells.filter { !isBlank($0) && !isSuppressedLeaf($0) }
        let region = nameWidth(shown.map(\.region) + ["Region"])
        let type = nameWidth(shown.map(\.tripType) + ["Type"])
        let columns = columns(summary)
        var headers = ["Trips"] + columns.map(\.header)
        var figures = shown.map { [text(.trips, $0)] + measures($0, columns) }
        func width(_ column: Int) -> Int {
            1 + ([headers[column].count] + figures.map { $0[column].count }).reduce(0, max)
        }
        let medians = ["Resp. p50"] + shown.map { text(.responseP50, $0) }
        let median = 1 + medians.map(\.count).reduce(0, max)
        // Beside the 90th percentile, where there is room.
        if let place = headers.firstIndex(of: "Resp. p90"),
            region + type + headers.indices.map(width).reduce(median, +) <= Self.width
        {
            headers.insert(medians[0], at: place)
            for index in figures.indices { figures[index].insert(medians[index + 1], at: place) }
        }
        let widths = headers.indices.map(width)
        let regions = TextColumn.distinct(shown.map(\.region), to: region - 1)
        let types = TextColumn.distinct(shown.map(\.tripType), to: type - 1)
        // What is left of the line; a year at most.
        let room = Self.width - region - type - widths.reduce(0, +) - 1
        let trend = month == all && room >= 6 ? trends(summary, months: min(12, room)) : [:]
        let isTrend = !trend.isEmpty
        var lines = [
            "", bold(title),
            TextColumn.left("Region", region) + TextColumn.left("Type", type)
                + zip(headers, widths).map { right($0, $1) }.joined() + (isTrend ? " Trend" : ""),
        ]
        for (index, cell) in shown.enumerated() {
            let names =
                TextColumn.left(regions[cell.region] ?? cell.region, region)
                + TextColumn.left(types[cell.tripType] ?? cell.tripType, type)
            let bars = trend[[cell.region, cell.tripType]].map { " " + $0 } ?? ""
            lines.append(names + zip(figures[index], widths).map { right($0, $1) }.joined() + bars)
            let isLastOfRegion = index + 1 == shown.count || shown[index + 1].region != cell.region
            if isLastOfRegion { lines += suppressedLeaves(of: cell.region, cells, indent: region) }
        }
        return lines
    }

    private func nameWidth(_ names: [String]) -> Int { min(14, 1 + (names.map(\.count).max() ?? 0)) }

    /// A single region and trip type in which nothing happened: left out, and the footnote says so.
    private func isBlank(_ cell: KPISummaryV1.Cell) -> Bool {
        cell.region != CellKey.all && cell.tripType != CellKey.all && cell.trips == 0
            && (cell.cancelled ?? 0) == 0 && (cell.noShow ?? 0) == 0
    }

    /// A trip type of a region that is hidden with all its measures: named below its region, as its row would say nothing.
    private func isSuppressedLeaf(_ cell: KPISummaryV1.Cell) -> Bool {
        cell.tripType != CellKey.all && cell.suppressed
    }

    private func suppressedLeaves(of region: String, _ cells: [KPISummaryV1.Cell], indent: Int) -> [String] {
        let types = cells.filter { $0.region == region && isSuppressedLeaf($0) }.map(\.tripType)
        guard !types.isEmpty else { return [] }
        return TextColumn.wrapped("• \(types.joined(separator: ", "))", to: Self.width - indent)
            .map { String(repeating: " ", count: indent) + $0 }
    }

    /// Sparklines of the last months, by region and trip type.
    private func trends(_ summary: KPISummaryV1, months count: Int) -> [[String]: String] {
        guard let last = summary.latestCompleteMonth.flatMap({ Month($0) }) else { return [:] }
        let withheld = summary.withheldMonths.compactMap { Month($0) }
        var histories: [[String]: [MonthOfTrips]] = [:]
        for cell in summary.cells {
            guard let month = Month(cell.month) else { continue }
            histories[[cell.region, cell.tripType], default: []].append(
                MonthOfTrips(month: month, trips: cell.trips, isComplete: cell.complete != false))
        }
        return histories.mapValues { history in
            let known = Set(history.map(\.month))
            let gaps = withheld.filter { !known.contains($0) }.map { MonthOfTrips(month: $0, trips: nil) }
            return Sparkline.text(
                Sparkline.points((history + gaps).sorted { $0.month < $1.month }, upTo: last, count: count))
        }
    }
}

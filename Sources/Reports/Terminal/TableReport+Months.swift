import Basics
package import KPIContract

extension TableReport {
    /// The latest complete month against the month and the year before, and the sums that end with it.
    package func comparison(_ report: SummaryReport, _ latest: String) -> [String] {
        let all = CellKey.all
        let found = report.summary.comparisons.last {
            $0.month == latest && $0.region == all && $0.tripType == all
        }
        guard let found, let month = Month(latest) else { return [] }
        let hidden = Set(report.history.filter { $0.trips == nil }.map(\.month))
        func isHidden(_ distances: ClosedRange<Int>) -> Bool {
            distances.contains { hidden.contains(month.advanced(by: $0)) }
        }
        let incomplete = Set(report.history.filter { $0.trips != nil && !$0.isComplete }.map(\.month))
        func isIncomplete(_ distances: ClosedRange<Int>) -> Bool {
            distances.contains { incomplete.contains(month.advanced(by: $0)) }
        }
        func line(_ title: String, _ trips: Int?, _ last: String, over distances: ClosedRange<Int>) -> String {
            let hidden = isHidden(distances) || isIncomplete(distances) || isIncomplete(0...0)
            return TextColumn.left(title, 34) + right(figure(trips.map(NumberText.grouped), hidden: hidden), 12)
                + right(last, 20)
        }
        func change(_ share: Share?, over distances: ClosedRange<Int>) -> String {
            isIncomplete(distances) || isIncomplete(0...0)
                ? Self.notComparable : figure(share.map(Self.percent), hidden: isHidden(distances))
        }
        func cost(_ cost: Cents?, over distances: ClosedRange<Int>) -> String {
            // That all months' trips are shown does not mean that their costs are.
            guard report.summary.hasCosts else { return "" }
            let trips = distances == -11...0 ? found.rolling12Trips : found.fiscalYearToDateTrips
            return figure(
                cost.map { NumberText.dollars(cents: $0.cents) },
                hidden: trips != nil || isHidden(distances) || isIncomplete(distances))
        }
        let toDate = -((month.month + 2) % 12)...0
        return [
            "", bold(TextColumn.left("\(latest) against", 34) + right("Trips", 12) + right("Change", 20)),
            line(
                "the month before, \(month.advanced(by: -1))", found.previousMonthTrips,
                change(found.monthOverMonth, over: -1 ... -1), over: -1 ... -1),
            line(
                "the year before, \(month.advanced(by: -12))", found.previousYearTrips,
                change(found.yearOverYear, over: -12 ... -12), over: -12 ... -12),
            bold(
                TextColumn.left("and in sum", 34) + right("Trips", 12)
                    + (report.summary.hasCosts ? right("Cost", 20) : "")),
            line(
                "12 months to \(latest)", found.rolling12Trips, cost(found.rolling12Cost, over: -11...0), over: -11...0),
            line(
                "fiscal year \(found.fiscalYear) to \(latest)", found.fiscalYearToDateTrips,
                cost(found.fiscalYearToDateCost, over: toDate), over: toDate),
        ]
    }

    /// The measures on screen that have no column in the tables: for all months, and for the latest complete month beside the
    /// month before.
    package func otherMeasures(_ summary: KPISummaryV1, isOneMonth: Bool) -> [String] {
        let latest = (summary.latestCompleteMonth ?? summary.months.last).flatMap { Month($0) }
        let last = isOneMonth ? [] : [latest?.advanced(by: -1), latest].compactMap { $0?.description }
        let months = [CellKey.all] + last
        func line(_ title: String, _ figures: [String]) -> String {
            TextColumn.left(title, 23) + figures.map { right($0, 19) }.joined()
        }
        let named = Self.columns.map(\.measure)
        let others = summary.withValues(KPICatalog.onScreen).filter {
            $0.measure != .trips && !named.contains($0.measure)
        }
        let whole = isOneMonth ? latest?.description : nil
        return ["", bold(line("Other measures", [whole ?? "All months"] + last))]
            + others.map { kpi in
                line(
                    kpi.title,
                    months.map { month in
                        let cell = summary.cell(at: CellKey(month: month))
                        return figure(
                            cell.map { text(kpi.measure, $0) }, hidden: summary.withheldMonths.contains(month))
                    })
            }
    }

    /// The last months line by line, those that are withheld too.
    package func monthTable(_ summary: KPISummaryV1) -> [String] {
        let all = CellKey.all
        let compared = Dictionary(
            summary.comparisons.filter { $0.region == all && $0.tripType == all }.map { ($0.month, $0) },
            uniquingKeysWith: { first, _ in first })
        let totals = summary.monthTotals, months = totals.map(\.month)
        guard !months.isEmpty else { return [] }
        let byMonth = Dictionary(
            totals.compactMap { total in total.cell.map { (total.month, $0) } }, uniquingKeysWith: { first, _ in first }
        )
        let hidden = Set(months.filter { byMonth[$0]?.trips == nil })
        let earlier = months.count - Self.monthLines, columns = columns(summary)
        let title = earlier > 0 ? "By month (\(earlier) earlier months are left out)" : "By month"
        var lines = [
            "", bold(title),
            monthRow("Month", ["Trips", "Change", "On year"] + columns.map(\.header), columns),
        ]
        let notWhole = Set(summary.monthsNotWhole + (summary.partialMonths ?? []))
        for month in months.suffix(Self.monthLines) {
            guard let cell = byMonth[month] else {
                lines.append(monthRow(month, Array(repeating: "•", count: 3 + columns.count), columns))
                continue
            }
            func change(_ share: Share?, from distance: Int) -> String {
                let earlier = Month(month)?.advanced(by: distance).description ?? ""
                guard !notWhole.contains(month), !notWhole.contains(earlier) else { return Self.notComparable }
                if let before = byMonth[earlier], before.trips != nil, cell.trips != nil,
                    [cell, before].contains(where: { $0.complete == false })
                {
                    return Self.notComparable
                }
                return figure(share.map(Self.percent), hidden: hidden.contains(month) || hidden.contains(earlier))
            }
            let changes = [
                change(compared[month]?.monthOverMonth, from: -1), change(compared[month]?.yearOverYear, from: -12),
            ]
            lines.append(monthRow(month, [text(.trips, cell)] + changes + measures(cell, columns), columns))
        }
        return lines + summary.notWholeSentences.flatMap { TextColumn.wrapped($0, to: Self.width) }
    }

    /// A column is too narrow for the words, which the notes have.
    package static let notComparable = "n/c"

    private func monthRow(_ month: String, _ figures: [String], _ columns: [Column]) -> String {
        let widths = [10, 10, 10] + columns.map(\.width)
        return TextColumn.left(month, 8) + zip(figures, widths).map(right).joined()
    }

    /// `+5.41%`.
    static func percent(_ change: Share) -> String {
        let size = Int(change.tenThousandths.magnitude)
        let sign = change.tenThousandths > 0 ? "+" : change.tenThousandths < 0 ? "-" : ""
        return "\(sign)\(NumberText.grouped(size / 100)).\(size % 100 < 10 ? "0" : "")\(size % 100)%"
    }
}

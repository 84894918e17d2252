import Basics

/// Which months are compared: only whole ones.
extension KPISummaryV1 {
    /// Withheld months of which no cell is shown: they are open, not released or too small.
    package var monthsNotReleased: [String] {
        let shown = monthsWithCells
        return withheldMonths.filter { !shown.contains($0) }
    }

    /// Withheld months of which some cell is shown: what is selected of them is shown only together with others, or is too
    /// small.
    package var monthsHidden: [String] { withheldMonths.filter(monthsWithCells.contains) }

    /// A sentence on each kind of them that there is.
    package var withheldSentences: [String] {
        [
            ("Months withheld", monthsNotReleased),
            ("Months too small, or shown only together with others", monthsHidden),
        ].filter { !$0.1.isEmpty }.map { title, months in
            let named = months.suffix(Self.mostNamedMonths).joined(separator: ", ")
            let more = months.count - Self.mostNamedMonths
            return "\(title): \(more > 0 ? "\(more) months and " : "")\(named)."
        }
    }

    private static let mostNamedMonths = 12

    private var monthsWithCells: Set<String> { Set(cells.map(\.month)) }

    /// The last month that is over, whole and shown; of a document without `headline`, the last month that is shown.
    package var latestCompleteMonth: String? { headline.map(\.month) ?? months.last }

    /// Months that are shown and under way: their figures will change, and are not compared.
    package var openMonths: [String] {
        guard let headline else { return [] }
        let partial = Set(partialMonths ?? [])
        return months.filter { month in !partial.contains(month) && headline.month.map { month > $0 } ?? true }
    }

    /// What a reader must know of a month that is not compared: `under way` or `lacks days`; nil for a whole one.
    package func remark(onMonth month: String) -> String? {
        if partialMonths?.contains(month) == true { return Self.lacksDays }
        return openMonths.contains(month) ? Self.underWay : nil
    }

    package static let underWay = "under way"
    package static let lacksDays = "lacks days"

    /// Months that are shown and not compared, since they are under way or lack days; ascending.
    package var monthsNotWhole: [String] {
        let shown = Set(months)
        return (openMonths + (partialMonths ?? []).filter(shown.contains)).sorted()
    }

    /// A sentence for months under way, and one for months that lack days.
    package var notWholeSentences: [String] {
        let open = openMonths, partial = monthsNotWhole.filter { !open.contains($0) }
        let their = { (months: [String]) in months.count == 1 ? "Its" : "Their" }
        let names = { (months: [String]) in months.joined(separator: ", ") }
        return [
            open.isEmpty
                ? nil
                : "\(names(open)): under way. \(their(open)) figures will change and are not compared.",
            partial.isEmpty
                ? nil
                : "\(names(partial)): days at the beginning or the end have no trips. \(their(partial)) figures are not "
                    + "compared.",
        ].compactMap(\.self)
    }

    /// More months without trips in a row are a wrong date before or after them.
    private static let longestGap = 12

    /// Each month from the first to the last over all regions and trip types, ascending. A month without trips between
    /// others has a cell of zeros; one that is withheld has none.
    package var monthTotals: [(month: String, cell: Cell?)] {
        let totals = cells.filter { $0.month != CellKey.all && $0.region == CellKey.all && $0.tripType == CellKey.all }
        let byMonth = Dictionary(totals.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        var months: [(month: String, cell: Cell?)] = [], next: Month?
        for month in Set(withheldMonths).union(byMonth.keys).compactMap(Month.init).sorted() {
            if let next, month.index - next.index <= Self.longestGap {
                months += (next.index..<month.index).map { index in
                    let name = Month(index: index).description
                    return (name, Cell(withoutTripsIn: name))
                }
            }
            months.append((month.description, byMonth[month.description]))
            next = month.advanced(by: 1)
        }
        return months
    }

    /// Months between others that have no trips; ascending.
    package var monthsWithoutTrips: [String] {
        let known = Set(cells.map(\.month)).union(withheldMonths)
        return monthTotals.map(\.month).filter { !known.contains($0) }
    }
}

extension KPISummaryV1.Cell {
    /// Of a month in which there are no trips: sums are 0, and nothing else is there.
    package init(withoutTripsIn month: String) {
        self.init(
            month: month, region: CellKey.all, tripType: CellKey.all, suppressed: false, complete: true,
            sourcingSuppressed: false)
        for (place, kpi) in KPICatalog.all.enumerated() where kpi.none == .never { figures[place] = 0 }
    }
}

package import Basics

/// A fiscal year of which some months have no trips, or several such years in a row that have none at all. Figures of it
/// must not be taken for those of a whole year.
package struct PartialFiscalYear: Sendable, Hashable {
    /// More than one only if none of them has a trip.
    package let years: ClosedRange<Int>
    /// Months that the period has of it: 12 for a whole year.
    package let periodMonths: Int
    /// Those with trips, oldest first.
    package let months: [Month]

    /// - Parameters:
    ///   - known: months with trips.
    ///   - period: nil: the fiscal years of these. A side that is open, as `--from` leaves it, ends with the last of them.
    /// - Returns: oldest first; none if no month of the period has trips.
    package static func all(known: some Sequence<Month>, period: ClosedRange<Month>?) -> [PartialFiscalYear] {
        let known = Set(known).filter { period?.contains($0) ?? true }.sorted()
        guard let first = known.first, let last = known.last else { return [] }
        var lower = Month(year: first.fiscalYear - 1, month: 10), upper = Month(year: last.fiscalYear, month: 9)
        if let period, period.lowerBound > Self.openStart { lower = period.lowerBound }
        if let period, period.upperBound < Self.openEnd { upper = period.upperBound }
        let byYear = Dictionary(grouping: known, by: \.fiscalYear)
        var found: [PartialFiscalYear] = []
        for year in lower.fiscalYear...upper.fiscalYear {
            let start = max(lower, Month(year: year - 1, month: 10)), end = min(upper, Month(year: year, month: 9))
            let months = byYear[year] ?? [], periodMonths = Int(end.index - start.index) + 1
            if months.count == periodMonths { continue }
            var years = year...year
            if months.isEmpty, let last = found.last, last.months.isEmpty, last.years.upperBound == year - 1 {
                years = last.years.lowerBound...year
                found.removeLast()
            }
            found.append(PartialFiscalYear(years: years, periodMonths: periodMonths, months: months))
        }
        return found
    }

    private static let openStart = Month(year: 1, month: 1)
    private static let openEnd = Month(year: 9999, month: 12)

    /// `FY2026`
    package var name: String {
        years.count == 1 ? "FY\(years.lowerBound)" : "FY\(years.lowerBound) to FY\(years.upperBound)"
    }

    /// `4 of 12 months have trips: 2026-06 to 2026-09`
    package var text: String {
        guard !months.isEmpty else { return "no month has trips" }
        let all = periodMonths == 12 ? "12 months" : "the \(periodMonths) months of the period"
        return "\(months.count) of \(all) \(months.count == 1 ? "has" : "have") trips: \(Month.text(of: months))"
    }
}

extension Month {
    /// `2026-06 to 2026-09, 2026-12`, of months in their order.
    package static func text(of months: [Month]) -> String {
        var runs: [ClosedRange<Month>] = []
        for month in months {
            if let last = runs.last, last.upperBound.advanced(by: 1) == month {
                runs[runs.count - 1] = last.lowerBound...month
            } else {
                runs.append(month...month)
            }
        }
        return runs.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            .joined(separator: ", ")
    }
}

internal import KPIContract
internal import Trips

/// A published figure as a workbook shows it: a number with its unit, a hidden one, or none at all.
///
/// The number is the whole number the contract holds (cents, tenths, ten-thousandths), so totals and ratios are
/// compared exactly before a formula is allowed to stand for them.
enum Figure: Sendable, Hashable {
    /// Its mark says that trips are left out, or unclassified ones counted.
    case value(Int, Unit, FigureCoverage = .all)
    /// Hidden by disclosure control. Shown as the word `hidden`, never as 0.
    case hidden
    /// A mean, ratio, percentage or percentile over no trips.
    case none
    /// Of two figures that are of different trips.
    case notComparable

    /// What the whole number counts, and how a cell shows it.
    enum Unit: Sendable, Hashable {
        case count, cents, tenthsOfMiles, hundredthsOfMiles, percent, share, change, seconds, tenthsOfSeconds, days
        /// Days since 1970, shown as a date.
        case date

        /// Whole numbers of this unit to one of the cell's.
        var divisor: Double {
            switch self {
            case .count, .days, .date: 1
            case .cents, .percent, .hundredthsOfMiles: 100
            case .tenthsOfMiles: 10
            case .share, .change: 10_000
            // A cell's time is a share of a day.
            case .seconds: 86_400
            case .tenthsOfSeconds: 864_000
            }
        }

        /// The number format with a mark after each of its sections.
        func format(mark: String) -> String {
            guard !mark.isEmpty else { return format }
            return format.split(separator: ";").map { "\($0)\"\(mark)\"" }.joined(separator: ";")
        }

        /// The number format, as Excel stores it (US separators).
        var format: String {
            switch self {
            case .count, .days: "#,##0"
            case .cents: "$#,##0.00"
            case .tenthsOfMiles: "#,##0.0"
            case .hundredthsOfMiles: "#,##0.00"
            case .date: "yyyy-mm-dd"
            case .percent: "0%"
            case .share: "0.00%"
            case .change: "+0.00%;-0.00%;0.00%"
            case .seconds, .tenthsOfSeconds: "[h]:mm:ss"
            }
        }
    }

    /// The cell's number.
    var number: Double? {
        guard case .value(let whole, let unit, _) = self else { return nil }
        // A sheet counts days from the last of 1899, 25569 of them before 1970.
        return unit == .date ? Double(whole + 25_569) : Double(whole) / unit.divisor
    }

    var whole: Int? {
        guard case .value(let whole, _, _) = self else { return nil }
        return whole
    }

    /// Which trips it is of; of a figure that is not shown there is nothing to say.
    var coverage: FigureCoverage {
        if case .value(_, _, let coverage) = self { coverage } else { .all }
    }

    func of(_ coverage: FigureCoverage) -> Figure {
        guard case .value(let whole, let unit, _) = self else { return self }
        return .value(whole, unit, coverage)
    }

    /// A count or a sum: it is 0 over no trips, so one that is missing was hidden.
    static func sum(_ whole: Int?, _ unit: Unit) -> Figure {
        whole.map { .value($0, unit) } ?? .hidden
    }

    /// A mean, ratio or percentile: where it is missing, `base` (what it is over) tells none from hidden.
    static func ratio(_ whole: Int?, _ unit: Unit, over base: Int?) -> Figure {
        whole.map { .value($0, unit) } ?? (base == 0 ? .none : .hidden)
    }

    /// About as many characters as the cell shows, to make the column wide enough.
    var displayWidth: Int {
        switch self {
        case .hidden: return 6
        case .none: return 3
        case .notComparable: return 14
        case .value(let whole, let unit, let coverage):
            let units = Int((Double(whole.magnitude) / unit.divisor).rounded(.down))
            let digits = String(units).count + (String(units).count - 1) / 3 + (whole < 0 ? 1 : 0)
            let marks = coverage.mark.count
            switch unit {
            case .count, .days: return digits + marks
            case .cents: return digits + 4 + marks
            case .tenthsOfMiles: return digits + 2 + marks
            case .hundredthsOfMiles: return digits + 3 + marks
            case .date: return 10
            case .percent, .share, .change: return String(units * 100).count + 6 + marks
            case .seconds, .tenthsOfSeconds: return String(units * 24).count + 7 + marks
            }
        }
    }
}

extension Figure {
    /// A day, `YYYY-MM-DD`, or the day of an RFC 3339 time; none where there is none.
    static func day(_ text: String?) -> Figure {
        guard let day = text.flatMap({ CivilDay($0.prefix(10)) }) else { return .none }
        return .value(Int(day.daysSince1970), .date)
    }
}

import Basics
package import KPIContract

/// A value as the terminal and the workbooks show it: a number with its unit and the mark of the trips it leaves out, or
/// the word for why there is none.
///
/// The number is the whole number that the contract holds (cents, tenths; a share of counts in tenths of a per cent), so totals and ratios are
/// compared exactly before a formula may replace them.
package enum ShownValue: Sendable, Hashable {
    /// Its mark says that trips are left out, or unclassified trips are counted.
    case number(Int, ValueUnit, FigureCoverage = .all)
    /// Hidden by disclosure control. Shown as the word `hidden`, never as 0.
    case hidden
    /// A mean, ratio, percentage or percentile over no trips.
    case notApplicable
    /// A comparison of two values of different trips.
    case notComparable
    /// The cost of trips of which none has a cost on record: shown as words, never as $0.00.
    ///
    /// - Parameter mayBeZero: whether the figures cannot distinguish this from costs of 0.
    case costUnknown(mayBeZero: Bool = false)

    /// The value of a measure in a cell of the contract.
    package init(_ kpi: KPIDescription, of cell: KPISummaryV1.Cell) {
        guard !kpi.isUnknownCost(cell) else {
            self = .costUnknown()
            return
        }
        self =
            switch kpi.published(cell) {
            case .value(let whole):
                .number(kpi.shownFigure(cell) ?? whole, ValueUnit(kpi.shownFormat), kpi.coverage(cell))
            case .suppressed: .hidden
            case .undefined: .notApplicable
            }
    }

    /// A count or a total: it is 0 over no trips, so a missing one is hidden.
    package static func total(_ whole: Int?, _ unit: ValueUnit) -> ShownValue {
        whole.map { .number($0, unit) } ?? .hidden
    }

    /// A value that is missing only where there is nothing to compute it from.
    package static func known(_ whole: Int?, _ unit: ValueUnit) -> ShownValue {
        whole.map { .number($0, unit) } ?? .notApplicable
    }

    /// A day, `YYYY-MM-DD`, or the day of an RFC 3339 time; none if there is none.
    package static func day(_ text: String?) -> ShownValue {
        known(text.flatMap { CivilDay($0.prefix(10)) }.map { Int($0.daysSince1970) }, .date)
    }

    package var whole: Int? { if case .number(let whole, _, _) = self { whole } else { nil } }

    /// Which trips the number is from. A value that is not shown has no mark.
    package var coverage: FigureCoverage { if case .number(_, _, let coverage) = self { coverage } else { .all } }

    /// Whether there is nothing to show, and nothing is hidden.
    package var isNone: Bool {
        switch self {
        case .notApplicable, .costUnknown: true
        case .number, .hidden, .notComparable: false
        }
    }

    /// Hidden where one of them is. Values that there are none of count as 0; without any cost above 0 it is unknown where
    /// one of them is.
    package static func sum(_ values: [ShownValue], _ unit: ValueUnit) -> ShownValue {
        if values.contains(.hidden) || values.contains(.notComparable) { return .hidden }
        let wholes = values.compactMap(\.whole)
        if wholes.allSatisfy({ $0 == 0 }), let unknown = values.first(where: { $0.isNone && $0 != .notApplicable }) {
            return unknown
        }
        let coverage = values.reduce(FigureCoverage.all) { $0.union($1.coverage) }
        return .number(wholes.reduce(0, +), unit, coverage)
    }

    package func covering(_ coverage: FigureCoverage) -> ShownValue {
        guard case .number(let whole, let unit, _) = self else { return self }
        return .number(whole, unit, coverage)
    }

    /// What a cell shows in place of a number.
    package var word: String? {
        switch self {
        case .number: nil
        case .hidden: "hidden"
        case .notApplicable: "n/a"
        case .notComparable: FigureCoverage.notComparable
        case .costUnknown(let mayBeZero): mayBeZero ? "unknown or 0" : "cost unknown"
        }
    }

    /// The number that a cell of a sheet holds.
    package var cellNumber: Double? {
        guard case .number(let whole, let unit, _) = self else { return nil }
        // A sheet counts days from the last of 1899, 25569 of them before 1970.
        return unit == .date ? Double(whole + 25_569) : Double(whole) / unit.divisor
    }

    /// About as many characters as the cell shows, to make the column wide enough.
    package var displayWidth: Int {
        switch self {
        case .hidden: return 6
        case .notApplicable: return 3
        case .notComparable: return 14
        case .costUnknown: return 12
        case .number(let whole, let unit, let coverage):
            let units = Int((Double(whole.magnitude) / unit.divisor).rounded(.down))
            let digits = String(units).count + (String(units).count - 1) / 3 + (whole < 0 ? 1 : 0)
            let marks = coverage.mark.count
            switch unit {
            case .count: return digits + marks
            case .cents: return digits + 4 + marks
            case .tenthsOfMiles: return digits + 2 + marks
            case .hundredthsOfMiles: return digits + 3 + marks
            case .date: return 10
            case .percent, .share, .tenthsOfPercent, .change: return String(units * 100).count + 7 + marks
            case .seconds, .tenthsOfSeconds: return String(units * 24).count + 7 + marks
            }
        }
    }
}

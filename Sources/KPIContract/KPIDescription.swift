/// One measure of a cell: its names, unit, definition, and how figures of it combine.
///
/// `KPICatalog` lists them. JSON, CSV, workbooks, the page, the terminal, comparisons, the check against SQL and the docs
/// read the measure from there.
package struct KPIDescription: Sendable {
    package enum Unit: String, Sendable {
        case trips, percent, share, dollars, miles, seconds
    }

    /// Which direction is good. A count of trips is neither good nor bad.
    package enum Direction: String, Sendable {
        case higher, lower, neither
    }

    /// Which trips the measure is about.
    package enum Population: Sendable, Hashable {
        case completed, cancelled, noShow
        /// Cancelled trips and no-shows. Its measures are for staff only.
        case notRun
    }

    /// How the figure of several cells follows from other figures.
    package enum Combination: Sendable, Hashable {
        /// It is the sum of the cells' figures.
        case sum
        /// A quotient of two sums, over the sum of all of `over`.
        case ratio(of: Measure, over: [Measure])
        /// A quotient of two sums over the trips that have both values.
        case ratioOfTripsWithBoth(of: Measure, over: Measure)
        /// A mean or percentile of single trips, of which `of` is the count.
        case statistic(of: Measure)
    }

    /// When a figure is undefined; everywhere else a missing figure is suppressed.
    package enum Absence: Sendable, Hashable {
        case never
        /// These measures are published and add up to 0.
        case whereSumIsZero([Measure])
        /// These measures are published.
        case whereShown([Measure])

        /// Whether a figure is undefined, given those of other measures; nil: not published.
        package func isMet(_ figure: (Measure) -> Int?) -> Bool {
            switch self {
            case .never: false
            case .whereSumIsZero(let measures): measures.allSatisfy { figure($0) == 0 }
            case .whereShown(let measures): measures.allSatisfy { figure($0) != nil }
            }
        }
    }

    package let measure: Measure
    /// The key in the dashboard contract; `duration.mean` inside an interval.
    package let name: String
    /// The column in CSV, with its unit.
    package let column: String
    package let title: String
    package let format: FigureFormat
    package let better: Direction
    package let population: Population
    package let combination: Combination
    package let definition: String
    /// Percentiles: so many in a hundred trips have this value or less.
    package let percent: Int?
    /// Sums: the aggregate over `stg_trips` that gives the figure, in SQL. Miles are hundredths there.
    package let sql: String?
    /// The entries of `incompleteMeasures` that the figure depends on.
    package let partialMeasures: [String]
    /// Whether the page and the terminal show it. The files have every measure.
    package let isOnScreen: Bool

    init(
        _ measure: Measure, _ name: String, _ column: String, _ title: String, _ format: FigureFormat,
        better: Direction = .neither, of population: Population = .completed, _ combination: Combination = .sum,
        percent: Int? = nil, sql: String? = nil, partial: [String], isOnScreen: Bool = false, _ definition: String
    ) {
        self.measure = measure
        self.name = name
        self.column = column
        self.title = title.prefix(1).uppercased() + title.dropFirst()
        self.format = format
        self.better = better
        self.population = population
        self.combination = combination
        self.percent = percent
        self.sql = sql
        self.definition = definition
        self.isOnScreen = isOnScreen
        partialMeasures = partial
    }
}

extension KPIDescription {
    package var unit: Unit {
        switch format {
        case .count: .trips
        case .percent: .percent
        case .share, .tenthsOfPercent: .share
        case .dollars: .dollars
        case .miles: .miles
        case .seconds, .tenthsOfSeconds: .seconds
        }
    }

    /// A release rounds percentiles to so many seconds: a percentile is the value of a single trip.
    package static let releaseStepSeconds = 10

    /// Whether a release rounds it.
    package var isRoundedInRelease: Bool { percent != nil }

    /// As people read it in running text, times in units: `14 min 10 s`.
    ///
    /// - Parameters:
    ///   - figure: of `shownFigure`.
    ///   - isRounded: the text then begins with `≈`.
    package func spacious(_ figure: Int, isRounded: Bool) -> String {
        let text =
            switch format {
            case .seconds: NumberText.brief(seconds: figure)
            case .tenthsOfSeconds: NumberText.brief(seconds: NumberText.seconds(tenths: figure))
            default: shownFormat.shown(figure)
            }
        return isRounded ? KPIDescription.roundedSign + text : text
    }

    /// Before a figure that is rounded.
    package static let roundedSign = "≈ "

    /// The counts of trips that a share, mean or percentile is of; nil for a sum.
    package var countedTrips: [Measure]? {
        switch combination {
        case .sum: nil
        case .ratio(_, let parts): parts
        case .ratioOfTripsWithBoth(_, let divisor): [divisor]
        case .statistic(let count): [count]
        }
    }

    package var none: Absence {
        switch combination {
        case .sum: .never
        case .ratio(_, let parts): .whereSumIsZero(parts)
        case .ratioOfTripsWithBoth(let dividend, let divisor): .whereShown([dividend, divisor])
        case .statistic(let count): .whereSumIsZero([count])
        }
    }

    /// The figure in its smallest unit: cents, tenths of a mile, tenths of a second, ten-thousandths of a share; nil
    /// where it is suppressed or undefined.
    package func figure(_ cell: KPISummaryV1.Cell) -> Int? { cell[measure] }

    /// The figure as canonical text; nil where it is suppressed or undefined.
    package func text(_ cell: KPISummaryV1.Cell) -> String? { figure(cell).map(format.canonical) }

    /// The figure of a document's cell. The document writes `null` for both a suppressed and an undefined figure; the
    /// figures beside it show which.
    package func published(_ cell: KPISummaryV1.Cell) -> PublishedValue<Int> {
        guard let figure = figure(cell) else { return isNone(cell) ? .undefined : .suppressed }
        return .value(figure)
    }

    /// Whether a figure that is nil is undefined, and not suppressed.
    package func isNone(_ cell: KPISummaryV1.Cell) -> Bool {
        figure(cell) == nil && !cell.suppressed && !coverage(cell).isIncomplete && none.isMet { cell[$0] }
    }
}

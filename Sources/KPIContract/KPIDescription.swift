/// One measure of a cell: its names, unit, definition, and how figures of it combine.
///
/// `KPICatalog` lists them. JSON, CSV, workbooks, the page, the terminal, comparisons, the check against SQL and the docs
/// read the measure from there.
package struct KPIDescription: Sendable {
    package enum Unit: String, Sendable {
        case trips, percent, share, dollars, miles, seconds
    }

    /// How the figure is held, as a whole count of its smallest unit, and written.
    package enum Format: String, Sendable, CaseIterable {
        case count, percent, share, dollars, miles, seconds, tenthsOfSeconds
    }

    /// Which direction is good. A count of trips is neither good nor bad.
    package enum Direction: String, Sendable {
        case higher, lower, neither
    }

    /// Which trips the measure is about.
    package enum Population: Sendable, Hashable {
        case completed, cancelled, noShow
    }

    /// How the figure of several cells follows from other figures. Names are those of other measures.
    package enum Combination: Sendable, Hashable {
        /// It is the sum of the cells' figures.
        case sum
        /// A quotient of two sums, over the sum of all of `over`.
        case ratio(of: String, over: [String])
        /// A quotient of two sums over the trips that have both values.
        case ratioOfTripsWithBoth(of: String, over: String)
        /// A mean or percentile of single trips, of which `of` is the count.
        case statistic(of: String)
    }

    /// When a figure is undefined; everywhere else a missing figure is suppressed.
    package enum Absence: Sendable, Hashable {
        case never
        /// These measures are published and add up to 0.
        case whereSumIsZero([String])
        /// These measures are published.
        case whereShown([String])
    }

    /// The key in the dashboard contract; `duration.mean` inside an interval.
    package let name: String
    /// The column in CSV, with its unit.
    package let column: String
    package let title: String
    package let format: Format
    package let better: Direction
    package let population: Population
    package let combination: Combination
    package let definition: String
    /// Sums: the aggregate over `stg_trips` that gives the figure, in SQL. Miles are hundredths there.
    package let sql: String?
    /// The entries of `incompleteMeasures` that the figure depends on.
    package let partialMeasures: [String]
    /// Whether it counts contracted trips, which may be published together with unclassified ones.
    package let countsContracted: Bool

    init(
        _ name: String, _ column: String, _ title: String, _ format: Format, better: Direction = .neither,
        of population: Population = .completed, _ combination: Combination = .sum, sql: String? = nil,
        partial: [String], countsContracted: Bool = false, _ definition: String
    ) {
        self.name = name
        self.column = column
        self.title = title.prefix(1).uppercased() + title.dropFirst()
        self.format = format
        self.better = better
        self.population = population
        self.combination = combination
        self.sql = sql
        self.definition = definition
        self.countsContracted = countsContracted
        partialMeasures = partial
    }
}

extension KPIDescription {
    package var unit: Unit {
        switch format {
        case .count: .trips
        case .percent: .percent
        case .share: .share
        case .dollars: .dollars
        case .miles: .miles
        case .seconds, .tenthsOfSeconds: .seconds
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
    package func figure(_ cell: KPISummaryV1.Cell) -> Int? { cell[name] }

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
        guard figure(cell) == nil, !cell.suppressed, !isOfDifferentTrips(cell) else { return false }
        switch none {
        case .never: return false
        case .whereSumIsZero(let names): return names.allSatisfy { cell[$0] == 0 }
        case .whereShown(let names): return names.allSatisfy { cell[$0] != nil }
        }
    }

    /// Whether a quotient is missing because its two sums leave out different trips.
    private func isOfDifferentTrips(_ cell: KPISummaryV1.Cell) -> Bool {
        ["costPerLoadedMile", "loadedMileRatio"].contains(name)
            && (cell.incompleteMeasures ?? []).contains { ["cost", "loadedMiles", "unloadedMiles"].contains($0) }
    }

    /// Whether this measure changed for the better; nil if it did not change, or neither direction is good.
    package func isBetter(_ now: Int, than before: Int) -> Bool? {
        guard now != before, better != .neither else { return nil }
        return (now > before) == (better == .higher)
    }
}

extension KPIDescription.Format {
    /// How many smallest units make one of what is written.
    package var unitsPerOne: Int {
        switch self {
        case .count, .percent, .seconds: 1
        case .miles, .tenthsOfSeconds: Tenths.unitsPerOne
        case .dollars: Cents.unitsPerOne
        case .share: Share.unitsPerOne
        }
    }

    /// As the contract and CSV write it.
    package func canonical(_ figure: Int) -> String {
        switch self {
        case .count, .percent, .seconds: String(figure)
        case .miles, .tenthsOfSeconds: Tenths(tenths: figure).description
        case .dollars: Cents(cents: figure).description
        case .share: Share(tenThousandths: figure).description
        }
    }

    /// As people read it: `2,612`, `61%`, `61.38%`, `$1,234.50`, `1,234.5`, `1:02:10`.
    package func shown(_ figure: Int) -> String {
        switch self {
        case .count: NumberText.grouped(figure)
        case .percent: "\(figure)%"
        case .share: NumberText.decimals(figure, 2) + "%"
        case .dollars: NumberText.dollars(cents: figure)
        case .miles: NumberText.decimals(figure, 1)
        case .seconds: NumberText.clock(seconds: figure)
        case .tenthsOfSeconds: NumberText.clock(seconds: NumberText.seconds(tenths: figure))
        }
    }
}

/// A figure as an audience may see it.
package enum PublishedValue<Number: Sendable & Hashable>: Sendable, Hashable {
    case value(Number)
    /// Withheld by disclosure control; not 0.
    case suppressed
    /// There is nothing to compute it from, such as a mean over no trips.
    case undefined

    /// Nil where it is suppressed or undefined.
    package var value: Number? { if case .value(let number) = self { number } else { nil } }

    /// A quotient: undefined where it is nil.
    package init(quotient: Number?) {
        guard let quotient else {
            self = .undefined
            return
        }
        self = .value(quotient)
    }
}

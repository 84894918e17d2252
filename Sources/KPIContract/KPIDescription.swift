/// One KPI of a cell: its name, unit, meaning, format, and which way is good.
package struct KPIDescription: Sendable {
    package enum Unit: String, Sendable {
        case trips, percent, share, dollars, miles, seconds
    }

    /// How the figure is held, as a whole count of its smallest unit, and written.
    package enum Format: String, Sendable, CaseIterable {
        case count, percent, share, dollars, miles, seconds, tenthsOfSeconds
    }

    /// Which way readers would like it to go. A count of trips is neither good nor bad.
    package enum Direction: String, Sendable {
        case higher, lower, neither
    }

    /// When nil says that there is nothing to compute it from; everywhere else nil says that it is hidden.
    package enum Absence: Sendable, Hashable {
        case never
        /// These KPIs are shown and add up to 0.
        case whereSumIsZero([String])
        /// These KPIs are shown.
        case whereShown([String])
    }

    /// The key in the dashboard contract; `duration.mean` inside an interval.
    package let name: String
    /// The column in CSV, with its unit.
    package let column: String
    package let title: String
    package let format: Format
    package let better: Direction
    package let none: Absence
    package let definition: String
    /// The figure in its smallest unit: cents, tenths of a mile, tenths of a second, ten-thousandths of a share; nil
    /// where it is hidden or has no value.
    package let figure: @Sendable (KPISummaryV1.Cell) -> Int?

    init(
        _ name: String, _ column: String, _ title: String, _ format: Format, better: Direction = .neither,
        none: Absence = .never, _ definition: String, figure: @escaping @Sendable (KPISummaryV1.Cell) -> Int?
    ) {
        self.name = name
        self.column = column
        self.title = title.prefix(1).uppercased() + title.dropFirst()
        self.format = format
        self.better = better
        self.none = none
        self.definition = definition
        self.figure = figure
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

    /// The figure as canonical text; nil where it is hidden or has no value.
    package func text(_ cell: KPISummaryV1.Cell) -> String? { figure(cell).map(format.canonical) }

    /// Whether a quotient is missing because its two sums leave out different trips.
    private func isOfDifferentTrips(_ cell: KPISummaryV1.Cell) -> Bool {
        ["costPerLoadedMile", "loadedMileRatio"].contains(name)
            && (cell.incompleteMeasures ?? []).contains { ["cost", "loadedMiles", "unloadedMiles"].contains($0) }
    }

    /// Whether a figure that is nil has no value, and is not hidden.
    package func isNone(_ cell: KPISummaryV1.Cell) -> Bool {
        guard figure(cell) == nil, !cell.suppressed, !isOfDifferentTrips(cell) else { return false }
        let names: [String]
        switch none {
        case .never: return false
        case .whereSumIsZero(let parts), .whereShown(let parts): names = parts
        }
        let figures = names.map { KPICatalog.description(named: $0)?.figure(cell) }
        let shown = figures.compactMap(\.self)
        if case .whereShown = none { return shown.count == figures.count }
        return shown.count == figures.count && shown.allSatisfy { $0 == 0 }
    }
}

extension KPIDescription.Format {
    /// How many smallest units make one of what is written.
    package var unitsPerOne: Int {
        switch self {
        case .count, .percent, .seconds: 1
        case .miles, .tenthsOfSeconds: 10
        case .dollars: 100
        case .share: 10_000
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

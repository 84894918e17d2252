import KPIContract

/// Which charts there are. `charts.js` draws the same ones for a filter; a check compares the two.
struct MonthChartPlan {
    var id: String
    var title: String
    var isBars = false
    /// Keys of `KPICatalog`; at most two, of one unit.
    var measures: [String]
    /// In chart units; nil: the largest figure.
    var top: Int?

    static let all = [
        MonthChartPlan(id: "trips", title: "Trips by month", isBars: true, measures: ["trips"]),
        MonthChartPlan(id: "in-house", title: "In-house share by month", measures: ["inHousePercent"], top: 100),
        MonthChartPlan(id: "cost", title: "Cost per trip by month", measures: ["costPerTrip"]),
        MonthChartPlan(
            id: "times", title: "Average duration and response p90 by month",
            measures: ["duration.mean", "response.p90"]),
    ]
}

/// Trips of each region, or of each trip type, as bars that lie.
struct GroupChartPlan {
    var id: String
    var title: String
    var measure = "trips"

    static let regions = GroupChartPlan(id: "regions", title: "Trips by region")
    static let tripTypes = GroupChartPlan(id: "types", title: "Trips by trip type")
}

/// From figures to places, in whole tenths of the drawing's unit, so that Swift and JavaScript agree to the digit.
enum ChartScale {
    static let left = 460
    static let right = 3140
    static let top = 260
    static let bottom = 1660

    /// `a * b / c` rounded half up, for what is not negative.
    static func ratio(_ a: Int, _ b: Int, _ c: Int) -> Int { (2 * a * b + c) / (2 * c) }

    /// The smallest of 1, 2, 5 times a power of ten times the base of which at most four reach the largest figure.
    static func step(for largest: Int, base: Int) -> Int {
        var power = base
        while true {
            for factor in [1, 2, 5] where power * factor * 4 >= largest { return power * factor }
            power *= 10
        }
    }

    /// `12.3`.
    static func text(_ tenths: Int) -> String {
        tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }

    /// What a chart's axis counts in: seconds are whole, all else is in its smallest unit.
    static func chartFigure(_ figure: Int, _ format: FigureFormat) -> Int {
        format == .tenthsOfSeconds ? NumberText.seconds(tenths: figure) : figure
    }

    /// The unit of the axis in chart figures: a dollar, a minute, a trip.
    static func base(_ format: FigureFormat) -> Int {
        switch format {
        case .dollars: 100
        case .seconds, .tenthsOfSeconds: 60
        default: 1
        }
    }

    static func tick(_ value: Int, _ format: FigureFormat) -> String {
        switch format {
        case .dollars: (value < 0 ? "-$" : "$") + NumberText.grouped(abs(value) / 100)
        case .seconds, .tenthsOfSeconds: NumberText.grouped(value / 60) + " min"
        case .percent: "\(value)%"
        default: NumberText.grouped(value)
        }
    }
}

/// The values that a chart's height covers. It begins at 0, or below it where a refund leaves less than nothing.
struct ChartAxis {
    let low: Int
    let ticks: [Int]
    private let top: Int

    init(_ values: [Int], top: Int?, base: Int) {
        let largest = top ?? max(0, values.max() ?? 0)
        let smallest = min(0, values.min() ?? 0)
        let step = ChartScale.step(for: largest - smallest, base: base)
        self.top = max(1, (largest + step - 1) / step) * step
        low = -((step - 1 - smallest) / step) * step
        ticks = Array(stride(from: low, through: self.top, by: step))
    }

    func y(_ value: Int) -> Int {
        ChartScale.bottom - ChartScale.ratio(ChartScale.bottom - ChartScale.top, value - low, top - low)
    }
}

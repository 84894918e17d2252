package import KPIContract

/// What the whole number of a `ShownValue` counts.
package enum ValueUnit: Sendable, Hashable {
    case count, cents, tenthsOfMiles, hundredthsOfMiles, percent, share, tenthsOfPercent, change, seconds,
        tenthsOfSeconds
    /// Days since 1970.
    case date

    package init(_ format: FigureFormat) {
        self =
            switch format {
            case .count: .count
            case .percent: .percent
            case .share: .share
            case .tenthsOfPercent: .tenthsOfPercent
            case .dollars: .cents
            case .miles: .tenthsOfMiles
            case .seconds: .seconds
            case .tenthsOfSeconds: .tenthsOfSeconds
            }
    }

    /// Whole numbers of this unit in one of a sheet's cell.
    package var divisor: Double {
        switch self {
        case .count, .date: 1
        case .cents, .percent, .hundredthsOfMiles: 100
        case .tenthsOfMiles: 10
        case .share, .change: 10_000
        case .tenthsOfPercent: 1000
        // A sheet holds a time as a fraction of a day.
        case .seconds: 86_400
        case .tenthsOfSeconds: 864_000
        }
    }
}

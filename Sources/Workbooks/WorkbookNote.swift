import KPIContract

/// The notes of the month workbook.
enum WorkbookNote: Int, CaseIterable, SheetNote {
    case hidden = 1, none, all, trips, share, cost, times, comparisons, restated, latest
    /// Of a release with marked figures only.
    case incomplete

    /// The note that belongs to a measure.
    init?(of kpi: KPIDescription) {
        switch kpi.unit {
        case .trips where kpi.measure == .trips: self = .trips
        case .percent: self = .share
        case .share where kpi.measure == .inHouseShare: self = .share
        case .dollars: self = .cost
        case .seconds: self = .times
        case .trips, .share, .miles: return nil
        }
    }
}

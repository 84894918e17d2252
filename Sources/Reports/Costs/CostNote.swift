/// What to know before costs are compared or added up, in the accessible workbook. The number of a note is its place here.
enum CostNote: Int, CaseIterable, SheetNote {
    case hidden = 1, none, all, trips, cost, loadedMile, change, years
    /// Of what is in the workbook inside the house only.
    case checks, exceptions
    /// Of a release with marked figures only.
    case incomplete

    /// The note that belongs to a column.
    init?(ofColumn title: String) {
        switch title {
        case "Trips", "In-house trips", "Contracted trips", "Unclassified trips": self = .trips
        case "Cost per loaded mile", "Cost with miles", "Miles with cost": self = .loadedMile
        case "Change", "Volume", "Price": self = .change
        case "Year": self = .years
        case "Trips found", "Cost of these": self = .checks
        case "Trip": self = .exceptions
        default:
            guard title.lowercased().contains("cost") else { return nil }
            self = .cost
        }
    }
}

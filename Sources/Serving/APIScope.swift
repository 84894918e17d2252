/// What a token may read.
enum APIScope: String, CaseIterable, Sendable {
    /// Figures for anybody.
    case releaseFigures = "kpi.release"
    /// Figures for the health system's own people.
    case staffFigures = "kpi.staff"
    /// Rows of trips, beside the staff figures.
    case trips = "trips.read"
}

package import KPIs
internal import Trips

/// What the columns of an export of events mean.
package struct EventProfile: Sendable {
    /// How the file is written, how its dates are, and which tables and names give a region. Its column of `region` is read,
    /// its other columns are none.
    package var base: Profile
    /// Of each field, the columns that may carry it; of a record the first one that is filled counts.
    package var columns: [EventField: [String]] = [:]
    package var words = EventWords()
    /// Nil: coordinates are not used.
    package var polygons: RegionPolygons?
    /// Whether each export has all events of the source, so that the newest one counts alone.
    package var isComplete = false

    package init(base: Profile) { self.base = base }

    /// All columns that are read, each once.
    package var columnNames: [String] {
        let names =
            EventField.allCases.flatMap { columns[$0] ?? [] } + (base.columns[.region] ?? [])
            + base.lookups.map(\.column)
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }
    }
}

/// What is read of a record of an event. Every other column is dropped unread, and of these only a month, a region, a kind and
/// a flag are kept.
package enum EventField: String, CaseIterable, Sendable, Hashable {
    case date, kind, latitude, longitude, evacuation
}

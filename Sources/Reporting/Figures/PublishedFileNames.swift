/// The names of the two files with figures that every published set has.
package enum PublishedFileNames {
    package static let summary = "kpi-summary.json"
    package static let cells = "kpi-cells.csv"
    /// Only in a set with events.
    package static let events = "events.csv"
    /// Only in a staff set whose settings ask for rows.
    package static let tripRows = "trips.ndjson.gz"
}

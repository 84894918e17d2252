/// The names of files of a published set.
package enum PublishedFileNames {
    package static let summary = "kpi-summary.json"
    package static let cells = "kpi-cells.csv"
    package static let page = "dashboard.html"
    /// Only in a set with events.
    package static let events = "events.csv"
    /// Only in a staff set whose settings ask for rows.
    package static let tripRows = "trips.ndjson.gz"
    /// The page of the newest rows.
    package static let tripsPage = "trips.html"
    /// The rows in the order of lists, which the server reads page by page.
    package static let tripPages = "trips.sqlite"
}

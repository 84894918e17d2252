/// A format of records as text: of reports and of answers to queries.
package enum TableFormat: String, CaseIterable, Sendable {
    case table, csv, json, ndjson
}

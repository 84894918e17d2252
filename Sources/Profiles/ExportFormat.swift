/// How an export is written.
package enum ExportFormat: String, CaseIterable, Sendable {
    case csv, tsv, json, ndjson
}

package import StrictYAML
internal import Trips

/// Reads and checks a roster: CSV with a key column, `sourcing`, and optionally `from`, `to` (first and last day,
/// `YYYY-MM-DD`, blank for no bound), `name` and `note`, which are not looked at.
///
/// The key column is named like the field it is matched with (`provider_id`, `vehicle_id`), or `key`.
package enum RosterFile {
    /// The roster, or all that is wrong with it. Keys are not quoted in errors; lines are.
    package static func read(
        bytes: [UInt8], file: String, keyColumn: String
    ) throws(ConfigurationErrors) -> Roster {
        let table: CSVTable
        let layout: Layout
        do throws(ConfigurationError) {
            table = try CSVTable(bytes: bytes, file: file, hasHeader: true)
            layout = try Layout(table, keyColumn: keyColumn)
        } catch {
            throw ConfigurationErrors([error])
        }
        var errors: [ConfigurationError] = []
        var rows: [(line: Int, entry: Roster.Entry)] = []
        for record in table.records {
            do throws(ConfigurationError) {
                rows.append((record.line, try layout.entry(record, file: file)))
            } catch {
                errors.append(error)
            }
        }
        errors += overlaps(rows, file: file)
        guard errors.isEmpty else { throw ConfigurationErrors(errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) }) }
        return Roster(name: file, entries: rows.map(\.entry))
    }

    /// Two entries of one key that share a day: which of them held on it is not known.
    private static func overlaps(
        _ rows: [(line: Int, entry: Roster.Entry)], file: String
    ) -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        for group in Dictionary(grouping: rows, by: { FoldedText.folded($0.entry.key) }).values where group.count > 1 {
            let ordered = group.sorted { ($0.entry.firstDay, $0.line) < ($1.entry.firstDay, $1.line) }
            var latest = ordered[0]
            for row in ordered.dropFirst() {
                if row.entry.firstDay <= latest.entry.lastDay {
                    let lines = [row.line, latest.line].sorted()
                    errors.append(
                        ConfigurationError(
                            file: file, line: lines[1],
                            message: "this entry overlaps the one of the same key in line \(lines[0])",
                            hint: "end one the day before the other begins"))
                }
                if row.entry.lastDay > latest.entry.lastDay { latest = row }
            }
        }
        return errors
    }

    /// Where the columns are.
    private struct Layout {
        let key: Int
        let sourcing: Int
        let from: Int?
        let to: Int?

        init(_ table: CSVTable, keyColumn: String) throws(ConfigurationError) {
            let known = [keyColumn, "key", "sourcing", "from", "to", "name", "note"]
            let line = 1
            var seen: Set<String> = []
            for name in table.header {
                guard known.contains(name.lowercased()) else {
                    throw ConfigurationError(
                        file: table.file, line: line, message: "unknown column “\(name)”",
                        hint: Spelling.hint(for: name, among: known))
                }
                guard seen.insert(name.lowercased()).inserted else {
                    throw ConfigurationError(
                        file: table.file, line: line, message: "the column “\(name)” stands twice",
                        hint: "keep one of them")
                }
            }
            guard let key = table.column(keyColumn) ?? table.column("key"), let sourcing = table.column("sourcing")
            else {
                throw ConfigurationError(
                    file: table.file, line: line, message: "the header lacks “\(keyColumn)” or “sourcing”",
                    hint: "start the file with \(keyColumn),sourcing,from,to")
            }
            self.key = key
            self.sourcing = sourcing
            from = table.column("from")
            to = table.column("to")
        }

        func entry(_ record: CSVTable.Record, file: String) throws(ConfigurationError) -> Roster.Entry {
            func error(_ message: String, _ hint: String) -> ConfigurationError {
                ConfigurationError(file: file, line: record.line, message: message, hint: hint)
            }
            let key = FoldedText.trimmed(record.fields[key])
            guard !key.isEmpty else { throw error("the key is blank", "give it, or remove the line") }
            guard let sourcing = Sourcing(name: record.fields[sourcing]), sourcing != .unclassified else {
                throw error("unknown sourcing", "write inHouse or contracted")
            }
            let entry = Roster.Entry(
                key: key, from: try day(record, column: from, error), to: try day(record, column: to, error),
                sourcing: sourcing)
            guard entry.firstDay <= entry.lastDay else {
                throw error("“from” lies after “to”", "swap the two days")
            }
            return entry
        }

        private func day(
            _ record: CSVTable.Record, column: Int?, _ error: (String, String) -> ConfigurationError
        ) throws(ConfigurationError) -> CivilDay? {
            guard let column, !record.fields[column].isEmpty else { return nil }
            guard let day = CivilDay(record.fields[column]) else {
                throw error("a date cannot be read", "write a day of the calendar as YYYY-MM-DD")
            }
            return day
        }
    }
}

extension Roster.Entry {
    fileprivate var firstDay: Int32 { from?.daysSince1970 ?? .min }
    fileprivate var lastDay: Int32 { to?.daysSince1970 ?? .max }
}

import Basics
internal import StrictYAML
internal import Trips

/// Reads and checks a roster: CSV with a key column, `sourcing`, and optionally `from`, `to` (first and last day,
/// `YYYY-MM-DD`, blank for no bound), `name` and `note`, which are ignored.
///
/// The key column is named like the field that it is compared with (`provider_id`, `vehicle_id`), or `key`.
enum RosterFile {
    /// The roster; nil after errors, which `log` takes. Errors quote lines, and no keys.
    static func read(
        bytes: [UInt8], file: String, keyColumn: String, log: ConfigurationErrorLog
    ) throws(ConfigurationError) -> Roster? {
        let errors = log.errors.count
        let table = try CSVTable(bytes: bytes, file: file, hasHeader: true)
        let layout = try Layout(table, keyColumn: keyColumn)
        var rows: [(line: Int, entry: Roster.Entry)] = []
        for record in table.records {
            if let entry = log.attempt(try layout.entry(record)) { rows.append((record.line, entry)) }
        }
        for group in Dictionary(grouping: rows, by: { FoldedText.folded($0.entry.key) }).values {
            checkOverlaps(group, of: table, log: log)
        }
        return log.errors.count == errors ? Roster(name: file, entries: rows.map(\.entry)) : nil
    }

    /// Two entries of one key that share a day: which of them holds is not known.
    private static func checkOverlaps(
        _ rows: [(line: Int, entry: Roster.Entry)], of table: CSVTable, log: ConfigurationErrorLog
    ) {
        let ordered = rows.sorted { ($0.entry.firstDay, $0.line) < ($1.entry.firstDay, $1.line) }
        var latest = ordered[0]
        for row in ordered.dropFirst() {
            if row.entry.firstDay <= latest.entry.lastDay {
                let lines = [row.line, latest.line].sorted()
                log.add(
                    table.error(
                        "this entry overlaps the one of the same key in line \(lines[0])",
                        hint: "end one the day before the other begins", line: lines[1]))
            }
            if row.entry.lastDay > latest.entry.lastDay { latest = row }
        }
    }

    /// A roster's table with the indices of its columns.
    private struct Layout {
        private let table: CSVTable
        private let key: Int
        private let sourcing: Int
        private let from: Int?
        private let to: Int?

        init(_ table: CSVTable, keyColumn: String) throws(ConfigurationError) {
            let known = [keyColumn, "key", "sourcing", "from", "to", "name", "note"]
            var seen: Set<String> = []
            for name in table.header {
                guard known.contains(name.lowercased()) else {
                    throw table.error("unknown column “\(name)”", hint: Spelling.hint(for: name, among: known))
                }
                guard seen.insert(name.lowercased()).inserted else {
                    throw table.error("the column “\(name)” appears twice", hint: "keep one of them")
                }
            }
            guard let key = table.column(keyColumn) ?? table.column("key"), let sourcing = table.column("sourcing")
            else {
                throw table.error(
                    "the header lacks “\(keyColumn)” or “sourcing”",
                    hint: "start the file with \(keyColumn),sourcing,from,to")
            }
            self.table = table
            self.key = key
            self.sourcing = sourcing
            from = table.column("from")
            to = table.column("to")
        }

        func entry(_ record: CSVTable.Record) throws(ConfigurationError) -> Roster.Entry {
            let key = FoldedText.trimmed(record.fields[key])
            guard !key.isEmpty else {
                throw table.error("the key is blank", hint: "give it, or remove the line", line: record.line)
            }
            guard let sourcing = Sourcing(name: record.fields[sourcing]), sourcing != .unclassified else {
                throw table.error("unknown sourcing", hint: "write inHouse or contracted", line: record.line)
            }
            let entry = Roster.Entry(
                key: key, from: try day(record, from), to: try day(record, to), sourcing: sourcing)
            guard entry.firstDay <= entry.lastDay else {
                throw table.error("“from” lies after “to”", hint: "swap the two days", line: record.line)
            }
            return entry
        }

        private func day(_ record: CSVTable.Record, _ column: Int?) throws(ConfigurationError) -> CivilDay? {
            guard let column, !record.fields[column].isEmpty else { return nil }
            guard let day = CivilDay(record.fields[column]) else {
                throw table.error(
                    "a date cannot be read", hint: "write a day of the calendar as YYYY-MM-DD", line: record.line)
            }
            return day
        }
    }
}

extension Roster.Entry {
    fileprivate var firstDay: Int32 { from?.daysSince1970 ?? .min }
    fileprivate var lastDay: Int32 { to?.daysSince1970 ?? .max }
}

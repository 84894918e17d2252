import GRDB
import Hashing
import Trips

extension TripStore {
    /// SHA-256 of everything the store says: exports, trips, older versions, waivers. It does not depend on the order or
    /// the runs in which they came, nor on the numbers that rows and texts happen to have.
    package func digest() throws -> String {
        let names = texts.all.mapValues(Self.word)
        return try read { db in
            var hash = ContentHash()
            let exports = try Row.fetchAll(db, sql: "SELECT * FROM exports ORDER BY sha256")
            var exportWords: [Int32: Int64] = [:]
            for row in exports {
                exportWords[row["export_id"]] = Self.word(row["sha256"])
                let text = row.columnNames.filter { $0 != "export_id" && $0 != "loaded_at" }.map { name -> String in
                    let value: DatabaseValue = row[name]
                    return "\(name)=\(value)"
                }
                hash.update(Array((text.joined(separator: "\n") + "\n").utf8))
            }
            for sql in [
                "SELECT sha256, reason FROM waivers ORDER BY sha256",
                "SELECT sha256, reason FROM failed_exports ORDER BY sha256",
                """
                SELECT sha256, reason, records FROM rejects JOIN exports USING (export_id) ORDER BY sha256, reason
                """,
            ] {
                for row in try Row.fetchAll(db, sql: sql) {
                    hash.update(Array((row.databaseValues.map { "\($0)" }.joined(separator: "\n") + "\n").utf8))
                }
            }
            let lists = try ["regions", "trip_types"].map { table in
                let rows = try Row.fetchAll(db, sql: "SELECT code, name FROM \(table)")
                return Dictionary(uniqueKeysWithValues: rows.map { (UInt8($0["code"] as Int), Self.word($0["name"])) })
            }
            func add(_ trip: StoredTrip, isCopy: Int64) {
                var words = [
                    isCopy, trip.key.high, trip.key.low, exportWords[trip.exportID] ?? 0, Int64(trip.recordOffset),
                    Int64(trip.version.updatedAt), Int64(trip.version.sequence), Int64(trip.facts.month),
                    Int64(trip.facts.day), Int64(trip.facts.status), lists[0][trip.facts.region] ?? 0,
                    lists[1][trip.facts.tripType] ?? 0, Int64(trip.facts.sourcing), Int64(trip.facts.costCents),
                    Int64(trip.facts.loadedHundredths), Int64(trip.facts.unloadedHundredths),
                    Int64(bitPattern: trip.facts.patient), Int64(trip.facts.warnings),
                ]
                words += (0..<6).map { Int64(trip.facts.intervals[$0]) }
                words += StoredText.allCases.map { names[trip.facts[$0]] ?? 0 }
                hash.update(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
            }
            for (table, extra) in [("trips", "0"), ("older_versions", "is_copy")] {
                let statement = try IntegerStatement(
                    db, "SELECT \(TripColumns.names), \(extra) FROM \(table) ORDER BY key_high, key_low")
                // The versions of one trip come in the order of their exports' numbers, which is none.
                var group: [(trip: StoredTrip, isCopy: Int64)] = []
                func close() {
                    for entry in group.sorted(by: {
                        (exportWords[$0.trip.exportID] ?? 0) < (exportWords[$1.trip.exportID] ?? 0)
                    }) {
                        add(entry.trip, isCopy: entry.isCopy)
                    }
                    group = []
                }
                while try statement.step(db) {
                    let trip = TripColumns.read(statement)
                    if let first = group.first, first.trip.key != trip.key { close() }
                    group.append((trip, statement.column(TripColumns.count)))
                }
                statement.reset()
                close()
            }
            return hash.hexadecimal
        }
    }

    /// A word that stands for a text, whatever its number.
    private static func word(_ text: String) -> Int64 {
        ContentHash.of(Array(text.utf8)).prefix(16).utf8.reduce(Int64(0)) { word, digit in
            word << 4 ^ Int64(digit < 0x3A ? digit - 0x30 : digit - 0x57)
        }
    }
}

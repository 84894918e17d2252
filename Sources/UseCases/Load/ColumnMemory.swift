import ExportBytes
import Files
import Intake
import Keys
import Profiles
import Store
import Trips

/// Compares an export's columns with those of the last export of its series: a column that was renamed would otherwise be
/// missing from the figures, and no run would fail.
///
/// Exports of one series have the same profile, and file names with the same words before the first dot, but for numbers,
/// months, weekdays and words with a digit inside: `trips_2026-03-01.csv` and `trips_Apr-02-3fa9c1.csv.gz`. The first
/// export of a series, such as `trips_final.csv`, must have the columns that all series of its source had, if it has a
/// column that may be one of them under another name.
struct ColumnMemory {
    let store: TripStore
    let key: PseudonymKey
    /// The last export that a first one of a series is compared with: several series may begin in one run.
    let lastExportID: Int

    /// The name of a file's series: a keyed hash, since a file name may contain a person's.
    private func series(of file: Inbox.File, source: String) -> String {
        let words = Self.words(FilePath.name(of: file.path)).joined(separator: " ")
        return Pseudonymizer(key: key, source: source).hash(ofText: words, and: file.profile ?? "")
    }

    /// What to remember of an export.
    func columns(of reader: ExportReader, _ file: Inbox.File) -> LoadedColumns {
        LoadedColumns(
            series: series(of: file, source: reader.profile.source),
            columns: reader.inventory.remembered.map { ExportColumn(field: $0.field, name: $0.name) })
    }

    private static let calendar = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private static func words(_ name: String) -> [String] {
        name.prefix { $0 != "." }.lowercased().split { !$0.isLetter && !$0.isNumber }.compactMap { word in
            var letters = word.drop(while: \.isNumber)
            while letters.last?.isNumber == true { letters.removeLast() }
            let isDate = letters.count >= 3 && calendar.contains { $0 == letters || $0.prefix(3) == letters }
            return letters.isEmpty || letters.contains(where: \.isNumber) || isDate ? nil : String(letters)
        }
    }

    /// - Parameters:
    ///   - asOf: the date in the export's name.
    ///   - isAccepted: whether it may lack columns that were there.
    /// - Returns: what an accepted export lacks, as a sentence; nil if nothing.
    /// - Throws: `ExportError.columnsGone` if it lacks a column and may not.
    func check(_ reader: ExportReader, _ file: Inbox.File, asOf: Int?, isAccepted: Bool) throws -> String? {
        if !isAccepted {
            let legs = try store.legs(ofSource: reader.profile.tripSource)
            try reader.checkLegs(against: legs, in: "earlier exports of its source")
        }
        guard let earlier = try earlier(than: reader, file, asOf: asOf) else { return nil }
        let missing = reader.inventory.missing(since: earlier.columns.map(\.field))
        guard !missing.isEmpty else { return nil }
        let list = earlier.columns.filter { missing.contains($0.field) }
            .map { $0.field.rawValue + ($0.name.map { " (“\($0)”)" } ?? "") }.joined(separator: ", ")
        if isAccepted { return "no column for \(list), which earlier exports had" }
        let were = missing.count == 1 ? "it was" : "they were"
        let unmapped = reader.inventory.unmapped.compactMap(\.self).prefix(5).map { "“\($0)”" }
        let others = unmapped.isEmpty ? "" : "; not mapped: \(unmapped.joined(separator: ", "))"
        throw ExportError(
            kind: .columnsGone, file: reader.name,
            problem: "no column for \(list): \(were) there in \(earlier.exports)\(others)",
            remedy:
                "correct the profile (its `source` stays \(reader.profile.source)) or have the export sent again; to load it as it "
                + "is, waive it with `tripkpi quarantine waive`")
    }

    /// What an export is compared with; nil if it is the first of its series and has no column that may be a renamed one.
    private func earlier(
        than reader: ExportReader, _ file: Inbox.File, asOf: Int?
    ) throws -> (columns: [ExportColumn], exports: String)? {
        let source = reader.profile.source, series = series(of: file, source: source)
        if try store.knowsColumns(ofSeries: series) {
            return (try store.lastColumns(ofSeries: series, until: asOf) ?? [], "the last export of this kind")
        }
        if reader.inventory.unmapped.isEmpty { return nil }
        let columns = try store.columnsOfEverySeries(ofSource: source, until: lastExportID)
        return (columns, "earlier exports of its source")
    }
}

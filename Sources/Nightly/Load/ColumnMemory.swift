import ExportBytes
import Intake
import Profiles
import Store
import Trips

/// Compares an export's columns with those of the last export of its source: a column that was renamed would otherwise be
/// missing from the figures, and no run would fail.
struct ColumnMemory {
    /// Columns that an export lacks and the export before it had.
    struct Gone {
        var columns: [ExportColumn]
        /// False: the two may come from different systems, since they have no profile and names of different words.
        var isSameSeries: Bool

        /// `cost (“Total Cost”)`.
        var list: String {
            columns.map { $0.field.rawValue + ($0.name.map { " (“\($0)”)" } ?? "") }.joined(separator: ", ")
        }
    }

    let store: TripStore

    /// - Parameters:
    ///   - asOf: the date in the export's name.
    ///   - isPlain: it has no profile; then all systems without one have the same source.
    /// - Returns: nil if no column is gone.
    func gone(
        from reader: ExportReader, label: FileLabel, asOf: Int?, isPlain: Bool
    ) throws -> Gone? {
        guard let last = try store.lastColumns(ofSource: reader.profile.source, until: asOf) else { return nil }
        let fields = reader.inventory.gone(since: last.columns.map(\.field))
        guard !fields.isEmpty else { return nil }
        return Gone(
            columns: last.columns.filter { fields.contains($0.field) },
            isSameSeries: !isPlain || Self.words(label.description) == Self.words(last.label))
    }

    static func error(_ gone: Gone, file: String) -> ExportError {
        let were = gone.columns.count == 1 ? "it was" : "they were"
        return ExportError(
            kind: .columnsGone, file: file,
            problem: "no column for \(gone.list): \(were) there at the last load of this source",
            remedy: "correct the profile or have the export sent again; to load it as it is, waive it with "
                + "`tripkpi quarantine waive`")
    }

    /// What a label shows of a name besides numbers; words that are masked are not compared.
    private static func words(_ label: String) -> [String] {
        label.split { !($0.isASCII && $0.isLetter) }.map { $0.lowercased() }.filter { word in
            !word.allSatisfy { $0 == "x" }
        }
    }
}

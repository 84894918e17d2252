import ExportBytes
import Intake
import Operations
import Profiles
import Store
import Trips

/// An export that was opened and may be loaded: what is known of it before all of it is read, and what is asked of it then.
struct OpenedExport {
    let label: FileLabel
    let reader: ExportReader
    let request: ExportReader.Request
    /// The file, when it was looked at first.
    let state: ExportFileStat
    /// Its SHA-256; it may still be being found.
    let findSHA256: () throws -> String
    /// Its row of the ledger, as far as it is known.
    let record: ExportRecord
    /// Its columns, to remember: see `ColumnMemory`.
    let columns: LoadedColumns
    /// Whether the same export is in the store, and is taken out of it in the same transaction.
    let isReplacing: Bool
    /// Whether it was accepted when it was loaded before, from the same source.
    let isReload: Bool
    let accepted: AcceptedExports

    var unread: UnreadExport {
        UnreadExport(record, findSHA256: findSHA256, findAsOf: { try ExportAge.asOf(of: ExportReader(request)) })
    }

    /// Once all is read: whether the file is still the one that was hashed, and not cut off.
    ///
    /// - Throws: `ExportError`.
    func confirm() throws {
        guard try reader.fileStat() == state else { throw ExportError.changed(reader.name) }
        if reader.isCutOff, !isReload, try !accepted.allow(.cutOff, findSHA256) { throw Self.cutOff(label) }
        // A file that changed while it was hashed is not the one that was read: nothing of it may be sealed.
        _ = try findSHA256()
    }

    /// - Throws: what the doubts say, unless somebody has accepted it.
    func settle(_ doubts: [LoadDoubt]) throws {
        for doubt in doubts where !isReload {
            if case .replacedTrips = doubt, reader.profile.records == .versions { continue }
            if try accepted.allow(doubt.fault, findSHA256) { continue }
            throw doubt.error(label, namesPlaces: reader.profile.records?.isComposed != true)
        }
    }

    /// What must be said of it though it is loaded.
    func remarks(_ notes: [LoadNote]) -> [RunEvent] {
        notes.compactMap { $0.text(reader.profile) }.map { .exportNoted(label, note: $0) }
    }

    private static func cutOff(_ label: FileLabel) -> ExportError {
        ExportError(
            kind: .cutOff, file: label.description, problem: "it ends within a record: it is cut off",
            remedy: "have it sent again; to load it as far as it goes, waive it with `tripkpi quarantine waive`")
    }
}

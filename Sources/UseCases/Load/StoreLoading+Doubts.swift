import ExportBytes
import Intake
import Profiles
import Store
import Trips

// What makes an export doubtful, in words.
extension StoreLoading {
    /// - Throws: if the source's earlier exports were trips of their own and this one has parts of other trips, or the other way
    ///   round: the trips would count twice.
    func checkSource(of reader: ExportReader, replacing sha256: String?) throws {
        let profile = reader.profile
        let uses = try store.usesOfSource(profile.source, without: sha256)
        guard profile.supplement == nil ? uses.parts : uses.own else { return }
        throw ExportError(
            kind: .unclearRecords, file: reader.name,
            problem: profile.supplement.map {
                "its profile says that it supplements \($0), and earlier exports of source \(profile.source) were loaded as trips "
                    + "of their own: they would count twice"
            }
                ?? "its profile does not say `supplement:`, and earlier exports of source \(profile.source) were loaded with it: its "
                + "trips would count twice",
            remedy:
                "withdraw the earlier exports (`tripkpi load --withdraw HASH`; `tripkpi query export_ledger --internal` lists "
                + "them) and load them again, or correct the profile")
    }
}

extension LoadNote {
    /// Nil: the profile says that it is so.
    func text(_ profile: Profile) -> String? {
        switch self {
        case .undecided(let trips):
            "\(trips) of its trips have other values in an export of the same date, and both files are of the same time: "
                + "which one counts was decided by their content; write a date into the name of the newer file, or `updated_at` or "
                + "`sequence` into the exports"
        case .waiting(let waiting, let records):
            "\(waiting) of its \(records) records find no trip of source \(profile.tripSource): they wait for it and count as no "
                + "trip; `tripkpi query waiting_parts --internal` lists them"
        case .doublyCosted(let trips):
            "\(trips) of its trips have a cost in an export of another supplement too, and only that of the source whose name comes "
                + "first counts; if both were paid, have them sent in one export with `records: lines`"
        case .keptOut(let records):
            "\(records) of its records are of trips, patients or months that were removed from the store: they are skipped"
        case .replaced(let note): profile.records == .versions ? nil : note
        }
    }
}

extension LoadDoubt {
    /// - Parameter namesPlaces: whether the records are those of the file, and not composed of several.
    func error(_ label: FileLabel, namesPlaces: Bool = true) -> ExportError {
        let kind: ExportError.Kind =
            switch self {
            case .repeatedTrips: .repeatedTrips
            case .lostCosts: .columnsGone
            case .replacedTrips: .reusedIDs
            }
        var error = ExportError(kind: kind, file: label.description, problem: problem, remedy: remedy)
        if namesPlaces { error.places = places }
        return error
    }
}

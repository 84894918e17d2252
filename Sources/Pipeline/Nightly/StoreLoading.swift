import Classification
import Foundation
import Hashing
import Intake
import KPIs
import Operations
import Profiles
import Store
import Trips

/// Takes files into the store one after another: what `run`, `load` and a replay have in common.
struct StoreLoading {
    /// What became of a file.
    enum Outcome {
        case loaded(ReadCounts)
        case known
        case waived
        /// Nothing of it is in the store.
        case failed(any Error)
    }

    let store: TripStore
    let plan: NightlyPlan
    let terms: ExportLoader.Terms
    let tell: (RunEvent) -> Void
    private(set) var session: StoreSession
    private var ledger: Set<String>
    private let waivers: [String: Waiver]
    private var profiles: [String: (profile: Profile, version: String)] = [:]
    private var looks: [(look: TripStore.FileLook, sha256: String)] = []

    /// - Parameter profileNames: of all files to come: the store's lists and limits are made to hold them.
    init(
        store: TripStore, plan: NightlyPlan, terms: ExportLoader.Terms, profileNames: [String],
        tell: @escaping (RunEvent) -> Void
    ) throws {
        self.store = store
        self.plan = plan
        self.terms = terms
        self.tell = tell
        for name in Set(profileNames).sorted() { profiles[name] = try plan.configuration.versionedProfile(name) }
        let isNew = try store.lists().regions.names.count == 1
        let first = profiles.sorted { $0.key < $1.key }.first?.value.profile.vocabulary
        if let lists = plan.lists ?? (isNew ? first ?? .standard : nil) {
            try store.adopt(regions: lists.regions, tripTypes: lists.tripTypes)
        }
        ledger = Set(try store.exports().map(\.sha256))
        waivers = try store.waivers()
        let limit = profiles.values.map(\.profile.maximumIntervalSeconds).max() ?? 0
        session = try store.session(shape: try store.shape(atLeastSeconds: limit))
    }

    /// - Parameter isReplay: an export that is in the store is read anew, as its profile is now.
    mutating func load(_ file: Inbox.File, isReplay: Bool = false) throws -> Outcome {
        let name = (file.path as NSString).lastPathComponent
        let label = FileLabel(fileName: name)
        let started = Date()
        do {
            let state = try ExportFileStat.of(path: file.path)
            let sha256 = try contentHash(file.path, state)
            if ledger.contains(sha256), !isReplay {
                tell(.exportKnown(label, sha256: sha256))
                return .known
            }
            if waivers[sha256] != nil, !ledger.contains(sha256) {
                tell(.exportWaived(label, sha256: sha256))
                return .waived
            }
            tell(.exportFound(label, bytes: state.bytes))
            let (request, version) = request(for: file)
            let reader = try ExportReader(request)
            var record = ExportRecord(
                sha256: sha256, label: label.description, source: reader.profile.source,
                asOf: ExportDate(name: name).map { Int($0.day.daysSince1970) * 86_400_000_000 }, bytes: state.bytes,
                profileVersion: version, dateBasis: dateBasis(reader.profile),
                intervalPairs: Self.text(of: reader.profile.intervalPairs),
                maximumIntervalSeconds: reader.profile.maximumIntervalSeconds,
                loadedAt: plan.generatedAtEpochSeconds)
            do {
                let counts = try ExportLoader(store: store, terms: terms).load(
                    record, from: reader, session: &session, replacing: ledger.contains(sha256),
                    again: { try ExportReader(request) }
                ) {
                    try reader.fileStat() == state
                }
                ledger.insert(sha256)
                let milliseconds = Int(Date().timeIntervalSince(started) * 1000)
                tell(.exportLoaded(label, sha256: sha256, counts: counts, durationMilliseconds: milliseconds))
                return .loaded(counts)
            } catch let error where Self.isOfTheFile(error) {
                record.asOf = nil
                try noteFailure(error, record, file)
                return .failed(error)
            }
        } catch let error as ExportError {
            tellFailure(error, file, sha256: "", reason: error.code)
            return .failed(error)
        } catch let error as PlainHeaderError {
            tellFailure(error, file, sha256: "", reason: "unknown_header")
            return .failed(error)
        }
    }

    /// Takes an export out as if it had never been loaded.
    mutating func withdraw(_ export: ExportRecord) throws {
        try store.withdraw(export.sha256, session: &session)
        ledger.remove(export.sha256)
        tell(.exportWithdrawn(label: export.label, sha256: export.sha256, trips: export.trips))
    }

    /// Writes down what was hashed, so that it is not hashed again while the files look the same.
    func rememberFiles() throws { try store.remember(looks) }

    private mutating func contentHash(_ path: String, _ state: ExportFileStat) throws -> String {
        let look = state.look(path: path, pseudonyms: Pseudonymizer(key: terms.key, source: "inbox"))
        if let known = try store.contentHash(of: look) { return known }
        let fingerprint = try ExportFingerprint.of(path: path)
        guard fingerprint.file == state else { throw ExportError.changed(path) }
        looks.append((look, fingerprint.sha256))
        return fingerprint.sha256
    }

    private func request(for file: Inbox.File) -> (ExportReader.Request, profileVersion: String) {
        let known = file.profile.flatMap { profiles[$0] }
        let needs = terms.rules.textNeeds + StoredText.publicFields.map { (field: $0.field, need: TextNeed.value) }
        let request = ExportReader.Request(
            path: file.path, profile: known?.profile, vocabulary: plan.lists ?? .standard, zone: plan.zone,
            textNeeds: needs, blockBytes: terms.blockBytes, pseudonyms: terms.key)
        // Where the profile names no zone, that of the settings decides about months.
        let zone = known?.profile.zone == nil ? ", zone \(plan.zone ?? "none")" : ""
        return (request, (known?.version ?? "plain") + zone)
    }

    private func dateBasis(_ profile: Profile) -> String {
        guard let zone = profile.zone ?? plan.zone else { return "times as printed; no zone configured" }
        return "local time, \(zone)"
    }

    /// `duration unit_notified_at-arrived_at; …` for the pairs that are not the standard ones.
    private static func text(of pairs: [TripInterval: EventPair]) -> String {
        TripInterval.allCases.compactMap { interval in
            guard let pair = pairs[interval], pair != interval.standardPair else { return nil }
            return "\(interval.name) \(pair.start.field.rawValue)-\(pair.end.field.rawValue)"
        }.joined(separator: "; ")
    }

    /// Whether an error says that this export cannot be loaded, rather than that none can.
    private static func isOfTheFile(_ error: any Error) -> Bool {
        error is ExportError || error is PlainHeaderError || (error as? ScanError).map { !$0.isBug } == true
    }

    private func noteFailure(_ error: any Error, _ record: ExportRecord, _ file: Inbox.File) throws {
        var failed = FailedExport(
            sha256: record.sha256, label: record.label, source: record.source, reason: "unknown", read: 0, rejected: 0,
            bytes: record.bytes, triedAt: plan.generatedAtEpochSeconds, profileVersion: record.profileVersion)
        switch error {
        case let error as ExportError: failed.reason = error.code
        case ScanError.export(let error): failed.reason = error.code
        case ScanError.tooManyRejects(_, let rejected, let read, _, _):
            failed.reason = "too_many_rejects"
            failed.read = read
            failed.rejected = rejected
        default: failed.reason = "unknown_header"
        }
        try store.note(failed: failed)
        tellFailure(
            error, file, sha256: record.sha256, reason: failed.reason, read: failed.read, rejected: failed.rejected)
    }

    private func tellFailure(
        _ error: any Error, _ file: Inbox.File, sha256: String, reason: String, read: Int? = nil, rejected: Int? = nil
    ) {
        tell(
            .exportFailed(
                FileLabel(fileName: file.path), sha256: sha256, reason: reason,
                message: LabelledMessage(error, path: file.path).description, read: read, rejected: rejected))
    }
}

extension ExportError {
    /// What stands in the quarantine list.
    var code: String {
        switch kind {
        case .missing: "missing"
        case .forbidden: "forbidden"
        case .unreadable: "unreadable"
        case .damaged: "damaged"
        case .malformed: "malformed"
        case .tooManyRejects: "too_many_rejects"
        case .missingColumns: "missing_columns"
        case .notRepeatable: "not_repeatable"
        }
    }
}

import Basics
import ExportBytes
import Foundation
import Intake
import Keys
import Operations
import OutputScan
import Profiles
import Reporting
import Rules
import Settings
import Store
import StrictYAML
import Trips

/// Takes files into the store one after another: what `run`, `load` and a replay have in common.
struct StoreLoading {
    /// What became of a file.
    enum Outcome {
        case loaded(ReadCounts)
        case known
        case waived
        /// It was withdrawn, and not named since.
        case withdrawn
        /// Somebody is writing it.
        case unsettled
        /// Nothing of it is in the store.
        case failed(any Error)
    }

    /// Why a file is to be loaded.
    enum Intent {
        /// It lies in the inbox: loaded unless it was waived or withdrawn.
        case found
        /// The user named it: loaded although it was withdrawn.
        case named
        /// The user wants it read with its profile as it is now: loaded even if it is known.
        case replay
    }

    private let session: WritingSession
    private let figures: FigureSettings
    private let loader: ExportLoader
    private let tell: (RunEvent) -> Void
    private(set) var changes: LoadSession
    private var ledger: [String: ExportRecord]
    private let waivers: [String: Waiver]
    private let withdrawn: Set<String>
    /// Exports that failed for a reason that was waived since, by SHA-256: they are loaded.
    private let accepted: AcceptedExports
    /// Exports that were in the store when this began.
    private let lastExportID: Int
    private var profiles: [String: (profile: Profile, version: String)] = [:]
    /// Why a subfolder of the inbox is not named like a profile that can be read.
    private var profileFaults: [String: any Error] = [:]
    /// For files without a profile.
    private let lists: Vocabulary
    private var signatures: [(signature: TripStore.FileSignature, sha256: () throws -> String)] = []

    /// - Parameters:
    ///   - profileNames: of all files to come: the store's lists and limits are made to hold them.
    ///   - identifiers: where identifiers are remembered, if the run publishes.
    init(
        _ session: WritingSession, _ figures: FigureSettings, profileNames: [String],
        identifiers: IdentifierCollector? = nil
    ) throws {
        self.session = session
        self.figures = figures
        tell = session.environment.tell
        loader = ExportLoader(session: session, figures: figures, identifiers: identifiers)
        let store = session.store, reading = figures.reading
        for name in Set(profileNames).sorted() {
            do {
                if name != reading.profile { try reading.configuration.checkInboxFolder(named: name) }
                profiles[name] = try reading.configuration.versionedProfile(name)
            } catch  where name != reading.profile {
                profileFaults[name] = error
            }
        }
        lists = try Self.adoptLists(reading.lists, in: store, profiles: profiles.values.map(\.profile))
        ledger = Dictionary(try store.exports().map { ($0.sha256, $0) }) { first, _ in first }
        waivers = try store.waivers()
        withdrawn = try store.withdrawnExports()
        accepted = try store.acceptedExports()
        lastExportID = try store.lastExportID()
        let limit = profiles.values.map(\.profile.maximumIntervalSeconds).max() ?? 0
        changes = try store.session(
            shape: try store.shape(atLeastSeconds: limit),
            completion: TripCompletion(
                figures.rules, texts: store.texts,
                areAdoptedLater: store.rules().version != figures.rules.version))
    }

    var store: TripStore { session.store }
    private var reading: ExportReading { figures.reading }

    /// Makes the store's lists hold what all profiles to come may say, before anything is loaded: the configured lists
    /// if there are any, which the profiles must keep to, else the profiles' own.
    private static func adoptLists(
        _ configured: Vocabulary?, in store: TripStore, profiles: [Profile]
    ) throws -> Vocabulary {
        let own = profiles.sorted { $0.source < $1.source }.map(\.vocabulary)
        let isNew = try store.lists().regions.names.count == 1
        for lists in configured.map({ [$0] }) ?? (own.isEmpty && isNew ? [.standard] : own) {
            try store.adopt(regions: lists.regions, tripTypes: lists.tripTypes)
        }
        let known = try store.lists()
        for vocabulary in own { _ = try ListCodes(profile: vocabulary, store: known) }
        return configured ?? Vocabulary(regions: known.regions, tripTypes: known.tripTypes)
    }

    mutating func load(_ file: Inbox.File, _ intent: Intent = .found) throws -> Outcome {
        let name = file.path
        let label = FileLabel(fileName: name)
        let started = Date()
        do {
            if let fault = file.fault { throw fault }
            let state = try ExportFileStat.of(path: file.path)
            let content = try content(of: file.path, state)
            if !isSurelyNew(state.bytes, intent),
                let outcome = try passOver(content(), ExportName(name), state, intent)
            {
                return outcome
            }
            tell(.exportFound(label, bytes: state.bytes))
            if let fault = file.profile.flatMap({ profileFaults[$0] }) {
                try noteFailure(fault, file, label, sha256: content(), bytes: state.bytes)
                return .failed(fault)
            }
            do {
                let export = try open(file, state, content, intent)
                try check(export, file, intent)
                let loaded = try loader.load(export, session: &changes, ledger: ledger)
                let sha256 = loaded.record.sha256
                ledger[sha256] = loaded.record
                let milliseconds = Int(Date().timeIntervalSince(started) * 1000)
                tell(.exportLoaded(label, sha256: sha256, counts: loaded.counts, durationMilliseconds: milliseconds))
                return .loaded(loaded.counts)
            } catch let error as ExportError where error.kind == .changing {
                throw error
            } catch let error where Self.isOfTheFile(error) {
                try noteFailure(error, file, label, sha256: content(), bytes: state.bytes)
                return .failed(error)
            }
        } catch let error as ExportError where error.kind == .changing && intent == .found {
            // Somebody is still writing it: the next run takes it, and whatever it is then.
            tell(.exportSkipped(label, .unsettled))
            return .unsettled
        } catch let error as ExportError {
            // It could not even be hashed.
            tellFailure(error, file, sha256: "", reason: error.code)
            return .failed(error)
        }
    }

    private func open(
        _ file: Inbox.File, _ state: ExportFileStat, _ content: @escaping () throws -> String, _ intent: Intent
    ) throws -> OpenedExport {
        let name = ExportName(file.path), isReplay = intent == .replay
        let (request, version) = request(for: file)
        let reader = try ExportReader(request)
        for note in reader.warnings { tell(.exportNoted(name.label, note: note)) }
        if let missing = reader.inventory.sentence { tell(.exportColumnsMissing(name.label, missing: missing)) }
        let basis = SourceReading(reader.profile, zone: reading.zone)
        var record = ExportRecord(
            sha256: isReplay ? try content() : "", label: name.label.description, source: basis.source,
            supplements: reader.profile.supplement, asOf: name.asOf, bytes: state.bytes,
            modifiedNs: state.modifiedNanoseconds, profileVersion: version, dateBasis: basis.dateBasis,
            intervalPairs: basis.intervalPairs, maximumIntervalSeconds: basis.maximumIntervalSeconds,
            loadedAt: session.environment.generatedAt.secondsSince1970)
        let known = ledger[record.sha256]
        if let known { record.modifiedNs = min(known.modifiedNs, record.modifiedNs) }
        return OpenedExport(
            label: name.label, reader: reader, request: request, state: state, findSHA256: content, record: record,
            columns: columns.columns(of: reader, file), isReplacing: known != nil,
            isReload: known?.source == record.source, accepted: accepted)
    }

    /// What can be known before the export is read.
    ///
    /// - Throws: if a column is gone that the last export of the series had, if its source had other records before, or if its first
    ///   trips are in the store under another source; unless that is accepted.
    private func check(_ export: OpenedExport, _ file: Inbox.File, _ intent: Intent) throws {
        // One that is in the store already is read again with another profile: it was accepted when it was loaded.
        if !export.isReplacing {
            let missing = try columns.check(
                export.reader, file, asOf: export.record.asOf,
                isAccepted: accepted.allow(.columnsGone, export.findSHA256))
            if let missing { tell(.exportColumnsMissing(export.label, missing: missing)) }
        }
        try checkSource(of: export.reader, replacing: intent == .replay ? export.record.sha256 : nil)
        if intent != .replay, let repeats = try FirstTrips.repeated(export.reader, export.request, in: store),
            try !accepted.allow(.repeatedTrips, export.findSHA256)
        {
            throw LoadDoubt.repeatedTrips(repeats).error(export.label)
        }
    }

    private var columns: ColumnMemory {
        ColumnMemory(store: store, key: session.key, lastExportID: lastExportID)
    }

    /// Whether no export of this length was ever met: its content need not be known before it is loaded.
    private func isSurelyNew(_ bytes: Int, _ intent: Intent) -> Bool {
        intent != .replay && waivers.isEmpty && withdrawn.isEmpty && !ledger.values.contains { $0.bytes == bytes }
    }

    /// What becomes of a file of this content without reading it; nil: it is to be loaded.
    private mutating func passOver(
        _ sha256: String, _ name: ExportName, _ state: ExportFileStat, _ intent: Intent
    ) throws -> Outcome? {
        guard intent != .replay else { return nil }
        if var known = ledger[sha256] {
            let modifiedNs = min(known.modifiedNs, state.modifiedNanoseconds)
            if name.comesBefore(known) {
                known.label = name.label.description
                known.asOf = name.asOf ?? known.asOf
                known.isDatedByName = known.isDatedByName || name.asOf != nil
            }
            known.modifiedNs = modifiedNs
            if known != ledger[sha256] {
                let asOf = known.isDatedByName ? known.asOf : nil
                try store.rename(
                    sha256, label: known.label, asOf: asOf, modifiedNs: modifiedNs, session: &changes)
                ledger[sha256] = known
            }
            tell(.exportKnown(name.label, sha256: sha256))
            return .known
        }
        if waivers[sha256] != nil, accepted[sha256] == nil {
            tell(.exportWaived(name.label, sha256: sha256))
            return .waived
        }
        if intent == .found, withdrawn.contains(sha256) {
            tell(.exportWithdrawnKnown(name.label, sha256: sha256))
            return .withdrawn
        }
        return nil
    }

    /// Takes an export out as if it had never been loaded. For one that was withdrawn before, what a stopped withdrawal left
    /// undone is done at the end of the session: the tallies.
    mutating func withdraw(beginningWith hash: String) throws {
        if let before = try store.withdrawnExport(beginningWith: hash) {
            return tell(.exportWithdrawnBefore(sha256: before))
        }
        let export = try store.export(beginningWith: hash)
        try LoadAudit(session, figures).recordingWithdrawal(
            of: export.sha256, isUndone: { try store.withdrawnExport(beginningWith: export.sha256) == nil }
        ) { try store.withdraw(export.sha256, at: session.environment.generatedAt.secondsSince1970, session: &changes) }
        ledger[export.sha256] = nil
        tell(.exportWithdrawn(label: export.label, sha256: export.sha256, trips: export.trips))
    }

    /// Writes down what was hashed, so that it is not hashed again while the files look the same.
    func rememberFiles() throws {
        let hashed = signatures.compactMap { file in (try? file.sha256()).map { (file.signature, $0) } }
        try store.remember(hashed, now: session.environment.generatedAt.secondsSince1970)
    }

    /// The file's SHA-256. A file that looks as it did is not hashed again.
    private mutating func content(of path: String, _ state: ExportFileStat) throws -> () throws -> String {
        let signature = state.signature(path: path, pseudonyms: Pseudonymizer(key: session.key, source: "inbox"))
        let times = signature.hashTimes(at: session.environment.generatedAt.secondsSince1970)
        if let known = try store.contentHash(of: signature, hashedIn: times) { return { known } }
        let pending = PendingHash(path: path, state)
        signatures.append((signature, pending.sha256))
        return pending.sha256
    }

    private func request(for file: Inbox.File) -> (ExportReader.Request, profileVersion: String) {
        let known = file.profile.flatMap { profiles[$0] }
        let needs = figures.rules.textNeeds + StoredText.publicFields.map { (field: $0.field, need: TextNeed.value) }
        var request = ExportReader.Request(
            path: file.path, profile: known?.profile, vocabulary: lists, zone: reading.zone,
            textNeeds: needs, pseudonyms: session.key)
        request.limits = reading.limits
        // A copy in the store is a record with the same decoded values.
        request.hashesContents = false
        request.temporaryFolder = session.environment.temporaryFolder
        request.identifiers = loader.identifiers
        request.collectsIdentifiers = session.crosswalk != nil
        request.collectsWarnings = true
        request.mustBeRegular = true
        guard let known else { return (request, reading.plainVersion) }
        // Where the profile names no zone, that of the settings decides about months.
        return (request, known.version + (known.profile.zone == nil ? ", zone \(reading.zone ?? "none")" : ""))
    }

    /// Whether an error says that this export cannot be loaded, rather than that none can.
    private static func isOfTheFile(_ error: any Error) -> Bool {
        (error as? ExportError).map { $0.kind != .notReconciled } ?? (error is PlainHeaderError)
    }

    private func noteFailure(
        _ error: any Error, _ file: Inbox.File, _ label: FileLabel, sha256: String, bytes: Int
    ) throws {
        let profile = file.profile.flatMap { profiles[$0] }
        var failed = FailedExport(
            sha256: sha256, label: label.description, source: profile?.profile.source ?? Profile.plainSource,
            reason: "unknown", recordsRead: 0, recordsRejected: 0, bytes: bytes,
            triedAt: session.environment.generatedAt.secondsSince1970,
            profileVersion: profile?.version ?? reading.plainVersion)
        switch error {
        case let error as ExportError:
            failed.reason = error.code
            failed.recordsRead = error.counts?.read ?? 0
            failed.recordsRejected = error.counts?.rejected ?? 0
            failed.detail = ([error.problem, error.remedy] + error.places).joined(separator: "\n")
        case is ConfigurationError, is ConfigurationErrors: failed.reason = "unknown_profile"
        default: failed.reason = "unknown_header"
        }
        // One that is in the store stays there as it is.
        if ledger[sha256] == nil { try store.note(failed: failed) }
        tellFailure(
            error, file, sha256: sha256, reason: failed.reason, read: failed.recordsRead,
            rejected: failed.recordsRejected)
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
    /// As the quarantine list has it.
    var code: String {
        switch kind {
        case .missing: "missing"
        case .forbidden: "forbidden"
        case .unreadable, .readFailed: "unreadable"
        case .damaged: "damaged"
        case .malformed: "malformed"
        case .tooManyRejects: "too_many_rejects"
        case .missingColumns: "missing_columns"
        case .columnsGone: AcceptableFault.columnsGone.rawValue
        case .repeatedTrips: AcceptableFault.repeatedTrips.rawValue
        case .cutOff: AcceptableFault.cutOff.rawValue
        case .unclearRecords: "unclear_records"
        case .reusedIDs: AcceptableFault.reusedIDs.rawValue
        case .notRepeatable: "not_repeatable"
        case .changing: "changing"
        case .notReconciled: "not_reconciled"
        case .unreadableValues: "unreadable_values"
        case .mixedCurrencies: "mixed_currencies"
        }
    }
}

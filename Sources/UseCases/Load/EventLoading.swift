import Basics
import ExportBytes
import Foundation
import Intake
import Keys
import Operations
import Profiles
import Reporting
import Settings
import Store
import StrictYAML
import Trips

/// Takes exports of events into the store, one after another. A profile of `kind: events` says that a file is one.
struct EventLoading {
    private let session: WritingSession
    private let figures: FigureSettings
    private let lists: Vocabulary
    private var ledger: [String: EventExportRecord]
    private let waivers: Set<String>
    private let withdrawn: Set<String>

    init(_ session: WritingSession, _ figures: FigureSettings) throws {
        self.session = session
        self.figures = figures
        let store = session.store
        let known = try store.lists()
        lists =
            figures.reading.lists
            ?? (known.regions.names.count > 1
                ? Vocabulary(regions: known.regions, tripTypes: known.tripTypes) : .standard)
        ledger = try Self.ledger(store)
        waivers = Set(try store.waivers().keys)
        withdrawn = try store.withdrawnExports()
    }

    private static func ledger(_ store: TripStore) throws -> [String: EventExportRecord] {
        Dictionary(try store.eventExports().map { ($0.sha256, $0) }) { first, _ in first }
    }

    private var store: TripStore { session.store }
    private func tell(_ event: RunEvent) { session.environment.tell(event) }

    /// Loads a file, whole or not at all.
    mutating func load(_ file: Inbox.File, _ intent: StoreLoading.Intent) throws -> StoreLoading.Outcome {
        let label = FileLabel(fileName: file.path)
        var sha256 = "", bytes = 0
        do {
            if let fault = file.fault { throw fault }
            let fingerprint = try ExportFingerprint.of(path: file.path)
            sha256 = fingerprint.sha256
            bytes = fingerprint.bytes
            let signature = fingerprint.file.signature(
                path: file.path, pseudonyms: Pseudonymizer(key: session.key, source: "inbox"))
            try store.remember([(signature, sha256)], now: session.environment.generatedAt.secondsSince1970)
            if let outcome = passOver(sha256, label, intent) { return outcome }
            tell(.exportFound(label, bytes: bytes))
            return try load(file, fingerprint, label)
        } catch let error as ExportError where error.kind == .changing && intent == .found {
            tell(.exportSkipped(label, .unsettled))
            return .unsettled
        } catch let error where Self.isOfTheFile(error) {
            try note(error, file, label, sha256: sha256, bytes: bytes)
            return .failed(error)
        }
    }

    private func passOver(_ sha256: String, _ label: FileLabel, _ intent: StoreLoading.Intent) -> StoreLoading.Outcome?
    {
        if intent == .replay { return nil }
        if ledger[sha256] != nil {
            tell(.exportKnown(label, sha256: sha256))
            return .known
        }
        if waivers.contains(sha256) {
            tell(.exportWaived(label, sha256: sha256))
            return .waived
        }
        if intent == .found, withdrawn.contains(sha256) {
            tell(.exportWithdrawnKnown(label, sha256: sha256))
            return .withdrawn
        }
        return nil
    }

    private mutating func load(
        _ file: Inbox.File, _ fingerprint: ExportFingerprint, _ label: FileLabel
    ) throws -> StoreLoading.Outcome {
        let started = Date()
        let (profile, version) = try figures.reading.configuration.eventProfile(file.profile ?? "", lists: lists)
        let outcome = try EventReader(profile, zone: figures.reading.zone).read(
            path: file.path, maximumRejectPerMillion: figures.reading.maximumRejectPerMillion, mustBeRegular: true)
        // What was read must be what was hashed.
        guard try ExportFileStat.of(path: file.path) == fingerprint.file else { throw ExportError.changed(file.path) }
        let byContent = Int(outcome.newestDay?.daysSince1970 ?? 0) * 86_400_000_000
        let counts = outcome.findings.counts
        var record = EventExportRecord(
            sha256: fingerprint.sha256, label: label.description, source: profile.base.source,
            exportedAt: ExportName(file.path).asOf ?? byContent,
            bytes: fingerprint.bytes,
            profileVersion: version, isComplete: profile.isComplete,
            loadedAt: session.environment.generatedAt.secondsSince1970)
        record.recordsRead = counts.read
        record.recordsRejected = counts.rejected
        var audit = LoadAudit(session, figures)
        do {
            try store.load(record, events: outcome.tally, rejects: outcome.findings.rejectsByReason) {
                try audit.record(fingerprint.sha256, counts)
            }
        } catch {
            audit.refuse { sha256 in try Self.ledger(store)[sha256] == ledger[sha256] }
            throw error
        }
        ledger[fingerprint.sha256] = record
        tell(
            .eventsLoaded(
                label, sha256: fingerprint.sha256, counts: counts, withoutRegion: outcome.withoutRegion,
                durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000)))
        // Trips have an equation of their own.
        return .loaded(ReadCounts())
    }

    /// - Returns: whether an export of events begins with these digits; it is withdrawn then.
    mutating func withdraw(beginningWith hash: String) throws -> Bool {
        let found = try store.eventExports().filter { hash.count >= 8 && $0.sha256.hasPrefix(hash.lowercased()) }
        guard let export = found.first, found.count == 1 else { return false }
        try LoadAudit(session, figures).recordingWithdrawal(
            of: export.sha256, isUndone: { try Self.ledger(store)[export.sha256] == export }
        ) { try store.withdrawEvents(export.sha256, at: session.environment.generatedAt.secondsSince1970) }
        ledger[export.sha256] = nil
        tell(.exportWithdrawn(label: export.label, sha256: export.sha256, trips: 0))
        return true
    }

    private static func isOfTheFile(_ error: any Error) -> Bool {
        error is ExportError || error is ConfigurationError || error is ConfigurationErrors
    }

    private func note(
        _ error: any Error, _ file: Inbox.File, _ label: FileLabel, sha256: String, bytes: Int
    ) throws {
        let export = error as? ExportError
        let reason = export?.code ?? "unknown_profile"
        if !sha256.isEmpty, ledger[sha256] == nil {
            try store.note(
                failed: FailedExport(
                    sha256: sha256, label: label.description, source: "events", reason: reason,
                    recordsRead: export?.counts?.read ?? 0, recordsRejected: export?.counts?.rejected ?? 0,
                    bytes: bytes,
                    triedAt: session.environment.generatedAt.secondsSince1970, profileVersion: ""))
        }
        tell(
            .exportFailed(
                label, sha256: sha256, reason: reason, message: LabelledMessage(error, path: file.path).description,
                read: export?.counts?.read, rejected: export?.counts?.rejected))
    }
}

package import Releases
import Scans
import ExportBytes
import Foundation
import Intake
import Operations
import Foundation
import Intake
import Keys
import Store
package import Trips

/// What can be done about an export in quarantine: replay it, waive it, or take it off the list.
package struct QuarantineService {
    /// An export that failed, or one that is in the store.
    private struct Target {
        var sha256: String
        var label: String
        var bytes: Int
        var isFailed: Bool
        var rejected: Int
    }

    private let plan: NightlyPlan
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    /// Reads an export again, with its profile as it is now, in one transaction: what was loaded of it before goes only
    /// if all of it comes back.
    ///
    /// - Parameters:
    ///   - hash: the beginning of its SHA-256.
    ///   - file: its path; nil: it lies somewhere in the inbox.
    package func replay(_ hash: String, file: String?) throws -> NightlyOutcome {
        let target = try target(hash, TripStore(reading: plan.storePath))
        return try StoreUpdate(plan, environment).run(files: [find(target, file)], withdraw: [], .replay)
    }

    /// - Parameters:
    ///   - reason: at most 500 characters, none of them a control character.
    ///   - user: who takes the responsibility.
    /// - Returns: what became of it, for people.
    package func waive(_ hash: String, reason: String, by user: String) throws -> String {
        let reason = reason.trimmingCharacters(in: .whitespaces)
        guard !reason.isEmpty, reason.count <= Self.maximumReason else { throw QuarantineError.reasonLength }
        let isOneLine = reason.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        guard isOneLine else { throw QuarantineError.reasonControl }
        return try withStore { store, key in
            let target = try target(hash, store)
            guard target.isFailed || target.rejected > 0 else { throw QuarantineError.nothingRejected }
            try record(.waive, target, key)
            try store.waive(
                Waiver(
                    sha256: target.sha256, reason: reason, waivedBy: user, waivedAt: plan.generatedAtEpochSeconds))
            return target.isFailed
                ? "\(target.label) is waived: runs pass it over"
                : "\(target.label) is waived: its \(target.rejected) rejected records are marked so"
        }
    }

    package static let maximumReason = 500

    package func withdrawWaiver(_ hash: String) throws -> String {
        try withStore { store, key in
            let target = try target(hash, store)
            try record(.unwaive, target, key)
            guard try store.withdrawWaiver(target.sha256) else { throw QuarantineError.notWaived }
            return "\(target.label) is waived no more"
        }
    }

    /// Takes a failed export off the list. If its file is still in the inbox, the next run tries it again.
    package func forget(_ hash: String) throws -> String {
        try withStore { store, key in
            let target = try target(hash, store)
            guard target.isFailed else { throw QuarantineError.isLoaded }
            try record(.forget, target, key)
            try store.forget(failed: target.sha256)
            return "\(target.label) is off the list; if it still lies in the inbox, the next run tries it again"
        }
    }

    /// Before it is done: what cannot be written down is not done.
    private func record(_ event: AuditEntry.Event, _ target: Target, _ key: PseudonymKey) throws {
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        try audit?.record(event) { $0.inputs = [key.auditDigest(ofSHA256: target.sha256)] }
    }

    private func withStore<Value>(_ body: (TripStore, PseudonymKey) throws -> Value) throws -> Value {
        guard try !TripStore.isAbsent(plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        return try body(opening.store, opening.key)
    }

    private func target(_ hash: String, _ store: TripStore) throws -> Target {
        let digits = hash.lowercased()
        guard (8...64).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
            throw QuarantineError.notAHash
        }
        let failed = try store.failedExports().map {
            Target(sha256: $0.sha256, label: $0.label, bytes: $0.bytes, isFailed: true, rejected: $0.recordsRejected)
        }
        let loaded = try store.exports().map {
            Target(sha256: $0.sha256, label: $0.label, bytes: $0.bytes, isFailed: false, rejected: $0.recordsRejected)
        }
        let matches = (failed + loaded).filter { $0.sha256.hasPrefix(digits) }
        guard let match = matches.first else { throw QuarantineError.unknown }
        guard matches.count == 1 else { throw StoreError.ambiguous(hash: digits) }
        return match
    }

    /// The target's file, with the profile of its folder where it lies in the inbox.
    private func find(_ target: Target, _ path: String?) throws -> Inbox.File {
        let inbox = path == nil ? try Inbox(folder: plan.inbox, profile: plan.profile).files : inboxFiles
        guard let path else {
            for file in inbox where try ExportFileStat.of(path: file.path).bytes == target.bytes {
                if try ExportFingerprint.of(path: file.path).sha256 == target.sha256 { return file }
            }
            throw QuarantineError.fileNotFound(inbox: plan.inbox)
        }
        guard try ExportFingerprint.of(path: path).sha256 == target.sha256 else { throw QuarantineError.otherFile }
        let place = URL(fileURLWithPath: path).standardizedFileURL
        let known = inbox.first { URL(fileURLWithPath: $0.path).standardizedFileURL == place }
        return known ?? Inbox.File(path: path, profile: plan.profile)
    }

    private var inboxFiles: [Inbox.File] { (try? Inbox(folder: plan.inbox, profile: plan.profile).files) ?? [] }
}

/// Why something cannot be done about an export in quarantine.
package enum QuarantineError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case notAHash
    case unknown
    case nothingRejected
    case notWaived
    case isLoaded
    case reasonLength
    case reasonControl
    case fileNotFound(inbox: String)
    case otherFile

    package var failureKind: FailureKind {
        switch self {
        case .notAHash, .reasonLength, .reasonControl, .nothingRejected, .notWaived, .isLoaded: .usage
        case .unknown, .fileNotFound: .inputMissing
        case .otherFile: .data
        }
    }

    package var description: String {
        switch self {
        case .notAHash:
            "an export is named by the beginning of its SHA-256, 8 to 64 digits, as `tripkpi quarantine list` shows it"
        case .unknown:
            "no export that failed or was loaded begins with these digits; `tripkpi quarantine list` shows them"
        case .nothingRejected: "all records of this export were taken; there is nothing to waive"
        case .notWaived: "this export is not waived; there is nothing to take back"
        case .isLoaded: "this export is in the store; `tripkpi load --withdraw` would take it out"
        case .reasonLength: "--reason takes 1 to \(QuarantineService.maximumReason) characters; say why in a sentence"
        case .reasonControl: "--reason takes one line of plain text, without control characters"
        case .fileNotFound(let inbox): "\(inbox): no file in the inbox has this content; name the file after the hash"
        case .otherFile: "the file named has another content than this export; check the path or the hash"
        }
    }
}

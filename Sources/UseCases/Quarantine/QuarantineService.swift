import Basics
import Foundation
import Keys
import Operations
import Reporting
import Store

/// `quarantine waive` and `quarantine forget`: an export that failed, or has rejected records, is waived or taken off the
/// list.
package struct QuarantineService: Sendable {
    package static let maximumReason = 500

    private let site: StoreSite
    private let environment: RunEnvironment

    package init(_ site: StoreSite, _ environment: RunEnvironment) {
        self.site = site
        self.environment = environment
    }

    /// - Parameters:
    ///   - hash: the beginning of its SHA-256.
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
        return try WritingSession.run(site, environment) { session in
            let export = try NamedExport(hash, in: session.store)
            guard export.isFailed || export.rejected > 0 else { throw QuarantineError.nothingRejected }
            let waiver = Waiver(
                sha256: export.sha256, reason: reason, waivedBy: user,
                waivedAt: environment.generatedAt.secondsSince1970)
            try recording(.waive, export, session) { try session.store.waive(waiver) }
            if let accepted = try session.store.acceptedExports()[export.sha256] {
                let how =
                    switch accepted {
                    case .columnsGone: "without the columns that it lacks"
                    case .cutOff: "as far as it goes"
                    case .repeatedTrips, .reusedIDs: "as it is"
                    }
                return "\(export.label) is waived: the next run loads it \(how)"
            }
            return export.isFailed
                ? "\(export.label) is waived: runs pass it over"
                : "\(export.label) is waived: its \(export.rejected) rejected records are marked so"
        }
    }

    package func withdrawWaiver(_ hash: String) throws -> String {
        try WritingSession.run(site, environment) { session in
            let export = try NamedExport(hash, in: session.store)
            guard try session.store.waivers()[export.sha256] != nil else { throw QuarantineError.notWaived }
            try recording(.unwaive, export, session) { try session.store.withdrawWaiver(export.sha256) }
            return "\(export.label) is waived no more"
        }
    }

    /// Takes a failed export off the list. If its file is still in the inbox, the next run tries it again.
    package func forget(_ hash: String) throws -> String {
        try WritingSession.run(site, environment) { session in
            let export = try NamedExport(hash, in: session.store)
            guard export.isFailed else { throw QuarantineError.isLoaded }
            try recording(.forget, export, session) { try session.store.forget(failed: export.sha256) }
            return "\(export.label) is off the list; if it still lies in the inbox, the next run tries it again"
        }
    }

    private func recording(
        _ event: AuditEntry.Event, _ export: NamedExport, _ session: WritingSession, _ change: () throws -> Void
    ) throws {
        try session.audit.recording(
            event, { $0.inputs = [session.key.auditDigest(ofSHA256: export.sha256)] }, change)
    }
}

import Basics
import Files
import KPIContract
import Keys
import Operations
import Privacy
import Publishing
import Store

/// What a restore prints: the state of the site after it, whether this command or one that was killed has made it.
struct RestoreReport {
    let site: StoreSite
    let backup: VerifiedBackup
    let log: LogRestoration?
    /// Where the store that was there is now.
    let replaced: String?
    let hasWrittenKey: Bool
    /// For whom runs publish sets.
    let audiences: [Audience]
    /// The time of this run.
    let now: UTCTime

    var lines: [String] {
        get throws {
            var lines = ["store: \(backup.content.text)"]
            if let replaced { lines.append("the store that was there is now \(replaced)") }
            lines += try Audience.allCases.compactMap(setLine)
            lines += [log?.line].compactMap(\.self)
            lines.append(
                hasWrittenKey ? "key: written to \(site.key); back it up apart" : "key: the present one is kept")
            lines += try [crosswalkLine(), purgeLine(), rowsLine(), clockLine()].compactMap(\.self)
            return lines
        }
    }

    /// Nil if there is no set for this audience.
    private func setLine(_ audience: Audience) throws -> String? {
        let folder = PublishedSets(root: site.reports).folder(audience)
        guard let id = try folder.currentID() else { return nil }
        let own = backup.sets.first { $0.audience == audience }, since = try folder.heldSince()
        let isOwn = own?.id == id
        var text = isOwn ? "\(id) is current" : "the present set, \(id), is kept"
        if own == nil { text += "; the backup has none" }
        if let since { text += ", held since \(since)" }
        if since == nil, own?.heldSince != nil { text += ", and not held; in the backup \(own?.id ?? "") was" }
        return "\(audience.rawValue): \(text)"
    }

    private func crosswalkLine() throws -> String? {
        guard backup.content.hasCrosswalk else { return nil }
        let text = "crosswalk: the store was loaded with one, which no backup has"
        guard let path = site.crosswalk?.file else { return "\(text); the settings here name none" }
        return try FileStatus.lookUp(path) == nil
            ? "\(text). Put its own copy to \(path), or run `tripkpi crosswalk forget`"
            : "\(text). There is one at \(path): run `tripkpi crosswalk check`"
    }

    /// Nil if nothing was removed since the backup. What leaves by the setting `retention` leaves again in the next run.
    private func purgeLine() throws -> String? {
        guard let path = site.auditLog, let present = try AuditLogCopy(of: path) else { return nil }
        let todo = "run `tripkpi purge` with the same lists before the next run"
        let removals = present.removals(since: backup.content.auditEntry, at: backup.archive.createdAt)
        if removals > 0 {
            return
                "purge: since the backup trips or patients were removed \(NumberText.counted(removals, "time")), and the store has them "
                + "again: \(todo)"
        }
        if case .kept = log, backup.content.auditEntry.map(present.has) ?? true { return nil }
        return
            "purge: the audit log here does not reach back to the backup. If trips or patients were removed since, \(todo)"
    }

    /// Nil unless readers have rows of trips that the store has no more: the backup is from the middle of a removal.
    private func rowsLine() throws -> String? {
        guard !backup.content.isOlder else { return nil }
        let staff = PublishedSets(root: site.reports).folder(.staff)
        guard try staff.currentHasRows(from: RemovalCutoff(TripStore(reading: site.store))) else { return nil }
        return "staff: the current set may have removed trips as rows; the next run replaces it, unless it is held"
    }

    /// What the next run will find by its own check of the clock.
    private func clockLine() throws -> String? {
        // The tables of a store of an earlier version may differ.
        let store = backup.content.isOlder ? nil : try TripStore(reading: site.store)
        let check = ClockCheck(store: store, published: PublishedSets(root: site.reports), audiences: audiences)
        do {
            try check.require(now)
            return nil
        } catch let error as ClockError {
            return "clock: the next run will end with 78: \(error)"
        } catch PublishingError.clockBehind(let generatedAt, let published) {
            let error = PublishingError.clockBehind(generatedAt: generatedAt, published: published)
            return "clock: the next run will end with 78: \(error)"
        }
    }
}

import Basics
import Files
import Foundation
import Keys
import Operations
import Rules
import Settings
import Store
import Trips

/// What a nightly run would meet, looked at without a run: nothing is written, made or locked.
struct NightlyHealth {
    let settings: Settings
    let configuration: Configuration
    let rules: Result<RuleSet, any Error>
    let site: StoreSite
    /// What a run would publish as its time.
    let generatedAt: UTCTime
    /// The real clock.
    let now: UTCTime
    let readsWholeStore: Bool

    /// In the order in which a run meets them.
    func findings() -> [HealthFinding] {
        guard isInUse else {
            return [.ok("nightly run", "not set up here: neither an inbox nor a store nor published reports")]
        }
        let lock = lockFinding()
        let (key, keyFinding) = key()
        var findings = [lock, keyFinding]
        if case .failure(let error) = rules { findings.append(.failure("rules", error)) }
        do {
            try PlaceSafety.check(store: settings.store, reports: settings.reports, auditLog: settings.auditLog)
        } catch {
            findings.append(.failure("places", error))
        }
        if let remark = PlaceSafety.remark(onStore: settings.store) {
            findings.append(.warn("store", remark, remedy: "run: chmod o-rwx \(settings.store)"))
        }
        findings += ownProfileFindings()
        var store: TripStore?
        do {
            store = try openStore()
            if store == nil { findings.append(.ok("store", "\(settings.store): none yet; the first run makes it")) }
        } catch {
            findings.append(.failure("store", error))
        }
        if let store {
            findings += StoreHealth(store: store, health: self, key: key).findings()
        }
        findings += InboxHealth(health: self, store: store, key: key).findings()
        findings += ReportsHealth(health: self).findings()
        if AuditLogCheck.isExpectedOrUnknown(settings.auditLog, store: settings.store) {
            findings.append(.auditLog(path: settings.auditLog, store: settings.store))
        }
        findings.append(clockFinding(store))
        findings += LeftoverHealth(health: self).findings()
        findings += DiskHealth(health: self).findings()
        return findings
    }

    /// Each of the user's own profiles is read as a run would read it.
    private func ownProfileFindings() -> [HealthFinding] {
        do {
            let names = try configuration.ownProfiles()
            guard !names.isEmpty else { return [] }
            for name in names { try configuration.checkProfile(name) }
            return [.ok("own profiles", "\(names.count) in \(settings.profiles)")]
        } catch {
            return [.failure("own profiles", error)]
        }
    }

    /// Whoever only scans exports has none of it, and nothing is wrong.
    private var isInUse: Bool {
        let keys = ["store: ", "inbox: ", "reports: ", "key_file: "]
        return settings.origins.contains { origin in keys.contains { origin.hasPrefix($0) } }
            || [settings.store, settings.inbox, settings.reports].contains {
                FileManager.default.fileExists(atPath: $0)
            }
    }

    private func lockFinding() -> HealthFinding {
        guard let obstacle = RunLock.obstacle(path: settings.store + ".lock", now: now) else {
            return .ok("run lock", "free")
        }
        guard case .held(_, _, _, let age) = obstacle else {
            return .warn("run lock", "\(obstacle)", remedy: "run doctor as the user who runs tripkpi")
        }
        guard let age, age >= 86_400 else { return .ok("run lock", "\(obstacle)") }
        return .warn("run lock", "\(obstacle)", remedy: "no run takes a day: see what that process waits for")
    }

    /// Nil where there is none that a run could use.
    private func key() -> (PseudonymKey?, HealthFinding) {
        do {
            let key = try site.loadKey()
            return (
                key, .ok("key", "\(settings.keyFile): \(PseudonymKey.byteCount) bytes that only this user may read")
            )
        } catch {
            let folder = FilePath.folder(of: settings.keyFile)
            if error.isMissing, folder != FilePath.folder(of: settings.store), FileStatus(folder) == nil {
                let text = "\(settings.keyFile): there is no folder \(folder), so no run can make the key"
                return (nil, .fail("key", text, remedy: "make the folder", .cannotCreate))
            }
            if error.isMissing, (try? TripStore.isAbsent(settings.store)) == true {
                return (nil, .ok("key", "\(settings.keyFile): none yet; the first run makes it"))
            }
            return (nil, .failure("key", error))
        }
    }

    private func openStore() throws -> TripStore? {
        guard try TripStore.isAbsent(settings.store) else { return try TripStore(reading: settings.store) }
        if let published = try PublishedSets(root: settings.reports).newestID() {
            throw StoreError.lost(path: settings.store, published: published)
        }
        return nil
    }

    /// Whether earlier runs contradict the clock.
    private func clockFinding(_ store: TripStore?) -> HealthFinding {
        let published = PublishedSets(root: settings.reports)
        do {
            if let store {
                try ClockCheck(store: store, published: published, audiences: settings.audiences).require(
                    generatedAt)
            } else {
                try published.checkClock(generatedAt.description, settings.audiences)
            }
        } catch {
            // What else is wrong with store or reports is a finding of theirs.
            if FailureKind(of: error) == .configuration { return .failure("clock", error) }
        }
        return .ok("clock", generatedAt.description)
    }
}

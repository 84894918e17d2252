import Files
import Foundation
import Operations
import Privacy
import Publishing
import Reporting
import Settings
import Trips

#if canImport(Glibc)
import Glibc
#endif

/// The part of `NightlyHealth` about what is published, and about whether more can be.
struct ReportsHealth {
    let health: NightlyHealth

    private var root: String { health.settings.reports }

    func findings() -> [HealthFinding] {
        do {
            let published = PublishedSets(root: root)
            let sets = try Audience.allCases.flatMap { try setFindings(published.folder($0), $0) }
            return [placeFinding()] + sets
                + [Self.metricsFinding(health.settings.metricsFile, setting: "metrics_file")].compactMap { $0 }
        } catch {
            return [.failure("reports", error)]
        }
    }

    private func placeFinding() -> HealthFinding {
        let folders = Audience.allCases.flatMap { ["\(root)/\($0.rawValue)/runs", "\(root)/\($0.rawValue)"] } + [root]
        for folder in folders where FileManager.default.fileExists(atPath: folder) {
            guard let code = Self.obstacle(folder) else { continue }
            return notWritable("reports", folder, code)
        }
        if FileManager.default.fileExists(atPath: root) { return .ok("reports", "\(root): can be written to") }
        let parent = Self.existing(root)
        if let code = Self.obstacle(parent) { return notWritable("reports", parent, code) }
        return .ok("reports", "\(root): none yet; the first run makes it")
    }

    private func notWritable(_ subject: String, _ folder: String, _ code: Int32) -> HealthFinding {
        let isPermission = code == EACCES || code == EPERM
        return .fail(
            subject, "\(folder) cannot be written to (\(String(cString: strerror(code))))",
            remedy: isPermission
                ? "give it to the user who runs tripkpi (chown, chmod u+rwx)"
                : "mount its file system for writing, or name another folder with --reports",
            isPermission ? .permission : .cannotCreate)
    }

    private func setFindings(_ folder: PublicationFolder, _ audience: Audience) throws -> [HealthFinding] {
        var findings: [HealthFinding] = []
        let runs = try folder.list()
        for run in runs {
            let damages = try folder.check(run.id).map(\.description).joined(separator: "; ")
            if damages.isEmpty, run.isCurrent {
                findings.append(.ok("published", "\(audience.rawValue) set \(run.id), whole"))
            }
            guard !damages.isEmpty else { continue }
            findings.append(
                run.isCurrent
                    ? .fail(
                        "published", "what readers see, \(run.id), is damaged: \(damages)",
                        remedy: "`tripkpi run` publishes it again; `tripkpi publish --rollback` goes back", .data)
                    : .warn(
                        "published", "an earlier set, \(run.id), is damaged: \(damages)", remedy: "remove its folder"))
        }
        if let current = try folder.currentID(), !runs.contains(where: \.isCurrent) {
            findings.append(
                .fail(
                    "published", "what readers see, \(current), has no manifest",
                    remedy: "`tripkpi run` publishes it again; `tripkpi publish --rollback` goes back", .data))
        }
        if let since = try folder.heldSince() {
            findings.append(
                .warn(
                    "published", "the \(audience.rawValue) set is held since \(since): runs publish nothing over it",
                    remedy: "`tripkpi publish --resume` ends it"))
        }
        let parts = try folder.leftovers()
        if !parts.isEmpty {
            findings.append(.ok("published", "\(parts.count) unfinished sets; the next run removes what is of no use"))
        }
        return findings
    }

    /// A warning at most: without the file a run is no worse, and `serve` serves.
    ///
    /// - Parameter setting: the name of the setting that names the file.
    static func metricsFinding(_ path: String?, setting: String) -> HealthFinding? {
        guard let path else { return nil }
        let folder = FilePath.folder(of: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return .warn("metrics", "\(folder) is no folder", remedy: "make it, or correct \(setting)")
        }
        guard let code = obstacle(folder) else { return .ok("metrics", path) }
        return .warn(
            "metrics", "\(folder) cannot be written to (\(String(cString: strerror(code))))",
            remedy: "let the user who runs tripkpi write there, under systemd by ReadWritePaths= too")
    }

    /// Why nothing can be made in a folder; nil if it can.
    private static func obstacle(_ folder: String) -> Int32? {
        access(folder, W_OK | X_OK) == 0 ? nil : errno
    }

    /// The path itself, or the nearest folder above it that is there.
    static func existing(_ path: String) -> String {
        var path = path
        while !FileManager.default.fileExists(atPath: path), path != ".", path != "/" {
            path = FilePath.folder(of: path)
        }
        return path
    }
}

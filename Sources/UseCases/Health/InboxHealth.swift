import ExportBytes
import Foundation
import Intake
import KPIContract
import Keys
import Profiles
import Reporting
import Settings
import Store
import Trips

/// The inbox's part of `NightlyHealth`. Files are named by their labels, since a name may be a person's.
struct InboxHealth {
    let health: NightlyHealth
    let store: TripStore?
    let key: PseudonymKey?

    func findings() -> [HealthFinding] {
        do {
            let inbox = try Inbox(folder: health.settings.inbox, profile: health.settings.profile)
            let closed = inbox.files.filter { !FileManager.default.isReadableFile(atPath: $0.path) }
            return [try inboxFinding(inbox, closed), skippedFinding(inbox), ownerFinding()].compactMap { $0 }
                + (try profileFindings(inbox)) + (try failedFindings(inbox)) + (try exportFindings(inbox))
        } catch {
            return [.failure("inbox", error)]
        }
    }

    private func inboxFinding(_ inbox: Inbox, _ closed: [Inbox.File]) throws -> HealthFinding {
        guard closed.isEmpty else {
            return .fail(
                "inbox", "\(closed.count) of \(inbox.files.count) files cannot be read: \(labels(closed.map(\.path)))",
                remedy: "give the user who runs tripkpi read permission", .permission)
        }
        let text = "\(health.settings.inbox): \(NumberText.counted(inbox.files.count, "export"))"
        guard let ledger = try store.map({ Set(try $0.exports().map(\.sha256) + $0.eventExports().map(\.sha256)) })
        else { return .ok("inbox", text) }
        let known = try inbox.files.count { file in try hash(of: file).map(ledger.contains) ?? false }
        return .ok("inbox", "\(text), \(known) of them loaded")
    }

    private func ownerFinding() -> HealthFinding? {
        PlaceSafety.remark(onInbox: health.settings.inbox).map { remark in
            .warn(
                "inbox", "\(health.settings.inbox): \(remark)",
                remedy:
                    "if that is not meant, make it a folder of the user who runs tripkpi, mode 0770 for a group that "
                    + "delivers; nothing of a file is shown, but its trips are counted")
        }
    }

    private func skippedFinding(_ inbox: Inbox) -> HealthFinding? {
        let others = inbox.skipped.filter { !$0.isHidden }
        let hidden = inbox.skipped.count - others.count
        if !others.isEmpty {
            return .warn(
                "inbox", "\(others.count) files are no exports by their ending: \(labels(others.map(\.path)))",
                remedy: "rename what is an export to .csv, .tsv, .json or .ndjson, with .gz if compressed")
        }
        return hidden > 0 ? .ok("inbox", "\(hidden) drafts or hidden files, which are left alone") : nil
    }

    /// A subfolder's name is a profile.
    private func profileFindings(_ inbox: Inbox) throws -> [HealthFinding] {
        Set(inbox.files.compactMap(\.profile)).sorted().compactMap { name in
            do {
                if name != health.settings.profile { try health.configuration.checkInboxFolder(named: name) }
                try health.configuration.checkProfile(name)
                return nil
            } catch {
                return .failure("inbox", error)
            }
        }
    }

    private func failedFindings(_ inbox: Inbox) throws -> [HealthFinding] {
        guard let store else { return [] }
        let failed = try store.failedExports(), waivers = try store.waivers()
        let open = failed.filter { waivers[$0.sha256] == nil }
        let here = Set(try inbox.files.compactMap { try hash(of: $0) })
        let (present, gone) = (open.filter { here.contains($0.sha256) }, open.filter { !here.contains($0.sha256) })
        var findings: [HealthFinding] = []
        if !present.isEmpty {
            findings.append(
                .fail(
                    "quarantine", "\(present.count) exports of the inbox could not be loaded: \(reasons(present))",
                    remedy: "`tripkpi quarantine list` says more; replace them, replay them, or waive them", .data))
        }
        if !gone.isEmpty {
            findings.append(
                .warn(
                    "quarantine",
                    "\(gone.count) exports that could not be loaded are no longer in the inbox: \(reasons(gone))",
                    remedy: "see that they came again whole; `tripkpi quarantine waive` takes them off the list"))
        }
        let waived = failed.count - open.count
        if open.isEmpty { findings.append(.ok("quarantine", waived > 0 ? "\(waived) waived exports" : "empty")) }
        return findings
    }

    /// Of each profile, the newest export of the inbox by its time of change. What could not be loaded is in the
    /// quarantine's finding, and what was waived is done with.
    private func exportFindings(_ inbox: Inbox) throws -> [HealthFinding] {
        let failed = try store.map { Set(try $0.failedExports().map(\.sha256)) } ?? []
        let files = try inbox.files.filter { file in
            try file.fault == nil && hash(of: file).map(failed.contains) != true
        }
        let newest = Dictionary(grouping: files, by: \.profile)
            .values.compactMap { files in files.max { modified($0) < modified($1) } }
        return newest.sorted { $0.path < $1.path }.flatMap { [columnFinding($0), listFinding($0)].compactMap(\.self) }
    }

    /// Values that are in no list, or why the export cannot be read; nil if there are none, or if its profile or its columns have a
    /// finding of their own.
    private func listFinding(_ file: Inbox.File) -> HealthFinding? {
        let profile = file.profile.flatMap { try? health.configuration.profile($0) }
        // `profileFindings` says why.
        if file.profile != nil, profile == nil { return nil }
        do throws(ExportError) {
            var request = ExportReader.Request(
                path: file.path, profile: profile, vocabulary: health.settings.vocabulary, textNeeds: [],
                checksVersions: false)
            request.mustBeRegular = true
            let notes = try ExportReader(request).read(workers: health.settings.jobs, hasVersions: true) { _ in
                ExportAge()
            }.findings.listNotes
            guard !notes.isEmpty else { return nil }
            return .warn(
                "lists", "\(FileLabel(fileName: file.path)): \(notes.joined(separator: "; "))",
                remedy: ReadFindings.listRemedy)
        } catch {
            // `columnFinding` says which, where a profile names them.
            if error.kind == .missingColumns, file.profile != nil { return nil }
            return .warn("inbox", "\(LabelledMessage(error, path: file.path))", remedy: "")
        }
    }

    private func modified(_ file: Inbox.File) -> Int {
        (try? ExportFileStat.of(path: file.path).modifiedNanoseconds) ?? .min
    }

    /// Nil if the export has all columns, or cannot be opened: other findings and the next run say why.
    private func columnFinding(_ file: Inbox.File) -> HealthFinding? {
        guard let name = file.profile, let profile = try? health.configuration.profile(name) else { return nil }
        var request = ExportReader.Request(path: file.path, profile: profile, textNeeds: [])
        request.mustBeRegular = true
        let label = FileLabel(fileName: file.path)
        do {
            guard let missing = try ExportReader(request).inventory.sentence else { return nil }
            return .warn(
                "columns", "\(label): \(missing)",
                remedy: "correct profile \(profile.source), or have the exports made with these columns")
        } catch  where error.kind == .missingColumns {
            return .fail("columns", "\(LabelledMessage(error, path: file.path))", remedy: "", .data)
        } catch {
            return nil
        }
    }

    /// Nil for a file that no run has looked at as it is now.
    private func hash(of file: Inbox.File) throws -> String? {
        guard let store, let key, let state = try? ExportFileStat.of(path: file.path) else { return nil }
        return try store.contentHash(
            of: state.signature(path: file.path, pseudonyms: Pseudonymizer(key: key, source: "inbox")))
    }

    private func reasons(_ failed: [FailedExport]) -> String {
        capped(failed.map { "\($0.label) (\($0.reason))" })
    }

    private func labels(_ paths: [String]) -> String {
        capped(paths.map { FileLabel(fileName: $0).description })
    }

    private func capped(_ names: [String]) -> String {
        let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
        return names.prefix(3).joined(separator: ", ") + rest
    }
}

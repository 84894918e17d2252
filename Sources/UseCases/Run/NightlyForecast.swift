package import Basics
import ExportBytes
import Foundation
import Intake
import KPIContract
import Operations
package import Privacy
import Profiles
import Publishing
import Reporting
import Rules
package import Settings
import Store
package import Trips

/// What a run would do, without doing it: nothing is written, made or locked.
package struct NightlyForecast: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings
    private let retention: RetentionTimes

    package init(_ site: StoreSite, _ figures: FigureSettings, retention: RetentionTimes = RetentionTimes()) {
        self.retention = retention
        self.site = site
        self.figures = figures
    }

    /// What would be done, a line each, and how it would end.
    package struct Answer: Sendable {
        package var lines: [String] = []
        /// Nil: it would go through, as far as the headers of the exports say.
        package var failure: FailureKind?
    }

    /// For a run over the inbox.
    ///
    /// - Parameter now: the time of the run.
    package func run(at now: UTCTime) throws -> Answer {
        let inbox = try Inbox(figures.reading)
        var answer = Answer(lines: try storeLines() + retentionLines(at: now))
        try add(inbox.files, isRun: true, to: &answer)
        answer.lines += inbox.skipped.map {
            "leave alone \(label($0.path)): a draft, a hidden file or no export by its ending"
        }
        answer.lines += try publicationLines()
        return answer
    }

    /// A line each, for publishing the store as it is.
    ///
    /// - Parameters:
    ///   - request: whether the release of released months is to be revised.
    ///   - audiences: for whom sets are published.
    ///   - resumed: whose hold would be ended first.
    ///   - now: the time of the set.
    package func publicationLines(
        revision request: RevisionRequest = .whenDue, audiences: [Audience], resumed: [Audience] = [], at now: UTCTime
    ) throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else {
            throw StoreError.missing(path: site.store)
        }
        let stale = try TripStore(reading: site.store).staleMonths()
        var lines = try storeLines()
        if !stale.isEmpty { lines.append("finish the numbers of \(stale.map(\.description).joined(separator: ", "))") }
        if let line = try revisionLine(request, audiences, at: now) { lines.append(line) }
        return lines + (try publicationLines(resumed: resumed))
    }

    /// Nil: no revision is asked for or due.
    private func revisionLine(_ request: RevisionRequest, _ audiences: [Audience], at now: UTCTime) throws -> String? {
        let store = try TripStore(reading: site.store)
        let revision = ReleaseRevision(store: store, rule: figures.disclosure.rule)
        guard audiences.contains(.release),
            try request != .whenDue || revision.isDue(figures.disclosure.revisions, generatedAt: now)
        else { return nil }
        guard try store.staleMonths().isEmpty, try store.rules().version == figures.rules.version else {
            return "revise the release, as far as the finished figures allow"
        }
        let tally = try store.tally(shape: store.shape())
        if request == .ofEveryMonth {
            let again = try ReleaseRegister(store: store, rule: figures.disclosure.rule)
                .planAgain(tally, rulesVersion: figures.rules.version)
            return RunEvent.releaseDividedAgain(again.months, joined: again.joined).sentence
        }
        let outcome = try revision.plan(tally, rulesVersion: figures.rules.version, at: now)
        let line = RunEvent.releaseRevised(outcome.months, groups: outcome.groups, waiting: outcome.waiting).sentence
        return outcome.unknown.isEmpty ? line : line + "; " + RunEvent.revisionNotPossible(outcome.unknown).sentence
    }

    private func publicationLines(resumed: [Audience] = []) throws -> [String] {
        let published = PublishedSets(root: site.reports)
        let held = try Audience.allCases.compactMap { audience in
            try published.folder(audience).heldSince().map { since in
                resumed.contains(audience)
                    ? "end the hold of \(audience.rawValue), since \(since)"
                    : "nothing for \(audience.rawValue): held since \(since)"
            }
        }
        return ["publish to \(site.reports), in place of \(try published.newestID() ?? "nothing")"] + held
    }

    /// For loading and withdrawing.
    package func load(
        files: [String], withdraw: [String], events: (files: [String], profile: String) = ([], "")
    ) throws -> Answer {
        var answer = Answer(lines: try storeLines())
        if !withdraw.isEmpty {
            let store = try TripStore(reading: site.store)
            for hash in withdraw {
                if let before = try store.withdrawnExport(beginningWith: hash) {
                    answer.lines.append("withdrawn before: \(before.prefix(12))")
                    continue
                }
                if let export = try store.eventExports().first(where: { $0.sha256.hasPrefix(hash.lowercased()) }) {
                    answer.lines.append("withdraw \(export.label), events, \(export.sha256.prefix(12))")
                    continue
                }
                let export = try store.export(beginningWith: hash)
                answer.lines.append("withdraw \(export.label), \(export.trips) trips, \(export.sha256.prefix(12))")
            }
        }
        let events = events.files.map { Inbox.File(path: $0, profile: events.profile) }
        try add(files.map(figures.reading.file) + events, isRun: false, to: &answer)
        return answer
    }

    /// What leaves the store for good.
    private func retentionLines(at now: UTCTime) throws -> [String] {
        guard let month = retention.firstMonth(at: now), try !TripStore.isAbsent(site.store) else { return [] }
        let store = try TripStore(reading: site.store)
        if let first = try store.firstKeptMonth(), first >= month { return [] }
        guard try store.totals().trips > 0 else { return [] }
        guard try ClockCheck.believes(now, store) else { return [RunEvent.retentionPaused().sentence] }
        let trips = NumberText.counted(try store.trips(before: month), "trip")
        return ["remove \(trips) of months before \(month) for good (setting `retention`)"]
    }

    private func storeLines() throws -> [String] {
        guard try !TripStore.isAbsent(site.store) else {
            return [
                "make the store \(site.store), rules \(figures.rules.name), version \(figures.rules.version.prefix(12))"
            ]
        }
        let store = try TripStore(reading: site.store)
        var lines = [
            "store \(site.store): \(NumberText.counted(try store.totals().trips, "trip")) of "
                + NumberText.counted(try store.exports().count, "export")
        ]
        let rules = try store.rules()
        if rules.version != figures.rules.version {
            lines.append(
                "classify all trips again: rules \(figures.rules.name), version \(figures.rules.version.prefix(12))")
        }
        return lines
    }

    private func add(_ files: [Inbox.File], isRun: Bool, to answer: inout Answer) throws {
        let store = try TripStore.isAbsent(site.store) ? nil : TripStore(reading: site.store)
        let ledger = Set(try (store?.exports().map(\.sha256) ?? []) + (store?.eventExports().map(\.sha256) ?? []))
        let waivers = try store?.waivers() ?? [:]
        let withdrawn = try store?.withdrawnExports() ?? []
        let accepted = try store?.acceptedExports()
        let columns = try store.map {
            ColumnMemory(store: $0, key: try site.key(of: $0), lastExportID: try $0.lastExportID())
        }
        for file in files {
            do {
                if let fault = file.fault { throw fault }
                let fingerprint = try ExportFingerprint.of(path: file.path)
                let what = "\(label(file.path)), \(ByteText.of(fingerprint.bytes)), \(fingerprint.sha256.prefix(12))"
                if ledger.contains(fingerprint.sha256) {
                    answer.lines.append("known already: \(what)")
                } else if waivers[fingerprint.sha256] != nil, accepted?[fingerprint.sha256] == nil {
                    answer.lines.append("waived: \(what)")
                } else if isRun, withdrawn.contains(fingerprint.sha256) {
                    answer.lines.append("withdrawn before: \(what)")
                } else {
                    answer.lines += try loadLines(
                        file, what, columns, isAccepted: accepted?.allow(.columnsGone) { fingerprint.sha256 } ?? false)
                }
            } catch let error as ExportError where error.kind == .changing && isRun {
                answer.lines.append("leave for the next run \(label(file.path)): somebody is writing it")
            } catch {
                answer.failure = answer.failure ?? (isRun ? .data : FailureKind(of: error))
                answer.lines.append("cannot load \(label(file.path)): \(LabelledMessage(error, path: file.path))")
            }
        }
    }

    /// - Parameters:
    ///   - columns: of the exports before it; nil: there is no store yet.
    ///   - isAccepted: whether it may lack columns that were there.
    private func loadLines(
        _ file: Inbox.File, _ what: String, _ columns: ColumnMemory?, isAccepted: Bool
    ) throws -> [String] {
        let reading = figures.reading
        if let name = file.profile, name != reading.profile { try reading.configuration.checkInboxFolder(named: name) }
        if let name = file.profile, reading.configuration.isOfEvents(name) {
            _ = try reading.configuration.eventProfile(name, lists: reading.lists)
            return ["load \(what): events, profile \(name)"]
        }
        let profile = try file.profile.map { try reading.configuration.profile($0) }
        var request = ExportReader.Request(
            path: file.path, profile: profile, vocabulary: reading.lists ?? .standard, zone: reading.zone, textNeeds: []
        )
        request.mustBeRegular = true
        let reader = try ExportReader(request)
        let name = ExportName((file.path as NSString).lastPathComponent)
        let gone = try columns?.check(reader, file, asOf: name.asOf, isAccepted: isAccepted)
        let line = "load \(what): \(reader.description), profile \(file.profile ?? "none")"
        return [line] + [reader.inventory.sentence, gone].compactMap(\.self).map { "  warning: \(name.label): \($0)" }
    }

    private func label(_ path: String) -> String {
        FileLabel(fileName: path).description
    }
}

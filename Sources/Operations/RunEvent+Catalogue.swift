package import Basics
import KPIContract
package import Trips

/// A run's beginning, its months and its end.
extension RunEvent {
    package static func runStarted(version: String) -> RunEvent {
        RunEvent("run.started", .info, "tripkpi \(RunEventValue.cleaned(version)) begins", [.version: .code(version)])
    }

    package static func lockTaken(process: Int32) -> RunEvent {
        RunEvent("lock.taken", .info, "the store is this run's own", [.process: .whole(Int(process))])
    }

    package static func storeOpened(schema: Int, trips: Int, exports: Int) -> RunEvent {
        RunEvent(
            "store.opened", .info,
            "the store holds \(NumberText.counted(trips, "trip")) of \(NumberText.counted(exports, "export"))",
            [.schema: .whole(schema), .trips: .whole(trips), .exports: .whole(exports)])
    }

    package static func stageDone(_ stage: RunMetrics.Stage, durationMilliseconds: Int) -> RunEvent {
        RunEvent(
            "stage.done", .info, "\(stage.rawValue): \(durationMilliseconds) ms",
            [.stage: .code(stage.rawValue), .durationMilliseconds: .whole(durationMilliseconds)])
    }

    /// - Parameters: before and after are versions of rules, which are hashes.
    package static func rulesChanged(before: String, after: String, trips: Int) -> RunEvent {
        RunEvent(
            "rules.changed", .notice, "the rules have changed; \(trips) trips are classified again",
            [.rulesBefore: .hash(before), .rulesAfter: .hash(after), .trips: .whole(trips)])
    }

    package static func monthsTouched(_ months: [Month]) -> RunEvent {
        RunEvent(
            "months.touched", .info,
            months.isEmpty
                ? "no month has changed" : "changed: \(months.map(\.description).joined(separator: ", "))",
            [.months: .months(months)])
    }

    /// - Parameters:
    ///   - months: first and last months with hardly any trips.
    ///   - sentences: which, and what to do; no figure.
    package static func edgeMonths(_ months: [Month], sentences: [String]) -> RunEvent {
        RunEvent("months.edge", .warning, sentences.joined(separator: "; "), [.months: .months(months)])
    }

    /// - Parameter isWarning: whether some of them look like real months rather than wrong dates.
    package static func monthsLeftOut(_ months: [Month], isWarning: Bool) -> RunEvent {
        RunEvent("months.left_out", isWarning ? .warning : .info, leftOut(months), [.months: .months(months)])
    }

    /// `2025-03, 2025-04 and 2 more are left out of all figures by first_month or last_month`.
    package static func leftOut(_ months: [Month]) -> String {
        let more = months.count > 3 ? " and \(months.count - 3) more" : ""
        let names = months.prefix(3).map(\.description).joined(separator: ", ") + more
        return "\(names) \(months.count == 1 ? "is" : "are") left out of all figures by first_month or last_month"
    }

    /// How far a long piece of work is, once a minute.
    ///
    /// - Parameter sentence: counts, rates and durations.
    package static func progressed(_ sentence: String) -> RunEvent {
        RunEvent("run.progress", .info, sentence, [.message: .text(sentence)])
    }

    /// - Parameters:
    ///   - open: months that are not closed yet.
    ///   - tooSmall: closed months with too few trips for a group.
    package static func monthsWithheld(open: [Month], tooSmall: [Month]) -> RunEvent {
        let parts = [(open, "not closed yet"), (tooSmall, "too few trips")].filter { !$0.0.isEmpty }
            .map { months, reason in "\(months.map(\.description).joined(separator: ", ")) (\(reason))" }
        return RunEvent(
            "months.withheld", .info, "withheld from the release: \(parts.joined(separator: "; "))",
            [.months: .months(open + tooSmall)])
    }

    /// - Parameter months: released by another store before.
    package static func releasesAdopted(_ months: [Month]) -> RunEvent {
        RunEvent(
            "releases.adopted", .notice,
            "the releases of \(NumberText.counted(months.count, "month")) are taken over as they are",
            [.months: .months(months)])
    }

    /// - Parameter months: that would be released or revised.
    package static func releaseWaiting(_ months: [Month]) -> RunEvent {
        let range =
            months.count > 1 ? "\(months[0]) to \(months[months.count - 1])" : months.map(\.description).joined()
        return RunEvent(
            "release.waiting", .warning,
            "the release waits for approval (\(NumberText.counted(months.count, "month")), \(range)): see `tripkpi publish "
                + "--preview`, then approve with --approve NAME", [.months: .months(months)])
    }

    package static func approvalUnused() -> RunEvent {
        RunEvent(
            "release.approval_unused", .warning,
            "no month waits for approval, so nothing is approved; give it again when `tripkpi publish --preview` names months"
        )
    }

    /// - Parameter month: one whose published figures change.
    package static func monthRestated(_ month: Month) -> RunEvent {
        RunEvent(
            "month.restated", .notice, "\(month) is restated; kpi-summary.json has its figures before and after",
            [.month: .text(month.description)])
    }

    package static func publishDone(
        id: String, audience: String, files: Int, bytes: Int, cells: Int, suppressedCells: Int,
        durationMilliseconds: Int
    ) -> RunEvent {
        RunEvent(
            "publish.done", .info,
            "published for \(audience): \(RunEventValue.cleaned(id)), \(files) files, \(cells) cells, "
                + "\(suppressedCells) of them suppressed",
            [
                .publicationID: .code(id), .audience: .code(audience), .files: .whole(files), .bytes: .whole(bytes),
                .cells: .whole(cells),
                .suppressedCells: .whole(suppressedCells), .durationMilliseconds: .whole(durationMilliseconds),
            ])
    }

    /// - Parameter since: RFC 3339.
    package static func publishHeld(audience: String, since: String) -> RunEvent {
        RunEvent(
            "publish.held", .warning,
            "nothing is published for \(audience): its set is held since \(RunEventValue.time(since)) until "
                + "`tripkpi publish --resume`", [.audience: .code(audience)])
    }

    package static func publishUnchanged(id: String, audience: String) -> RunEvent {
        RunEvent(
            "publish.unchanged", .info,
            "what is published for \(audience) says the same: \(RunEventValue.cleaned(id)) stays current",
            [.publicationID: .code(id), .audience: .code(audience)])
    }

    /// - Parameter why: names the place in the file, and no value.
    package static func fileLeftOut(_ name: String, why: String) -> RunEvent {
        RunEvent(
            "publish.file_left_out", .warning, "\(name) is not in the set for staff: \(why)",
            [.file: .text(name), .message: .text(why)])
    }

    package static func monthsReleased(_ months: [Month]) -> RunEvent {
        RunEvent(
            "months.released", .notice, "released: \(months.map(\.description).joined(separator: ", "))",
            [.months: .months(months)])
    }

    /// - Parameters:
    ///   - groups: whose figures change.
    ///   - waiting: groups with changes of too few trips.
    package static func releaseRevised(_ months: [Month], groups: Int, waiting: Int) -> RunEvent {
        let names = months.map(\.description)
        return RunEvent(
            "release.revised", .notice,
            "revision of the release: \(months.isEmpty ? "no month" : names.joined(separator: ", ")); "
                + "groups revised: \(groups); groups with changes of too few trips: \(waiting)",
            [.months: .texts(names), .groups: .whole(groups), .waiting: .whole(waiting)])
    }

    /// - Parameters:
    ///   - months: released again, divided by sourcing first.
    ///   - joined: of them, with too few in-house or contracted trips for that.
    package static func releaseDividedAgain(_ months: [Month], joined: Int) -> RunEvent {
        let names = months.map(\.description)
        return RunEvent(
            "release.divided_again", .warning,
            months.isEmpty
                ? "no month was released by an earlier rule: nothing is divided again"
                : "released again, divided into five populations: \(names.joined(separator: ", ")); without sourcing: "
                    + "\(joined). Readers can subtract copies of the earlier release from this one: remove the earlier sets "
                    + "from release/runs",
            [.months: .texts(names), .groups: .whole(joined)])
    }

    /// - Parameter months: released by an earlier version of tripkpi, which did not keep what has changed since.
    package static func revisionNotPossible(_ months: [Month]) -> RunEvent {
        let names = months.map(\.description)
        return RunEvent(
            "release.not_revised", .warning,
            "cannot be revised, since an earlier version or store released them: \(names.joined(separator: ", "))",
            [.months: .texts(names)])
    }

    /// There is a staff set, and no release.
    package static var nothingReleasedYet: RunEvent {
        RunEvent(
            "publish.nothing_released", .notice,
            "no month is closed and large enough to be released; nothing is published for release", [:])
    }

    package static func runFinished(
        exitCode: Int32, durationMilliseconds: Int, counts: ReadCounts, exports: ExportOutcomes
    ) -> RunEvent {
        RunEvent(
            "run.finished", exitCode == 0 ? .info : .warning,
            "ended with exit code \(exitCode) after \(DurationText.short(seconds: durationMilliseconds / 1000)): "
                + counts.sentence,
            [
                .exitCode: .whole(Int(exitCode)), .durationMilliseconds: .whole(durationMilliseconds),
                .loaded: .whole(exports.loaded), .known: .whole(exports.known), .failed: .whole(exports.failed),
                .waived: .whole(exports.waived),
            ].merging(counts.values) { own, _ in own })
    }

    package static func runStopped(_ stopped: Stopped) -> RunEvent {
        RunEvent(
            "run.stopped", .warning, stopped.description,
            [.signal: .code(stopped.name), .exitCode: .whole(Int(stopped.exitStatus))])
    }

    /// - Parameter message: the description of a `MetricsFileError`.
    package static func metricsFailed(_ message: String) -> RunEvent {
        RunEvent("metrics.failed", .warning, message, [.message: .text(message)])
    }

    /// - Parameters:
    ///   - failure: the family, such as `configuration`.
    ///   - message: the description of one of this package's error types, which contain no values of records.
    package static func runFailed(failure: String, message: String, exitCode: Int32) -> RunEvent {
        RunEvent(
            "run.failed", .error, message,
            [.failure: .code(failure), .message: .text(message), .exitCode: .whole(Int(exitCode))])
    }
}

/// The outcome of each export of the inbox.
extension RunEvent {
    package enum SkipReason: String, Sendable, CaseIterable {
        /// Its size or time still changes: another process writes it.
        case unsettled
        /// Its name begins with a dot or ends as a draft does.
        case hidden
        /// It does not end as an export does, or it is a folder in a profile's folder.
        case noExport = "no_export"
    }

    package static func exportFound(_ file: FileLabel, bytes: Int) -> RunEvent {
        RunEvent(
            "export.found", .info, "found \(file), \(bytes) bytes",
            [.file: .text(file.description), .bytes: .whole(bytes)])
    }

    package static func exportKnown(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.known", .info, "\(file) is known by its content; nothing to do",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    package static func exportLoaded(
        _ file: FileLabel, sha256: String, counts: ReadCounts, durationMilliseconds: Int
    ) -> RunEvent {
        RunEvent(
            "export.loaded", .info, "loaded \(file): \(counts.sentence)",
            [
                .file: .text(file.description), .sha256: .hash(sha256),
                .durationMilliseconds: .whole(durationMilliseconds),
            ].merging(counts.values) { own, _ in own })
    }

    /// - Parameter withoutRegion: events that are counted as Unassigned.
    package static func eventsLoaded(
        _ file: FileLabel, sha256: String, counts: ReadCounts, withoutRegion: Int, durationMilliseconds: Int
    ) -> RunEvent {
        let unassigned = withoutRegion > 0 ? ", \(NumberText.grouped(withoutRegion)) of them without a region" : ""
        return RunEvent(
            "export.loaded", .info,
            "loaded \(file): \(NumberText.counted(counts.added, "event"))\(unassigned), "
                + "\(NumberText.grouped(counts.rejected)) rejected",
            [
                .file: .text(file.description), .sha256: .hash(sha256),
                .durationMilliseconds: .whole(durationMilliseconds),
            ].merging(counts.values) { own, _ in own })
    }

    /// - Parameters:
    ///   - reason: a code, such as `too_many_rejects`.
    ///   - message: the same for people, with the remedy: the description of an error type of this package, with the
    ///     file's label in place of its path.
    package static func exportFailed(
        _ file: FileLabel, sha256: String, reason: String, message: String, read: Int?, rejected: Int?
    ) -> RunEvent {
        let share = read.flatMap { $0 > 0 ? ", \(rejected ?? 0) of \($0) records rejected" : nil } ?? ""
        return RunEvent(
            "export.failed", .error,
            "\(file) was not loaded (\(RunEventValue.cleaned(reason)))\(share): \(message)",
            [
                .file: .text(file.description), .sha256: .hash(sha256), .reason: .code(reason),
                .message: .text(message), .read: read.map { .whole($0) }, .rejected: rejected.map { .whole($0) },
            ])
    }

    package var isExportFailure: Bool { name == "export.failed" }

    /// Whether an export that was found is done with.
    package var endsExport: Bool { ["export.loaded", "export.failed"].contains(name) }

    /// - Parameter note: the reader's note on unmapped columns: positions and kinds, nothing of their content.
    package static func exportNoted(_ file: FileLabel, note: String) -> RunEvent {
        RunEvent(
            "export.noted", .notice, "\(file): \(note)", [.file: .text(file.description), .message: .text(note)])
    }

    /// - Parameter missing: which mapped columns the export lacks, as the profile names them.
    package static func exportColumnsMissing(_ file: FileLabel, missing: String) -> RunEvent {
        RunEvent(
            "export.columns_missing", .warning, "\(file): \(missing)",
            [.file: .text(file.description), .message: .text(missing)])
    }

    /// - Parameter sentence: the column, the shape of its values and what to do; no value.
    package static func exportValuesUnreadable(_ file: FileLabel, sentence: String) -> RunEvent {
        RunEvent(
            "export.values_unreadable", .warning, "\(file): \(sentence)",
            [.file: .text(file.description), .message: .text(sentence)])
    }

    package static func exportWaived(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.waived", .notice, "\(file) is passed over: it was waived",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    package static func exportWithdrawnKnown(_ file: FileLabel, sha256: String) -> RunEvent {
        RunEvent(
            "export.withdrawn_known", .notice,
            "\(file) is passed over: it was withdrawn; `tripkpi load` would take it in again",
            [.file: .text(file.description), .sha256: .hash(sha256)])
    }

    /// Of a first run: there is nothing to be published.
    package static func inboxEmpty() -> RunEvent {
        RunEvent("inbox.empty", .warning, "the inbox has no export, and the store no trip: nothing is published")
    }

    package static func exportSkipped(_ file: FileLabel, _ reason: SkipReason) -> RunEvent {
        let why =
            switch reason {
            case .unsettled: "it still changes; the next run takes it"
            case .hidden: "a draft or a hidden file"
            case .noExport: "no export by its ending, or a folder in a profile's folder"
            }
        return RunEvent(
            "export.skipped", reason == .hidden ? .info : .notice, "\(file) is left alone: \(why)",
            [.file: .text(file.description), .reason: .code(reason.rawValue)])
    }
}

extension ReadCounts {
    /// The equation, as every report states it.
    var sentence: String {
        "\(read) read = \(added) added + \(updated) updated + \(unchanged) unchanged + \(superseded) superseded"
            + (merged == 0 ? "" : " + \(merged) merged") + " + \(skipped) skipped + \(rejected) rejected"
    }

    var values: [RunEventField: RunEventValue?] {
        [
            .read: .whole(read), .added: .whole(added), .updated: .whole(updated), .unchanged: .whole(unchanged),
            .superseded: .whole(superseded), .merged: merged == 0 ? nil : .whole(merged), .skipped: .whole(skipped),
            .rejected: .whole(rejected),
        ]
    }
}

extension RunEvent {
    /// - Parameter label: the file label that the store keeps.
    package static func exportWithdrawn(label: String, sha256: String, trips: Int) -> RunEvent {
        RunEvent(
            "export.withdrawn", .notice, "\(FileLabel(fileName: label)) is taken out, \(trips) trips",
            [.file: .text(FileLabel(fileName: label).description), .sha256: .hash(sha256), .trips: .whole(trips)])
    }

    package static func exportWithdrawnBefore(sha256: String) -> RunEvent {
        RunEvent(
            "export.withdrawn_before", .notice, "export \(sha256.prefix(12)) was withdrawn before",
            [.sha256: .hash(sha256)])
    }
}

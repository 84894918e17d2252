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
            "store.opened", .info, "the store holds \(trips) trips of \(exports) exports",
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
            "rules.changed", .notice, "the rules have changed; \(trips) trips are classified anew",
            [.rulesBefore: .hash(before), .rulesAfter: .hash(after), .trips: .whole(trips)])
    }

    package static func monthsTouched(_ months: [Month]) -> RunEvent {
        RunEvent(
            "months.touched", .info,
            months.isEmpty
                ? "no month has changed" : "changed: \(months.map(\.description).joined(separator: ", "))",
            [.months: .texts(months.map(\.description))])
    }

    /// - Parameter month: one whose figures are not those that readers saw before.
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

    package static func publishUnchanged(id: String, audience: String) -> RunEvent {
        RunEvent(
            "publish.unchanged", .info,
            "what is published for \(audience) is still right: \(RunEventValue.cleaned(id))",
            [.publicationID: .code(id), .audience: .code(audience)])
    }

    package static func monthsReleased(_ months: [Month]) -> RunEvent {
        RunEvent(
            "months.released", .notice, "released: \(months.map(\.description).joined(separator: ", "))",
            [.months: .texts(months.map(\.description))])
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

    /// - Parameter months: released by an earlier version of tripkpi, which did not keep what has changed since.
    package static func revisionNotPossible(_ months: [Month]) -> RunEvent {
        let names = months.map(\.description)
        return RunEvent(
            "release.not_revised", .warning,
            "cannot be revised, since an earlier version released them: \(names.joined(separator: ", "))",
            [.months: .texts(names)])
    }

    /// There is a staff set, and no release.
    package static var nothingReleasedYet: RunEvent {
        RunEvent(
            "publish.nothing_released", .notice,
            "no month is closed and large enough to be released; nothing is published for release", [:])
    }

    package static func runFinished(
        exitCode: Int32, durationMilliseconds: Int, counts: ReadCounts, exports: ExportCounts
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
    ///   - message: the description of an error type of ours, and of no other: those hold no value of a record.
    package static func runFailed(failure: String, message: String, exitCode: Int32) -> RunEvent {
        RunEvent(
            "run.failed", .error, message,
            [.failure: .code(failure), .message: .text(message), .exitCode: .whole(Int(exitCode))])
    }
}

/// What became of the exports that a run met.
package struct ExportCounts: Sendable, Hashable {
    package var loaded = 0
    package var known = 0
    package var failed = 0
    package var waived = 0

    package init() {}
}

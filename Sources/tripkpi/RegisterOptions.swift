import ArgumentParser
import Basics
import Cluster
import Operations
import Reporting
import Settings
import UseCases

/// The register of the months that `merge` has released.
struct RegisterOptions: ParsableArguments {
    @Option(
        help: .value("file", "The register of released months; --changes makes it if there is none."),
        completion: .file())
    var releases: String?

    @Option(
        help: .value(
            "file",
            "Record closed months, and revise when it is due; the file has the trips that changed since the last time."),
        completion: .file())
    var changes: String?

    @Option(
        help: .value(
            "file",
            "With --changes: the kpi-summary.json that readers have. Its months are released again only with the same figures."
        ),
        completion: .file())
    var published: String?

    @Flag(help: "With --changes: revise the released months now.") var revise = false

    @Option(
        help: .value(
            "name",
            "With --changes: release what waits for approval (setting `release_approval`). The name stands in the audit log."
        ))
    var approve: String?

    func validate() throws {
        if approve != nil, changes == nil { throw ValidationError("--approve needs --changes") }
        try ApproverName.check(approve)
        if changes != nil, releases == nil { throw ValidationError("--changes needs --releases") }
        if published != nil, changes == nil { throw ValidationError("--published needs --changes") }
        if revise, changes == nil { throw ValidationError("--revise needs --changes") }
    }

    /// Records in the register what was planned, and in the audit log who approved it.
    ///
    /// - Returns: what was recorded, in words.
    func record(_ release: RegisteredRelease?, _ settings: Settings) throws -> [RunEvent] {
        guard let release else { return [] }
        guard let approve, release.changedMonths > 0 else { return try release.record() }
        let audit = try Program.audit(settings, command: "merge")
        try audit.prepare()
        return try audit.recording(
            .approve,
            { entry in
                entry.approvedBy = approve
                entry.counts = [("months", release.changedMonths)]
            }, isUndone: release.isUnrecorded, release.record)
    }

    /// The release as the register has it, with what --changes asks for, which is not recorded yet.
    ///
    /// - Returns: nil without --releases; and what is withheld.
    func release(
        _ tallies: MergedTallies, _ settings: Settings, generatedAt now: UTCTime
    ) throws -> (release: RegisteredRelease?, withheld: [RunEvent]) {
        guard let releases else { return (nil, []) }
        var release = try RegisteredRelease(
            path: releases, tallies, disclosure: settings.disclosure, months: settings.months,
            isRecording: changes != nil)
        let withheld = try changes.map {
            try release.plan(
                changesIn: $0, published: published, revision: revise ? .now : .whenDue,
                approval: settings.releaseApproval, isApproved: approve != nil, generatedAt: now)
        }
        return (release, withheld ?? [])
    }
}

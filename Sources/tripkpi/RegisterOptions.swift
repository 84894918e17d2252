import ArgumentParser
import Operations
import Releases
import Scans
import Settings

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

    func validate() throws {
        if changes != nil, releases == nil { throw ValidationError("--changes needs --releases") }
        if published != nil, changes == nil { throw ValidationError("--published needs --changes") }
        if revise, changes == nil { throw ValidationError("--revise needs --changes") }
    }

    /// Nil without --releases.
    func release(_ tallies: MergedTallies, _ settings: Settings) throws -> RecordedRelease? {
        try releases.map {
            try RecordedRelease(
                path: $0, tallies, disclosure: settings.disclosure, months: settings.months, isRecording: changes != nil
            )
        }
    }

    /// Plans what --changes asks for.
    ///
    /// - Returns: what is withheld.
    func plan(_ release: inout RecordedRelease, generatedAtEpochSeconds now: Int) throws
        -> [RunEvent]
    {
        guard let changes else { return [] }
        return try release.plan(
            changesIn: changes, published: published, isRevisionAsked: revise,
            generatedAtEpochSeconds: now)
    }
}

import ArgumentParser
import Files
import Foundation
import Nightly
import Operations
import Privacy
import Settings
import Store
import Trips

struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove old months, trips or patients from the store for good.",
        discussion: """
            Without --yes it prints what would be removed, and changes nothing. What is removed leaves the store, the \
            public ids and the crosswalk. Exports that have it do not bring it back. Released months keep their figures \
            and are not revised any more. Published sets that have the trips as rows are replaced and removed.

            The ids are read from a file, never from the command line, which others can see: one on a line, and after a \
            tab the leg id where a trip has one. The audit log has the event `purge` with counts, and no id.

            Exports in the inbox, backups and files that were made elsewhere still have what is removed: \
            docs/retention.md.

            EXAMPLES:
              tripkpi purge --before 2019-10
              tripkpi purge --before 2019-10 --yes
              tripkpi purge --patients - --yes <patients.txt
              tripkpi purge --public-id 4f0c…e1 --yes
            """)

    @Option(help: .value("month", "Remove trips of months before this one (YYYY-MM).")) var before: String?
    @Option(help: .value("file", "Remove the trips whose ids are in this file; - is standard input.")) var trips:
        String?
    @Option(help: .value("file", "Remove all trips of the patients whose ids are in this file; - is standard input."))
    var patients: String?
    @Option(help: .value("public-id", "Remove the trip with this public id; may be repeated.")) var publicID: [String] =
        []
    @Flag(help: "Remove it. It cannot be undone.") var yes = false

    @OptionGroup var site: SiteOptions
    @OptionGroup var jobs: JobsOption
    @Option(help: Setting.rules.help("rules")) var rules: String?
    @OptionGroup var config: ConfigOptions
    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if before == nil, trips == nil, patients == nil, publicID.isEmpty {
            throw ValidationError("give --before, --trips, --patients or --public-id")
        }
        if let before, Month(before) == nil { throw ValidationError("--before takes a month such as 2019-10") }
        if trips == "-", patients == "-" {
            throw ValidationError("only one of --trips and --patients can be standard input")
        }
        if publicID.contains(where: { PublicTripID($0) == nil }) {
            throw ValidationError("a public id has 32 hexadecimal digits")
        }
    }

    func run() throws {
        let settings = try config.settings([site.flags, jobs.flags, [.rules: rules]])
        let removal = TripRemoval(
            StoreSite(settings), try config.figures(settings), try config.publicationPolicy(settings))
        let request = TripRemoval.Request(
            before: before.flatMap { Month($0) }, trips: try Self.lines(of: trips).map(Self.trip),
            patients: try Self.lines(of: patients).map(Sensitive.init),
            publicIDs: publicID.compactMap { PublicTripID($0) })
        let command = StoreCommand(command: "purge", settings: settings, verbosity: verbosity)
        guard yes else {
            let removed = try command.run { try removal.preview(request, $0) }
            return try Program.say(
                Self.lines(removed, isDone: false) + [
                    "nothing is changed; with --yes it is removed, and cannot be undone"
                ])
        }
        let outcome = try command.run { try removal.run(request, $0) }
        try Program.say(Self.lines(outcome.removed, isDone: true) + Self.lines(outcome))
        if let failure = outcome.nightly.failure { throw ExitStatus.end(failure) }
    }

    private static func lines(_ removed: RemovedTrips, isDone: Bool) -> [String] {
        let verb = isDone ? "removed:" : "would be removed:"
        var lines = ["\(verb) \(removed.trips.count) trips (\(removed.versions) records)"]
        if let first = removed.months.first, let last = removed.months.last {
            lines.append("months: \(first == last ? "\(first)" : "\(removed.months.count) from \(first) to \(last)")")
        }
        if !removed.frozenMonths.isEmpty {
            let months = removed.frozenMonths.map(\.description).joined(separator: ", ")
            lines.append("released months that keep their figures and are not revised any more: \(months)")
        }
        if !removed.exports.isEmpty {
            lines.append(
                "exports that have them; delete these files yourself: \(removed.exports.joined(separator: ", "))")
        }
        return lines
    }

    private static func lines(_ outcome: TripRemoval.Outcome) -> [String] {
        var lines: [String] = []
        if !outcome.removedSets.isEmpty {
            lines.append("earlier sets that had them as rows are removed: \(outcome.removedSets.count)")
        }
        for audience in outcome.heldAudiences {
            lines.append(
                "warning: the set for \(audience.rawValue) is held and may still have them; run `tripkpi publish --resume`, then this "
                    + "command again")
        }
        if !outcome.isErased {
            lines.append(
                "warning: another process reads the store, and its log (-wal) still has the removed rows; stop that process, and run "
                    + "this command again")
        }
        return lines + ["backups of the store and files made from it still have them: docs/retention.md"]
    }

    /// The lines of a file, without empty ones.
    private static func lines(of path: String?) throws -> [String] {
        guard let path else { return [] }
        var bytes: [UInt8] = []
        if path == "-" {
            try StandardInput.forEachPiece { bytes += $0 }
        } else {
            bytes = try OpenFile(path, for: .read).read()
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func trip(_ line: String) -> (trip: Sensitive<String>, leg: Sensitive<String>) {
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return (Sensitive(parts[0]), Sensitive(parts.count > 1 ? parts[1] : ""))
    }
}

import ArgumentParser
import Basics
import Files
import Foundation
import Operations
import Reporting
import Settings
import Trips
import UseCases

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
            let lines = try command.run { try removal.preview(request, $0) }
            return try Program.say(lines + ["nothing is changed; with --yes it is removed, and cannot be undone"])
        }
        // What is removed is told before the sets that have it as rows are replaced.
        ProcessSafety.outliveReaders()
        let outcome = try command.run { environment in
            try removal.run(request, environment) { lines in
                let lines = lines + ["backups of the store and files made from it still have them: docs/retention.md"]
                do { try Program.say(lines) } catch {
                    // A repetition of the command could not print them.
                    for line in lines { Program.tell(line) }
                    throw error
                }
            }
        }
        if let failure = outcome.failure { throw ExitStatus.end(failure) }
    }

    /// The lines of a file, without empty ones.
    private static func lines(of path: String?) throws -> [String] {
        guard let path else { return [] }
        var bytes: [UInt8] = []
        if path == "-" {
            try StandardInput.forEachPiece { bytes += $0 }
        } else {
            guard try FileStatus.lookUp(path) != nil else { throw TripRemovalError.noList }
            bytes = try OpenFile(path, for: .read).read()
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            throw TripRemovalError.unreadableList
        }
        let whole = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        return whole.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    private static func trip(_ line: String) -> (trip: Sensitive<String>, leg: Sensitive<String>) {
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return (Sensitive(parts[0]), Sensitive(parts.count > 1 ? parts[1] : ""))
    }
}

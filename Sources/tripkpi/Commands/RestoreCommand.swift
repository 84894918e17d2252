import ArgumentParser
import Reporting
import Settings
import UseCases

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in place: store, published sets and audit log, and the key if it was sealed.",
        discussion: """
            The whole backup is unpacked into a private folder beside the store and checked first: hashes, every row and \
            tally of the store, the key, the published sets, the audit log. Then the store takes its place in one \
            step. After a kill either the old or the new state is there; run the command again to complete it.

            Where the files go is said by the settings and flags, not by the backup: it may come from another machine. \
            A store that is there is kept, and the command ends with 64, unless --replace moves it aside. \
            Published sets are put back where readers have none, or with --replace. What was held stays held. An audit log that \
            is whole is kept, unless the backup's goes on from it. A key is never replaced.

            Restore it as the user who runs tripkpi. Then run `tripkpi verify`, and `tripkpi run`.

            EXAMPLES:
              tripkpi restore /backup/tripkpi.tar --check
              tripkpi restore /backup/tripkpi.tar
              tripkpi restore /backup/tripkpi.tar --replace
              tripkpi restore /backup/tripkpi.tar --seal-with /root/tripkpi.secret
            """)

    @Argument(help: .value("file", "A file that `tripkpi backup` has written."), completion: .file()) var file: String

    @Flag(help: "Check the backup and print what it holds; change nothing.") var check = false

    @Flag(help: "Move the present store aside, and make the published sets of the backup current.")
    var replace = false

    @Option(
        help: .value("secret-file", "The secret that the key in the backup is sealed with."), completion: .file())
    var sealWith: String?

    @OptionGroup var store: StoreChangeOptions
    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if check, replace { throw ValidationError("--check changes nothing: leave out --replace") }
    }

    func run() throws {
        let settings = try store.settings()
        let restore = Restore(
            StoreSite(settings), from: file, sealedWith: sealWith, audiences: settings.audiences)
        let command = StoreCommand(command: "restore", settings: settings, verbosity: verbosity)
        if check { return try Program.say(command.run { try restore.check($0) }) }
        verbosity.tell(try command.run { try restore.run(replaces: replace, $0) })
    }
}

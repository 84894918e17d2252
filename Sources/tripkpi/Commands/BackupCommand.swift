import ArgumentParser
import Reporting
import UseCases

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write store, published sets, audit log and settings to one checked file, while runs go on.",
        discussion: """
            The file is a tar archive (mode 0600) with a manifest that has the SHA-256 of each part. It appears when it \
            is complete, and never replaces a file. The store is verified as a whole: every row and tally. Beside \
            the file, as much space again is needed while it is written, and its file system must have hard links (74).

            The key is left out: without it nothing can be loaded into the store, so keep a copy of it elsewhere. With \
            --seal-with the key is in the file, encrypted with a secret of 32 or more random bytes that you keep apart \
            from the file. The crosswalk is never in a backup, for it holds identifiers.

            The file has rows of single trips, without identifiers: treat it as a limited data set (45 CFR 164.514(e)).

            EXAMPLES:
              tripkpi backup /backup/tripkpi-$(date +%F).tar
              head -c 32 /dev/urandom | install -m 0600 /dev/stdin /root/tripkpi.secret
              tripkpi backup /backup/tripkpi.tar --seal-with /root/tripkpi.secret
              tripkpi restore /backup/tripkpi.tar --check
            """)

    @Argument(help: .value("file", "The file to write."), completion: .file()) var file: String

    @Option(
        help: .value("secret-file", "Put the key into the file, sealed with this secret."), completion: .file())
    var sealWith: String?

    @OptionGroup var store: StoreChangeOptions
    @OptionGroup var verbosity: VerbosityOptions

    func run() throws {
        let settings = try store.settings()
        let backup = Backup(StoreSite(settings), settings: BackupSettings(settings), sealedWith: sealWith)
        let outcome = try StoreCommand(command: "backup", settings: settings, verbosity: verbosity).run {
            try backup.write(to: file, $0)
        }
        verbosity.tell(outcome.lines + ["written: \(file)"])
    }
}

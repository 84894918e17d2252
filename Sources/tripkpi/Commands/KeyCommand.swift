import ArgumentParser
import Reporting
import Settings
import UseCases

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Identify the key of the store's pseudonyms, or rotate it.",
        discussion: """
            EXAMPLES:
              tripkpi key fingerprint
              tripkpi key rotate
            """, subcommands: [Fingerprint.self, Rotate.self], defaultSubcommand: Fingerprint.self)

    struct Fingerprint: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fingerprint", abstract: "Print which key it is, and nothing else about it.")

        @OptionGroup var store: KeyedReadingOptions

        func run() throws {
            let (fingerprint, rotations) = try KeyRotation(StoreSite(store.settings())).fingerprint()
            try Program.say(["\(fingerprint)  rotated \(rotations) times"])
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Give the key file a new secret, and convert the store's pseudonyms to it.",
            discussion: """
                Run it if someone may have read the key. With the old key they can then test no identifier against \
                the present store; they still can against an older copy of the store. Public ids and all KPIs stay \
                the same. The file keeps the earlier secrets, which new exports still need; back it up again. A store \
                from an older backup is converted when it is opened.
                """)

        @OptionGroup var store: StoreChangeOptions
        @OptionGroup var verbosity: VerbosityOptions

        func run() throws {
            let settings = try store.settings()
            let outcome = try KeyRotation(StoreSite(settings)).run(Program.environment(of: "key rotate", settings))
            verbosity.tell(
                "\(outcome.trips) trips converted; the key is now \(outcome.fingerprint), rotated \(outcome.rotations) "
                    + "times. Back up \(settings.keyFile) again, apart from the store")
        }
    }
}

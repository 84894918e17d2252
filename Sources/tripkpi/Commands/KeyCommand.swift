import ArgumentParser
import Foundation
import Pipeline

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Rotate the key of the store's pseudonyms, or tell it from another one.",
        discussion: """
            EXAMPLES:
              tripkpi key fingerprint
              tripkpi key rotate
            """, subcommands: [Fingerprint.self, Rotate.self], defaultSubcommand: Fingerprint.self)
}

extension KeyCommand {
    struct Fingerprint: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fingerprint", abstract: "Say which key it is, and nothing else about it.")

        @OptionGroup var store: StoreOptions

        func run() throws {
            let (fingerprint, rotations) = try KeyRotation.fingerprint(of: store.plan(store.settings()))
            try Program.say(["\(fingerprint)  rotated \(rotations) times"])
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Give the key file another secret, and carry the store's pseudonyms over to it.",
            discussion: """
                For when the key may have been read by somebody: what they have then tries out no identifier against the \
                store as it is now. Against a copy of the store from before it still does. Public ids and all figures stay \
                as they are. The file keeps the secrets from before, which new exports still need; back it up anew. A \
                store from an older backup is carried over by itself.
                """)

        @OptionGroup var store: StoreOptions
        @OptionGroup var talk: TalkOptions

        func run() throws {
            let settings = try store.settings()
            let outcome = try KeyRotation(
                store.plan(settings), NightlyRun.Surroundings(owner: StoreOptions.owner(of: "key rotate"))
            ).run()
            if !talk.quiet {
                Program.tell(
                    "\(outcome.trips) trips carried over; the key is now \(outcome.fingerprint), rotated "
                        + "\(outcome.rotations) times. Back up \(settings.nightly.keyFile) anew, apart from the store")
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

/// A command has the flags that it uses, and no others of those that several commands share.
@Suite struct CommandFlagsTests {
    private static let site: Set = ["store", "key-file", "reports"]
    private static let interpretation: Set = ["profile", "rules", "zone", "config", "data-dir"]
    private static let limits: Set = ["jobs", "max-reject", "minimum-cell"]

    /// The shared flags of each command.
    private static let flags: [String: Set<String>] = [
        "run": site.union(interpretation).union(limits).union(["inbox", "keep", "quiet"]),
        "load": site.union(interpretation).union(["jobs", "max-reject", "quiet"]),
        "publish": site.union(["jobs", "minimum-cell", "rules", "config", "data-dir", "keep", "audience", "quiet"]),
        "purge": site.union(["jobs", "rules", "config", "data-dir", "quiet"]),
        "verify": ["quiet", "store", "reports", "config", "data-dir"],
        "digest": ["reports", "config"],
        "query": ["store", "config", "data-dir", "internal"],
        "serve": ["config", "data-dir", "reports", "quiet"],
        "scan": interpretation.union(limits).union(
            ["key-file", "audience", "release", "internal", "quiet", "no-color"]),
        "report": interpretation.union(limits).union(
            ["store", "reports", "audience", "release", "internal", "quiet", "no-color"]),
        "costs": site.union(interpretation).union(limits).union(["audience", "release", "internal", "quiet"]),
        "trips": site.union(interpretation).union(["max-reject", "minimum-cell", "quiet"]),
        "facts": interpretation.union(["store", "key-file", "jobs", "max-reject", "quiet"]),
        "tally": [],
        "merge": ["minimum-cell", "config", "audience", "release", "internal", "quiet", "no-color"],
        "classify apply": site.union(interpretation).union(["jobs", "minimum-cell", "internal", "quiet"]),
        "classify explain": interpretation.union(["store", "key-file", "jobs"]),
        "quarantine list": ["store", "config"],
        "quarantine replay": site.union(interpretation).union(["jobs", "max-reject", "inbox", "quiet"]),
        "quarantine waive": site.union(["config", "quiet"]),
        "quarantine forget": site.union(["config", "quiet"]),
        "map suggest": ["quiet"],
        "sample": ["zone"],
        "schema": ["data-dir"],
        "reidentify": ["store", "key-file", "config"],
        "crosswalk check": ["store", "config"],
        "crosswalk forget": site.union(["config", "quiet"]),
        "key fingerprint": ["store", "key-file", "config"],
        "audit begin": site.union(["config", "quiet"]),
        "key rotate": site.union(["config", "quiet"]),
        "backup": site.union(["config", "quiet"]),
        "restore": site.union(["config", "quiet"]),
        "doctor": site.union(interpretation).union(limits).union(["inbox"]),
    ]

    @Test func eachCommandHasTheSharedFlagsThatItUses() throws {
        let dump = try CommandRunner().run(["--experimental-dump-help"])
        let commands = try JSONDecoder().decode(Dump.self, from: Data(dump.stdout)).command.flags(path: "")
            .filter { $0.key != "help" }
        #expect(Set(commands.keys) == Set(Self.flags.keys))
        let shared = Self.flags.values.reduce(into: Set()) { $0.formUnion($1) }
        for (command, names) in commands {
            #expect(names.intersection(shared) == Self.flags[command] ?? [], "tripkpi \(command)")
        }
    }
}

/// What `--experimental-dump-help` prints, as far as it is used here.
private struct Dump: Decodable {
    struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }

        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// The names of the flags of each command without subcommands, by the command's words.
        func flags(path: String) -> [String: Set<String>] {
            (subcommands ?? []).reduce(into: [:]) { found, command in
                let path = path + command.commandName
                if command.subcommands?.isEmpty ?? true {
                    found[path] = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
                } else {
                    found.merge(command.flags(path: path + " ")) { $1 }
                }
            }
        }
    }

    var command: Command
}

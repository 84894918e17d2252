import ArgumentParser
import Foundation
import Operations
import Privacy
import Settings

extension Audience: ExpressibleByArgument {}

extension LogFormat: ExpressibleByArgument {}

extension Setting {
    /// The help of the flag that sets it.
    func help(_ valueName: String) -> ArgumentHelp { .value(valueName, help) }
}

extension ArgumentHelp {
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp("\(text)", valueName: name) }
}

struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The folder of profiles, rules, contract and samples.",
            discussion:
                "Default: TRIPKPI_DATA, else ../share/tripkpi beside the program, else data/ of the source checkout.",
            valueName: "folder"), completion: .directory)
    var dataDirectory: String?

    func folder() throws -> DataFolder {
        try DataFolder.find(
            flag: dataDirectory, environment: ProcessInfo.processInfo.environment, executable: Program.path)
    }
}

/// Threads, rejected records and the disclosure threshold.
struct LimitOptions: ParsableArguments {
    @OptionGroup var jobs: JobsOption
    @OptionGroup var rejects: RejectsOption
    @OptionGroup var groups: MinimumCellOption

    var flags: [Setting: String?] {
        jobs.flags.merging(rejects.flags) { $1 }.merging(groups.flags) { $1 }
    }
}

struct RejectsOption: ParsableArguments {
    @Option(help: Setting.maxReject.help("percentage")) var maxReject: Percentage?

    var flags: [Setting: String?] { [.maxReject: maxReject?.text] }

    /// `1%`, `0.5%` or `0.01`
    struct Percentage: ExpressibleByArgument {
        let text: String

        init?(argument: String) {
            guard Settings.perMillion(argument) != nil else { return nil }
            text = argument
        }
    }
}

struct InboxOption: ParsableArguments {
    @Option(help: Setting.inbox.help("folder"), completion: .directory) var inbox: String?
}

struct AudienceOptions: ParsableArguments {
    @Option(help: Setting.audience.help("audience")) var audience: Audience?
    @Flag(
        name: .customLong("release"),
        help: "Show what may be published: groups of 11 or more. The same as --audience release.")
    var isRelease = false
    @Flag(name: .customLong("internal"), help: "The same as --audience staff, the default.") var isInternal = false

    func validate() throws {
        if isRelease, isInternal || audience == .staff {
            throw ValidationError("--release means --audience release: leave out --internal and --audience staff")
        }
        if isInternal, audience == .release {
            throw ValidationError("--internal means --audience staff: give one of them")
        }
    }

    /// What the flags name; nil: the settings say it.
    var named: Audience? { isRelease ? .release : isInternal ? .staff : audience }

    var flags: [Setting: String?] { [.audience: named?.rawValue] }
}

import ArgumentParser
import Operations
import Privacy
import Reporting
import Settings
import Trips
import UseCases
import Foundation

extension Audience: ExpressibleByArgument {}
extension LogFormat: ExpressibleByArgument {}

extension Setting {
    /// The help of the flag that sets it.
    func help(_ valueName: String) -> ArgumentHelp { .value(valueName, help) }
}

extension ArgumentHelp {
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp("\(text)", valueName: name) }
}

/// Where the settings file is.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The project file with settings.",
            discussion: """
                Default: TRIPKPI_CONFIG, else tripkpi.yaml in the working folder. Then the user file \
                $XDG_CONFIG_HOME/tripkpi/tripkpi.yaml. Flags take precedence over the variables TRIPKPI_STORE and so \
                on, variables over files. tripkpi.yaml.example describes each key.
                """, valueName: "file"), completion: .file())
    var config: String?

    /// - Parameter flags: the settings on the command line, by group.
    func settings(_ flags: [[Setting: String?]]) throws -> Settings {
        let process = ProcessInfo.processInfo
        return try Settings(
            flags: SettingLayer(flags: flags), config: config,
            environment: process.environment, workingFolder: FileManager.default.currentDirectoryPath,
            processors: process.activeProcessorCount)
    }

    /// How a run reports its end, also if its settings are wrong.
    func reporting(_ flags: [[Setting: String?]]) -> ReportingSettings {
        ReportingSettings(
            flags: SettingLayer(flags: flags), config: config, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath)
    }
}

/// Where the settings file and the files that come with tripkpi are.
struct ConfigOptions: ParsableArguments {
    @OptionGroup var file: ConfigOption
    @OptionGroup var data: DataOptions

    /// - Parameter flags: the settings on the command line, by group.
    func settings(_ flags: [[Setting: String?]]) throws -> Settings { try file.settings(flags) }

    func configuration(_ settings: Settings) throws -> Configuration {
        Configuration(folder: try data.folder(), profiles: settings.profiles, vocabulary: settings.vocabulary)
    }

    func figures(_ settings: Settings) throws -> FigureSettings {
        let configuration = try configuration(settings)
        return FigureSettings(
            reading: ExportReading(settings, configuration), rules: try configuration.rules(settings.rules),
            disclosure: settings.disclosure, months: settings.months,
            targets: settings.targets)
    }

    func publicationPolicy(_ settings: Settings) throws -> PublicationPolicy {
        let rows = try settings.tripsFeed.map { profile in
            try settings.rowPolicy(
                named: profile, data: try data.folder(), generatedAtEpochSeconds: Program.generatedAt())
        }
        return PublicationPolicy(settings, rows: rows)
    }
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

/// What the columns mean, and how trips are classified.
struct InterpretationOptions: ParsableArguments {
    @Option(help: Setting.profile.help("profile")) var profile: String?
    @Option(help: Setting.rules.help("rules")) var rules: String?
    @Option(help: Setting.zone.help("zone")) var zone: String?
    @OptionGroup var config: ConfigOptions

    var flags: [Setting: String?] { [.profile: profile, .rules: rules, .zone: zone] }
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

struct JobsOption: ParsableArguments {
    @Option(help: Setting.jobs.help("n")) var jobs: Int?

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes 1 to 256") }
    }

    var flags: [Setting: String?] { [.jobs: jobs.map(String.init)] }
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

struct MinimumCellOption: ParsableArguments {
    @Option(help: Setting.minimumCell.help("n")) var minimumCell: Int?

    var flags: [Setting: String?] { [.minimumCell: minimumCell.map(String.init)] }
}

struct StoreOption: ParsableArguments {
    @Option(help: Setting.store.help("file"), completion: .file()) var store: String?
}

struct KeyOption: ParsableArguments {
    @Option(help: Setting.keyFile.help("file"), completion: .file()) var keyFile: String?
}

struct ReportsOption: ParsableArguments {
    @Option(help: Setting.reports.help("folder"), completion: .directory) var reports: String?
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

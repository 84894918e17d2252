import ArgumentParser
import Foundation
import Pipeline

/// What the columns mean, how trips are sorted, and where else that is written down.
struct MeaningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A shipped profile's name, or a profile file.", valueName: "profile"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Shipped rules' name, or a rule file; the default rules if left out.", valueName: "rules"))
    var rules: String?

    @Option(
        help: ArgumentHelp("IANA zone of times without an offset, for files without a profile.", valueName: "zone"))
    var zone: String?

    @Option(
        help: ArgumentHelp(
            "The project file with settings.",
            discussion: """
                Else TRIPKPI_CONFIG, else tripkpi.yaml of the working folder; then $XDG_CONFIG_HOME/tripkpi/tripkpi.yaml. \
                Keys: profile, rules, zone, jobs, minimum_cell, audience, keep_margin, revisions, \
                missing_counts, max_reject, regions, trip_types. Flags come first, then \
                TRIPKPI_PROFILE, TRIPKPI_RULES and so on, then the files.
                """, valueName: "file"))
    var config: String?

    @OptionGroup var data: DataOptions

    /// What the command line says.
    ///
    /// - Parameter flags: what other options say.
    func layer(_ flags: (inout SettingLayer) -> Void = { _ in }) -> SettingLayer {
        var layer = SettingLayer(origin: "flags")
        layer.profile = profile
        layer.rules = rules
        layer.zone = zone
        flags(&layer)
        return layer
    }

    /// - Parameter flags: what other options say.
    func settings(_ flags: (inout SettingLayer) -> Void = { _ in }) throws -> Settings {
        try Settings.ofProcess(flags: layer(flags), config: config)
    }
}

extension Settings {
    /// Those of this process: flags, environment, files.
    static func ofProcess(flags: SettingLayer, config: String?) throws -> Settings {
        let information = ProcessInfo.processInfo
        return try Settings(
            flags: flags, config: config,
            surroundings: Settings.Surroundings(
                environment: information.environment, workingFolder: FileManager.default.currentDirectoryPath,
                processors: information.activeProcessorCount))
    }
}

/// `1%`, `0.5%` or `0.01`, held as parts of a million.
struct Percentage: ExpressibleByArgument {
    let perMillion: Int

    init?(argument: String) {
        guard let value = Settings.perMillion(argument) else { return nil }
        perMillion = value
    }
}

import ArgumentParser
import Settings
import UseCases

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
                named: profile, data: try data.folder(), generatedAt: Program.generatedAt())
        }
        return PublicationPolicy(settings, rows: rows)
    }
}

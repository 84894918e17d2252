import ArgumentParser
import Foundation
import Nightly
import Settings

/// The options of all commands that use the store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var place: StoreOption
    @Option(help: Setting.keyFile.help("file"), completion: .file()) var keyFile: String?
    @OptionGroup var published: ReportsOption
    @OptionGroup var limits: LimitOptions
    @OptionGroup var interpretation: InterpretationOptions

    /// The settings on the command line, by group.
    var flags: [[Setting: String?]] {
        [
            interpretation.flags, limits.flags,
            [.store: place.store, .keyFile: keyFile, .reports: published.reports],
        ]
    }

    /// - Parameter more: the settings of other options.
    func settings(_ more: [Setting: String?] = [:]) throws -> Settings {
        try interpretation.config.settings(flags + [more])
    }

    /// Whether an option is given that says how exports are read.
    var readsExports: Bool {
        [interpretation.profile, interpretation.rules, interpretation.zone, limits.maxReject?.text]
            .contains { $0 != nil }
    }

    func site(_ settings: Settings) -> StoreSite {
        StoreSite(settings, credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"])
    }

    func figures(_ settings: Settings) throws -> FigureSettings {
        let configuration = try interpretation.configuration(settings)
        return FigureSettings(
            reading: ExportReading(settings, configuration), rules: try configuration.rules(settings.rules),
            disclosure: settings.disclosure, months: settings.months)
    }

    func publicationPolicy(_ settings: Settings) throws -> PublicationPolicy {
        let rows = try settings.tripsFeed.map { profile in
            try settings.rowPolicy(
                named: profile, data: try interpretation.config.data.folder(),
                generatedAtEpochSeconds: Program.generatedAt())
        }
        return PublicationPolicy(settings, rows: rows)
    }
}

/// The options of commands that only read the store.
struct StoreReadingOptions: ParsableArguments {
    @OptionGroup var place: StoreOption
    @OptionGroup var config: ConfigOptions

    /// - Parameter more: the settings of other options.
    func settings(_ more: [Setting: String?] = [:]) throws -> Settings {
        try config.settings([[.store: place.store], more])
    }
}

import ArgumentParser
import Foundation
import Settings
import UseCases

extension StoreSite {
    /// - Parameter settings: where the store is; the folder of credentials is that of this process.
    init(_ settings: Settings) {
        self.init(settings, credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"])
    }
}

/// The options of commands that read exports and publish.
struct StoreOptions: ParsableArguments {
    @OptionGroup var site: SiteOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var interpretation: InterpretationOptions

    /// The settings on the command line, by group.
    var flags: [[Setting: String?]] { [interpretation.flags, limits.flags, site.flags] }

    /// - Parameter more: the settings of other options.
    func settings(_ more: [Setting: String?] = [:]) throws -> Settings {
        try interpretation.config.settings(flags + [more])
    }

    /// Whether an option is given that says how exports are read.
    var readsExports: Bool {
        [interpretation.profile, interpretation.rules, interpretation.zone, limits.rejects.maxReject?.text]
            .contains { $0 != nil }
    }
}

/// The options of commands that read exports into the store.
struct LoadOptions: ParsableArguments {
    @OptionGroup var site: SiteOptions
    @OptionGroup var jobs: JobsOption
    @OptionGroup var rejects: RejectsOption
    @OptionGroup var interpretation: InterpretationOptions

    /// - Parameter more: the settings of other options.
    func settings(_ more: [Setting: String?] = [:]) throws -> Settings {
        try interpretation.config.settings([site.flags, jobs.flags, rejects.flags, interpretation.flags, more])
    }
}

/// The options of commands that only read the store, with its key.
struct KeyedReadingOptions: ParsableArguments {
    @OptionGroup var place: StoreOption
    @OptionGroup var key: KeyOption
    @OptionGroup var config: ConfigOption

    func settings() throws -> Settings { try config.settings([[.store: place.store, .keyFile: key.keyFile]]) }
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

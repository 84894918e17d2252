import ArgumentParser
import Foundation
import Operations
import Releases
import Scans
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

    func plan(_ settings: Settings) throws -> NightlyPlan {
        let configuration = try interpretation.configuration(settings)
        let generatedAt = try Program.generatedAt()
        var plan = NightlyPlan(
            inbox: settings.inbox, storePath: settings.store, reportsPath: settings.reports,
            keyPath: settings.keyFile, configuration: configuration,
            rules: try configuration.rules(settings.rules), workers: settings.jobs,
            generatedAtEpochSeconds: generatedAt, tool: Program.tool)
        plan.auditLogPath = settings.auditLog
        plan.credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        plan.crosswalk = settings.crosswalk
        plan.profile = settings.profile
        plan.lists = settings.hasLists ? settings.vocabulary : nil
        plan.zone = settings.zone
        plan.disclosure = settings.disclosure
        plan.audiences = settings.audiences
        plan.maximumRejectPerMillion = settings.maximumRejectPerMillion
        plan.keptRuns = settings.keepRuns
        plan.freshnessWarnDays = settings.freshnessWarnDays
        plan.freshnessFailDays = settings.freshnessFailDays
        plan.rowPolicy = try settings.tripsFeed.map { profile in
            try settings.rowPolicy(
                named: profile, data: try interpretation.config.data.folder(), generatedAtEpochSeconds: generatedAt)
        }
        return plan
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

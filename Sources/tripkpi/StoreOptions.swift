import ArgumentParser
import Foundation
import Operations
import Pipeline

/// Where the store and what is made of it lie, for all commands that work with the store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var place: StoreOption

    @Option(
        help: ArgumentHelp(
            "The file with the key of the store's pseudonyms; beside the store if left out, and made with it.",
            valueName: "file"), completion: .file())
    var keyFile: String?

    @OptionGroup var published: ReportsOption

    @OptionGroup var limits: LimitOptions

    @OptionGroup var meaning: MeaningOptions

    func settings(_ more: (inout SettingLayer) -> Void = { _ in }) throws -> Settings {
        try meaning.settings { apply(to: &$0, more) }
    }

    /// What the command line says.
    func layer(_ more: (inout SettingLayer) -> Void = { _ in }) -> SettingLayer {
        meaning.layer { apply(to: &$0, more) }
    }

    private func apply(to layer: inout SettingLayer, _ more: (inout SettingLayer) -> Void) {
        layer.nightly.store = place.store
        layer.nightly.keyFile = keyFile
        layer.nightly.reports = published.reports
        limits.apply(to: &layer)
        more(&layer)
    }

    func plan(_ settings: Settings) throws -> NightlyPlan {
        let configuration = Configuration(folder: try meaning.data.folder(), vocabulary: settings.vocabulary)
        let generatedAt = try Settings.generatedAt(environment: ProcessInfo.processInfo.environment) {
            Int(Date().timeIntervalSince1970)
        }
        var plan = NightlyPlan(
            inbox: settings.nightly.inbox, storePath: settings.nightly.store, reportsPath: settings.nightly.reports,
            keyPath: settings.nightly.keyFile,
            configuration: configuration, rules: try configuration.rules(settings.rules), workers: settings.jobs,
            generatedAtEpochSeconds: generatedAt, tool: "tripkpi \(TripKPICommand.version)")
        plan.auditLogPath = settings.nightly.auditLog
        plan.credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        plan.crosswalk = settings.nightly.crosswalk
        plan.profile = settings.profile
        plan.lists = settings.hasLists ? settings.vocabulary : nil
        plan.zone = settings.zone
        plan.disclosure = settings.disclosure
        plan.audiences = settings.nightly.audiences
        plan.maximumRejectPerMillion = settings.maximumRejectPerMillion
        plan.keptRuns = settings.nightly.keepRuns
        plan.freshnessWarnDays = settings.nightly.freshnessWarnDays
        plan.freshnessFailDays = settings.nightly.freshnessFailDays
        plan.rowTerms = try settings.rows.feed.map { profile in
            try TripRowTerms(
                settings.rows.request(profile), data: try meaning.data.folder(),
                minimumCell: settings.disclosure.minimumCell,
                generatedAtEpochSeconds: generatedAt)
        }
        return plan
    }

    /// The audit log, for a command that plans no run.
    static func audit(_ settings: Settings, command: String) -> AuditRecorder {
        AuditRecorder(
            path: settings.nightly.auditLog, owner: owner(of: command), tool: "tripkpi \(TripKPICommand.version)")
    }

    /// What shows more than is fit for release is always written down; what is fit, where there is a log to write to.
    static func audit(_ settings: Settings, command: String, always: Bool, output: String?) -> AuditRecorder? {
        let folder = (settings.nightly.auditLog as NSString).deletingLastPathComponent
        let isThere = settings.nightly.isAuditLogNamed || FileManager.default.fileExists(atPath: folder)
        return always || (output != nil && isThere) ? audit(settings, command: command) : nil
    }

    /// This process, as others are told who has the lock.
    static func owner(of command: String) -> LockOwner {
        let information = ProcessInfo.processInfo
        return LockOwner(
            process: information.processIdentifier, host: information.hostName, user: NSUserName(),
            command: "tripkpi \(command)", startedAt: UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)))
    }
}

import ArgumentParser
import Foundation
import Privacy
import Reporting
import Settings
import UseCases

/// The options of commands that read exports without a store.
struct ExportOptions: ParsableArguments {
    @Flag(help: "No trip occurs twice in these exports: do not look for versions.") var unique = false

    @Option(
        help: ArgumentHelp(
            "Bytes that a thread reads at a time. The result does not depend on it.", visibility: .hidden))
    var blockBytes = 1 << 18

    @OptionGroup var limits: LimitOptions
    @Flag(help: "Print what would be read and how. Reads only the first bytes of each export.") var dryRun = false

    func validate() throws {
        if !(64...(1 << 26)).contains(blockBytes) { throw ValidationError("--block-bytes takes 64 to 67108864") }
    }

    /// Checks that these exports can be read in one run.
    static func check(_ files: [String]) throws {
        if files.count > 30_000 { throw ValidationError("a run takes at most 30,000 exports") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    /// The error for options that say how exports are read, without exports.
    static let withoutExports = ValidationError(
        "--profile, --rules, --zone, --unique and --max-reject need exports; the store's trips are already read and "
            + "classified")
}

extension InterpretationOptions {
    /// How figures of these exports are computed. Figures for staff have the regions and trip types that the exports name.
    func figurePlan(_ files: [String], _ settings: Settings, isUnique: Bool) throws -> ScanRequest {
        var plan = try scanPlan(files, settings, isUnique: isUnique)
        plan.takesValues = settings.audience == .staff
        return plan
    }

    /// How these exports are read.
    func scanPlan(_ files: [String], _ settings: Settings, isUnique: Bool = false) throws -> ScanRequest {
        let configuration = try config.configuration(settings)
        let profile = try settings.profile.map { try configuration.versionedProfile($0) }
        var plan = ScanRequest(
            inputs: files, profile: profile?.profile,
            rules: try configuration.rules(settings.rules), vocabulary: settings.vocabulary, zone: settings.zone,
            workers: settings.jobs, isUnique: isUnique, maximumRejectPerMillion: settings.maximumRejectPerMillion,
            mostOpen: ProcessSetup.mostOpenExports)
        try plan.unpackInputs()
        plan.profileVersion = profile?.version
        plan.months = settings.months
        plan.temporaryFolder = Program.temporaryFolder
        plan.limits = settings.valueLimits
        return plan
    }
}

/// Which months, for every command that shows a selection of them.
struct PeriodOptions: ParsableArguments {
    @Option(help: .value("YYYY-MM", "One month.")) var month: String?
    @Option(help: .value("YYYY-MM", "The first month.")) var from: String?
    @Option(help: .value("YYYY-MM", "The last month.")) var to: String?
    @Option(help: .value("YYYY", "A fiscal year: October of the year before to September.")) var fiscalYear: Int?

    var isEmpty: Bool { month == nil && from == nil && to == nil && fiscalYear == nil }

    var request: ReportSelection.Request {
        var request = ReportSelection.Request()
        request.month = month
        request.from = from
        request.to = to
        request.fiscalYear = fiscalYear
        return request
    }
}

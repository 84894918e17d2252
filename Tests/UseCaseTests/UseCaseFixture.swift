import Basics
import Foundation
import Keys
import Operations
import Reporting
import Rules
import Settings
import TestSupport
import Trips
import UseCases

/// The inputs of the use cases for a store in a temporary folder. A test changes what it is about.
struct UseCaseFixture {
    var store: String
    var key: String
    var inbox: String
    var reports: String
    var crosswalk: CrosswalkPaths?
    var rules: RuleSet
    var disclosure = DisclosureSettings()
    var maximumRejectPerMillion: Int?
    var workers = 1
    var generatedAt = 1_775_000_000
    static let owner = LockOwner(
        process: 1, host: "test", user: "test", command: "test", startedAt: UTCTime(secondsSince1970: 0))
    static let tool = "tripkpi test"

    /// - Parameter name: of the store in the folder.
    init(_ folder: TemporaryFolder, store name: String, rules: RuleSet) {
        store = folder.path(of: name)
        key = folder.path(of: "key")
        inbox = folder.path(of: "inbox")
        reports = folder.path(of: "reports")
        self.rules = rules
    }

    var site: StoreSite {
        StoreSite(store: store, key: key, reports: reports, auditLog: nil, crosswalk: crosswalk)
    }

    var figures: FigureSettings {
        let data = DataFolder(path: Repository.root.appendingPathComponent("data").path, origin: .flag)
        return FigureSettings(
            reading: ExportReading(
                inbox: inbox, configuration: Configuration(folder: data),
                maximumRejectPerMillion: maximumRejectPerMillion),
            rules: rules, disclosure: disclosure)
    }

    func environment(
        tell: @escaping @Sendable (RunEvent) -> Void = { _ in }, checkpoint: @escaping @Sendable () throws -> Void = {}
    ) -> RunEnvironment {
        RunEnvironment(
            owner: Self.owner, tool: Self.tool, generatedAt: UTCTime(secondsSince1970: generatedAt), workers: workers,
            isDurable: false,
            tell: tell, checkpoint: checkpoint)
    }

    /// Loads these files, in a session of its own.
    @discardableResult
    func load(_ files: [String], withdraw: [String] = [], isReplay: Bool = false) throws -> NightlyOutcome {
        try LoadRun(site, figures).run(files: files, withdraw: withdraw, isReplay: isReplay, environment())
    }
}

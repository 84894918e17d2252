package import Settings
package import Rules
package import Keys
package import Privacy
package import Profiles
import Store

/// Everything that decides what a run does and what comes out, besides the exports and the store themselves.
package struct NightlyPlan: Sendable {
    /// The folder of exports; nothing in it is changed. A subfolder's name is the profile of the files in it.
    package var inbox: String
    package var storePath: String
    /// The folder of published sets.
    package var reportsPath: String
    package var keyPath: String
    /// The audit log: each action is recorded before it is done; nil in tests only.
    package var auditLogPath: String?
    /// The folder in which a service manager keeps the secrets of this service (`$CREDENTIALS_DIRECTORY`).
    package var credentials: String?
    /// Where identifiers are kept, encrypted; nil: nowhere.
    package var crosswalk: CrosswalkPaths?
    /// For files that lie in the inbox itself; nil: their headers must speak for themselves.
    package var profile: String?
    package var configuration: Configuration
    package var rules: RuleSet
    /// The lists of regions and trip types, where they are configured; else those of the first profile.
    package var lists: Vocabulary?
    /// Zone of plain files' times.
    package var zone: String?
    package var workers: Int
    package var disclosure = DisclosureSettings()
    /// For whom sets are published, in this order.
    package var audiences: [Audience] = [.release, .staff]
    package var maximumRejectPerMillion: Int?
    /// Published sets that are kept.
    package var keptRuns = 14
    package var freshnessWarnDays: Int?
    package var freshnessFailDays: Int?
    /// By which rows are published; nil: none are.
    package var rowPolicy: RowPolicy?
    /// Now, or `SOURCE_DATE_EPOCH`.
    package var generatedAtEpochSeconds: Int
    /// Such as `tripkpi 0.1.0`.
    package var tool: String
    /// Whether a new store may be made although something was published from one that is gone.
    package var acceptsNewStore = false
    /// False only where nothing is lost with the store, as in tests.
    package var isDurable = true

    package init(
        inbox: String, storePath: String, reportsPath: String, keyPath: String, configuration: Configuration,
        rules: RuleSet, workers: Int, generatedAtEpochSeconds: Int, tool: String
    ) {
        self.inbox = inbox
        self.storePath = storePath
        self.reportsPath = reportsPath
        self.keyPath = keyPath
        self.configuration = configuration
        self.rules = rules
        self.workers = max(1, workers)
        self.generatedAtEpochSeconds = generatedAtEpochSeconds
        self.tool = tool
    }

    /// The source of a file that is read without a profile.
    package var plainSource: String { "plain" }

    /// What stands for the version of a profile where a file is read without one.
    package var plainVersion: String { "plain, zone \(zone ?? "none")" }

    /// The key of the store.
    package func loadKey() throws(PseudonymKeyError) -> PseudonymKey {
        try PseudonymKeyFile.load(keyPath, credentials: credentials) {
            try? TripStore(reading: storePath, acceptsOlder: true).keyFingerprint()
        }
    }
}

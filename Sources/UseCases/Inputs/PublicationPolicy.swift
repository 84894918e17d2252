package import Privacy
package import Settings
import Trips

/// What is published, for whom, and how long it is kept.
package struct PublicationPolicy: Sendable {
    /// For whom sets are published, in this order.
    package let audiences: [Audience]
    /// By which rows are published; nil: none are.
    package let rows: RowPolicy?
    /// Whether the staff set has workbooks.
    package let hasWorkbooks: Bool
    /// Published sets that are kept.
    package let keptRuns: Int
    /// How long trips and published sets are kept.
    package let retention: RetentionTimes
    /// What a person approves before it is released.
    package let approval: ReleaseApproval
    /// Days without a new trip after which a run warns; nil: never.
    package let freshnessWarnDays: Int?
    /// Days without a new trip after which a run fails; nil: never.
    package let freshnessFailDays: Int?

    package init(
        audiences: [Audience] = [.release, .staff], rows: RowPolicy? = nil, hasWorkbooks: Bool = false,
        keptRuns: Int = 14, retention: RetentionTimes = RetentionTimes(), approval: ReleaseApproval = .never,
        freshnessWarnDays: Int? = nil, freshnessFailDays: Int? = nil
    ) {
        self.audiences = audiences
        self.rows = rows
        self.hasWorkbooks = hasWorkbooks
        self.keptRuns = keptRuns
        self.retention = retention
        self.approval = approval
        self.freshnessWarnDays = freshnessWarnDays
        self.freshnessFailDays = freshnessFailDays
    }

    package init(_ settings: Settings, rows: RowPolicy?) {
        self.init(
            audiences: settings.audiences, rows: rows, hasWorkbooks: settings.hasStaffWorkbooks,
            keptRuns: settings.keepRuns, retention: settings.retention, approval: settings.releaseApproval,
            freshnessWarnDays: settings.freshnessWarnDays, freshnessFailDays: settings.freshnessFailDays)
    }
}

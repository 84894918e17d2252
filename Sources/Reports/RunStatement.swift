package import Basics
package import KPIContract
package import Privacy
package import Trips

/// What an output says about the run that made it. Everything that would differ from run to run comes in through here.
package struct RunStatement: Sendable {
    /// `SOURCE_DATE_EPOCH` where it is set.
    package var generatedAt: UTCTime
    package var runID: String
    /// The latest local date of a trip; nil without trips.
    package var dataThrough: CivilDay?
    /// This month and later ones are under way; nil: every month is over.
    package var firstOpenMonth: Month?
    /// Months before it that lack days, ascending: those shown, and those that they are compared with.
    package var partialMonths: [Month] = []
    /// How dates were read: the zone, or that times were taken as printed.
    package var dateBasis: String
    package var counts: ReadCounts
    package var rulesName: String
    /// SHA-256 of the rules and rosters.
    package var rulesVersion: String
    /// How many files the figures are made of, and how many they go without.
    package var exports: KPISummaryV1.ExportCounts
    /// Days without any trip between the first day of data and the last, in order; nil: they were not counted.
    package var missingDays: [CivilDay]?
    /// What readers saw until now: months that differ from it are restated. Nil: nothing was published.
    package var previousSummary: KPISummaryV1?
    /// Restated months of a published set, where there is no `previousSummary` to compare with.
    package var publishedRestatements: [KPISummaryV1.Restatement]
    /// Events of the same audience; nil: none were read.
    package var events: PublishableEvents?
    /// What measures are to reach.
    package var targets: [MeasureTarget] = []
    /// What the figures are restricted to, a phrase each; empty: all of the exports.
    package var selection: [String]

    package init(
        generatedAt: UTCTime, runID: String, dataThrough: CivilDay?, firstOpenMonth: Month? = nil,
        dateBasis: String, counts: ReadCounts, rulesName: String, rulesVersion: String,
        exports: KPISummaryV1.ExportCounts = .init(loaded: 0),
        missingDays: [CivilDay]? = nil, previousSummary: KPISummaryV1? = nil,
        publishedRestatements: [KPISummaryV1.Restatement] = [], selection: [String] = []
    ) {
        self.generatedAt = generatedAt
        self.runID = runID
        self.dataThrough = dataThrough
        self.firstOpenMonth = firstOpenMonth
        self.dateBasis = dateBasis
        self.counts = counts
        self.rulesName = rulesName
        self.rulesVersion = rulesVersion
        self.exports = exports
        self.missingDays = missingDays
        self.previousSummary = previousSummary
        self.publishedRestatements = publishedRestatements
        self.selection = selection
    }
}

/// What the checks found in the trips of a period.
package struct CostReview: Sendable {
    package var findings: CostFindings
    /// References to the listed trips.
    package var references: [CostTripLocation: TripReference] = [:]
    /// The usual costs of the same provider and trip type, for each listed outlier.
    package var usualCents: [CostTripLocation: ClosedRange<Int>]
    /// Trips that have the values that a check needs.
    package var examined: [CostCheck: Int]
    /// Groups of a provider and trip type with enough costs to find outliers, and those with too few.
    package var groups: (judged: Int, small: Int)

    /// - Parameters:
    ///   - checks: of all trips of the period.
    ///   - judge: the finished checks.
    package init(
        findings: CostFindings, examined: [CostCheck: Int], checks: CostChecks, judge: CostChecks.Judge
    ) {
        self.findings = findings
        self.examined = examined
        groups = checks.groups
        usualCents = [:]
        for listed in findings.listed(.costOutlier) { usualCents[listed.place] = judge.usualCents(of: listed.trip) }
    }

    /// The invoice numbers that are listed.
    package var listedInvoices: [String] { references.values.compactMap(\.invoice) }

    /// Trips that are listed without a public id.
    package var unnamedExceptions: Int { findings.listedPlaces.count { references[$0]?.publicID == nil } }
}

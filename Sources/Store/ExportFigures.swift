package import KPIs
package import Trips

/// What the reader of an export knows once it has read all of it.
package struct ExportFigures: Sendable {
    package var asOf: Int
    package var counts: ReadCounts
    package var rejectsByReason: [RejectReason: Int]
    package var rejects: [RejectedRecord]
    /// All of its trips, older versions and copies included.
    package var tally: KPITally
    /// The first records with a warning of each code; `tally` counts all.
    package var warnings: [WarnedRecord] = []
    /// Which columns it had, for the next export of its series.
    package var columns: LoadedColumns?
    /// How far the crosswalk has the export's identifiers; nil: it is off.
    package var crosswalk: CrosswalkMark?

    /// Records of completed trips, and those of them with a cost.
    var completedTrips: (all: Int, costed: Int) {
        tally.monthsMet.reduce(into: (0, 0)) { total, month in
            let sums = tally.sums(of: tally.allLeaves, in: month)
            total.0 += sums.trips
            total.1 += sums.costedTrips
        }
    }

    package init(
        asOf: Int, counts: ReadCounts, rejectsByReason: [RejectReason: Int], rejects: [RejectedRecord],
        tally: KPITally
    ) {
        self.asOf = asOf
        self.counts = counts
        self.rejectsByReason = rejectsByReason
        self.rejects = rejects
        self.tally = tally
    }
}

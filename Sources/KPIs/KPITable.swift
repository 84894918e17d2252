package import Basics
package import Trips

/// The finished numbers: one cell for every combination of month, region and trip type, and for every "All" of them.
///
/// These are the true numbers. They reach a file only as a `Publishable`, which only `Privacy` can make.
package struct KPITable: Sendable, Hashable {
    /// Months in which at least one trip was completed, cancelled or a no-show; ascending.
    package var months: [Month]
    /// Months with such trips that the selection leaves out of everything, "All" too; ascending.
    package var withheldMonths: [Month]
    /// Codes in output order: the configured ones, then 0 (Unassigned) if any trip is.
    package var regionCodes: [UInt8]
    package var tripTypeCodes: [UInt8]
    package var regions: NamedList
    package var tripTypes: NamedList
    /// Every combination, in the order All, then months × All, then regions × All, then trip types; zero cells included.
    package var cells: [KPICell]
    /// Whether any trip carried a patient id. Without one, patients cannot be counted.
    package var countsPatients: Bool
    /// The events each interval was measured between.
    package var intervalPairs: [TripInterval: EventPair]
    /// Warnings by code, over the trips that count in each of the months, of every region and type.
    package var warningsByMonth: [Month: [WarningCode: Int]]

    package init(
        months: [Month], withheldMonths: [Month] = [], regionCodes: [UInt8], tripTypeCodes: [UInt8], regions: NamedList,
        tripTypes: NamedList,
        cells: [KPICell], countsPatients: Bool, intervalPairs: [TripInterval: EventPair],
        warningsByMonth: [Month: [WarningCode: Int]]
    ) {
        self.months = months
        self.withheldMonths = withheldMonths
        self.regionCodes = regionCodes
        self.tripTypeCodes = tripTypeCodes
        self.regions = regions
        self.tripTypes = tripTypes
        self.cells = cells
        self.countsPatients = countsPatients
        self.intervalPairs = intervalPairs
        self.warningsByMonth = warningsByMonth
    }

    /// Over all months.
    package var warnings: [WarningCode: Int] {
        warningsByMonth.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
}

/// The numbers of one cell.
package struct KPICell: Sendable, Hashable {
    package var scope: CellScope
    package var sums: CellSums
    /// By `TripInterval.rawValue`.
    package var intervals: [IntervalStatistics]
    package var patients: PatientCount

    package init(scope: CellScope, sums: CellSums, intervals: [IntervalStatistics], patients: PatientCount) {
        self.scope = scope
        self.sums = sums
        self.intervals = intervals
        self.patients = patients
    }
}

import Basics
import KPIs
import Trips

/// The figures of one group: its trips, and of completed ones each measure that is published.
///
/// Figures of a union of groups are sums of these (`UnionFigures`).
package struct GroupFigures: Sendable {
    package let trips: Int
    /// Nil: too many trips were taken out of the tally to be sure.
    let patients: PatientCount?
    /// Nothing for cancelled trips and no-shows.
    let sums: CompletedSums
    /// By `TripInterval.rawValue`; empty for cancelled trips and no-shows.
    let intervals: [(used: Int, excluded: Int, sumSeconds: Int)]

    /// - Parameter leaves: of the group.
    init(_ leaves: [LeafScope], _ population: ReleasedPopulation, of month: Month, in tally: KPITally) {
        let all = tally.sums(of: leaves, in: month), members = population.members
        trips = members.reduce(0) { $0 + all.trips(of: $1) }
        patients = tally.patientCount(of: leaves, in: month, members)
        sums = tally.completedSums(of: leaves, in: month, members)
        intervals =
            population.isCompleted
            ? TripInterval.allCases.map { tally.intervalTotals($0, of: leaves, in: month, members) } : []
    }

    /// How many trips have a value.
    func values(of measure: ReleasedMeasure) -> Int {
        switch measure {
        case .cost: sums.costedTrips
        case .loadedMiles: sums.tripsWithLoadedMiles
        case .unloadedMiles: sums.tripsWithUnloadedMiles
        case .interval(let interval):
            intervals.indices.contains(interval.rawValue) ? intervals[interval.rawValue].used : 0
        }
    }

    /// Whether the number of trips that have a value may be known: none, or enough.
    func isPublishable(_ measure: ReleasedMeasure, minimumCell: Int) -> Bool {
        let values = values(of: measure)
        return values == 0 || values >= minimumCell
    }

    /// Whether the trips are enough for a group: trips, patients, and values of each of these measures.
    func areEnough(_ minimumCell: Int, _ measures: some Sequence<ReleasedMeasure>) -> Bool {
        trips >= minimumCell && hasEnoughPatients(minimumCell)
            && measures.allSatisfy { isPublishable($0, minimumCell: minimumCell) }
    }

    /// Trips that name no patient are judged by their number alone.
    func hasEnoughPatients(_ minimumCell: Int) -> Bool {
        switch patients {
        case .unknown: true
        case .exactly(let count): count >= minimumCell
        case .atLeastCap: minimumCell <= PatientCount.cap
        case nil: false
        }
    }
}

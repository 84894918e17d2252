package import Basics
package import KPIs

extension TripStore {
    /// Costs by line of these months, of all completed trips that count. No trip is read.
    package func costTally(of months: ClosedRange<Month>) throws -> CostTally {
        try read { try CostLines.stored(in: months.lowerBound.index...months.upperBound.index, $0) }
    }
}

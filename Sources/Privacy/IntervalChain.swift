import KPIs
import Trips

/// Which intervals are computed from others: their means are not released.
///
/// Intervals share event times. Where some of them lead from event to event back to where they began, as response,
/// scene, transport and turnaround do beside duration, the sums of all but one give the sum of the last for every trip
/// that has them all. Where a few trips lack one of these times, the difference would be the times of those few. So
/// the release leaves out the mean of the one that closes each such circle. Counts and percentiles do not disclose it.
enum IntervalChain {
    /// The more an interval is asked for, the earlier: the last one of a circle is left out.
    private static let order: [TripInterval] = [.duration, .response, .turnout, .transport, .scene, .turnaround]

    /// Those that are left out for any of the pairs that the trips were measured between.
    static func redundant(_ context: KPITally.TableContext) -> Set<TripInterval> {
        (context.releasedPairs + [context.intervalPairs]).reduce(into: []) { $0.formUnion(redundant($1)) }
    }

    private static func redundant(_ pairs: [TripInterval: EventPair]) -> Set<TripInterval> {
        var component = Dictionary(uniqueKeysWithValues: TripEvent.allCases.enumerated().map { ($1, $0) })
        var redundant: Set<TripInterval> = []
        for interval in order {
            let pair = pairs[interval] ?? interval.standardPair
            guard let start = component[pair.start], let end = component[pair.end] else { continue }
            if start == end {
                redundant.insert(interval)
            } else {
                component = component.mapValues { $0 == end ? start : $0 }
            }
        }
        return redundant
    }
}

package import Trips

extension KPITally {
    /// Whether some leaves of a month have the same figures in two tallies: sums and every interval to the second.
    package func hasSameFigures(as other: KPITally, in leaves: [LeafScope], of month: Month) -> Bool {
        sums(of: leaves, in: month) == other.sums(of: leaves, in: month)
            && hasSameTimes(as: other, in: leaves, of: month)
    }

    private func hasSameTimes(as other: KPITally, in leaves: [LeafScope], of month: Month) -> Bool {
        TripInterval.allCases.allSatisfy { interval in
            intervalTotals(interval, of: leaves, in: month) == other.intervalTotals(interval, of: leaves, in: month)
                && seconds(of: interval, in: leaves, of: month) == other.seconds(of: interval, in: leaves, of: month)
        }
    }

    /// Whether the trips of some populations in some leaves of a month have the same figures in two tallies.
    package func hasSameFigures(
        as other: KPITally, in leaves: [LeafScope], of month: Month, _ populations: [TripPopulation]
    ) -> Bool {
        let own = sums(of: leaves, in: month), others = other.sums(of: leaves, in: month)
        guard populations.contains(where: TripPopulation.completed.contains) else {
            return populations.allSatisfy { own.trips(of: $0) == others.trips(of: $0) }
        }
        // Everything but the counts of cancelled trips and no-shows is of completed trips.
        var completed = own
        completed.cancelled = others.cancelled
        completed.noShow = others.noShow
        return completed == others && hasSameTimes(as: other, in: leaves, of: month)
    }

    /// How many trips of some leaves of a month took how many seconds.
    package func seconds(of interval: TripInterval, in leaves: [LeafScope], of month: Month) -> [Int: Int] {
        var bins = Array(repeating: 0, count: histograms.pageCount << 8)
        var pages = Array(repeating: false, count: histograms.pageCount)
        for cell in indices(of: leaves, in: month) {
            histograms.accumulate(
                cell * Self.intervalCount + interval.rawValue, into: &bins, touching: &pages)
        }
        var counts: [Int: Int] = [:]
        for (second, trips) in bins.enumerated() where trips != 0 { counts[second] = trips }
        return counts
    }
}

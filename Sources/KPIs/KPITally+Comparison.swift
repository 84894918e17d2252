package import Trips

extension KPITally {
    /// Whether some leaves of a month have the same figures in two tallies: sums and every interval to the second.
    package func hasSameFigures(as other: KPITally, in leaves: [LeafScope], of month: Month) -> Bool {
        sums(of: leaves, in: month) == other.sums(of: leaves, in: month)
            && hasSameTimes(as: other, in: leaves, of: month)
    }

    /// Whether each leaf of a month has the same figures in two tallies.
    package func hasSameFigures(as other: KPITally, inEachLeafOf month: Month) -> Bool {
        allLeaves.allSatisfy { hasSameFigures(as: other, in: [$0], of: month) }
    }

    private func hasSameTimes(as other: KPITally, in leaves: [LeafScope], of month: Month) -> Bool {
        TripInterval.allCases.allSatisfy { interval in
            intervalTotals(interval, of: leaves, in: month) == other.intervalTotals(interval, of: leaves, in: month)
                && seconds(of: interval, in: leaves, of: month)
                    .elementsEqual(other.seconds(of: interval, in: leaves, of: month), by: ==)
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

    /// How many trips of some leaves of a month took how many seconds; ascending.
    package func seconds(
        of interval: TripInterval, in leaves: [LeafScope], of month: Month
    ) -> [(second: Int, trips: Int)] {
        histograms.counts(
            of: indices(of: leaves, in: month).map { $0 * Self.intervalCount + interval.rawValue })
    }
}

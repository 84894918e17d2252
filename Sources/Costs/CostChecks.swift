import Trips

/// The checks that can be made of any trip: first all trips are added, then each is asked about.
package struct CostChecks: Sendable, Hashable {
    private var spreads: [CostPeers: CostSpread] = [:]

    package init() {}

    package mutating func add(_ trip: CostTrip) {
        guard let cost = trip.costCents else { return }
        spreads[CostPeers(trip), default: CostSpread()].add(costCents: cost)
    }

    package mutating func merge(_ other: CostChecks) {
        for (peers, spread) in other.spreads { spreads[peers, default: CostSpread()].merge(spread) }
    }

    /// Groups of which outliers are looked for, and those with too few costs.
    package var groups: (judged: Int, small: Int) {
        let judged = spreads.values.count { $0.count >= CostSpread.leastTrips }
        return (judged, spreads.count - judged)
    }

    package func finished() -> Judge { Judge(usual: spreads.compactMapValues(\.usualCents)) }

    /// What the trips together said; asked about each of them.
    package struct Judge: Sendable {
        let usual: [CostPeers: ClosedRange<Int>]

        package func flags(of trip: CostTrip) -> CostFlags {
            var flags: CostFlags = []
            if trip.loadedHundredths == 0 { flags.insert(CostFlags(.zeroMiles)) }
            if trip.sourcing == .contracted, trip.contract == 0 { flags.insert(CostFlags(.noContractNumber)) }
            if let cost = trip.costCents, let usual = usual[CostPeers(trip)], !usual.contains(cost) {
                flags.insert(CostFlags(.costOutlier))
            }
            return flags
        }

        /// Nil where the group is too small.
        package func usualCents(of trip: CostTrip) -> ClosedRange<Int>? { usual[CostPeers(trip)] }
    }
}

import Basics
import KPIs
import Reporting
import Store
import UseCases

/// The trips of tallies beside a register: a month's changed trips are in the register, and so is a tally of its others, unless it has
/// no changed trip.
struct TalliedTrips: ReleasableTrips {
    private let tallies: MergedTallies
    private let register: TripStore

    init(_ tallies: MergedTallies, _ register: TripStore) {
        self.tallies = tallies
        self.register = register
    }

    private var shape: KPITally.Shape { tallies.everyMonth.shape }

    func months(ofAtLeast trips: Int) -> [Month] {
        tallies.everyMonth.tripsByMonth.filter { $0.value >= trips }.keys.sorted()
    }

    func intervalPairs() -> [String] { tallies.summary.readings.map(\.intervalPairs) }

    func tally(of month: Month, without trips: [StoredTrip]) throws -> KPITally {
        try others(of: month)
            .adding(
                register.tally(of: month, without: trips, atLeastSeconds: shape.maximumIntervalSeconds), of: month,
                register.path)
    }

    func unchangedTally(of month: Month, _ changes: [ReleaseChange]) throws -> KPITally {
        try others(of: month)
            .adding(
                register.unchangedTally(of: month, changes, atLeastSeconds: shape.maximumIntervalSeconds), of: month,
                register.path)
    }

    /// The trips of a month that are not in the register.
    private func others(of month: Month) throws -> KPITally {
        if try register.months().contains(month) {
            do {
                return try register.tally(of: month...month, shape: shape)
            } catch StoreError.stale {
                // An earlier version wrote it. All trips but the register's own are the others.
                var others = try KPITally(shape: shape).adding(tallies.everyMonth, of: month, register.path)
                let own = try register.tally(of: month, without: [], atLeastSeconds: shape.maximumIntervalSeconds)
                guard others.subtract(try KPITally(shape: shape).adding(own, of: month, register.path)) else {
                    throw StoreError.damaged(path: register.path, detail: "it has trips that the tallies lack")
                }
                return others
            }
        }
        return try KPITally(shape: shape).adding(tallies.everyMonth, of: month, register.path)
    }
}

extension KPITally {
    /// With a month of another tally, whose shape may differ in its longest interval.
    fileprivate func adding(_ other: KPITally, of month: Month, _ path: String) throws(StoreError) -> KPITally {
        guard other.monthsMet.contains(month) else { return self }
        var sum = self
        do {
            try sum.merge(encoded: other.encoded(month: month), month: month)
        } catch {
            throw .damaged(path: path, detail: "\(error)")
        }
        return sum
    }
}

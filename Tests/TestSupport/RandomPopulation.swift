import Basics
import KPIs
import Trips

/// Made-up trips of one to three months: many or few regions, skewed, with few patients, missing values and remainders.
package enum RandomPopulation {
    package static func make(_ random: inout SplitMix64) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList((1...Int.random(in: 1...5, using: &random)).map { "Region \($0)" })
        groups.tripTypes = NamedList((1...Int.random(in: 1...3, using: &random)).map { "Type \($0)" })
        let scale = [3, 12, 40, 200].randomElement(using: &random) ?? 12
        let namesPatients = Bool.random(using: &random)
        let usual = UInt64.random(in: 1...30, using: &random)
        for month in 0..<Int32.random(in: 1...3, using: &random) {
            for region in groups.regions.names.indices {
                for type in groups.tripTypes.names.indices where Int.random(in: 0..<4, using: &random) > 0 {
                    add(
                        &groups, Month(index: 2024 * 12 + month), UInt8(region), UInt8(type), scale: scale,
                        patients: namesPatients ? usual : nil, &random)
                }
            }
        }
        return groups
    }

    private static func add(
        _ groups: inout TripGroups, _ month: Month, _ region: UInt8, _ type: UInt8, scale: Int, patients: UInt64?,
        _ random: inout SplitMix64
    ) {
        let isRemainder = region == 0 || type == 0
        for sourcing in Sourcing.allCases where Bool.random(using: &random) {
            let trips = Int.random(in: 0...(isRemainder ? 6 : scale), using: &random)
            let cost = Bool.random(using: &random) ? Int.random(in: 100...90_000, using: &random) : nil
            let miles = Bool.random(using: &random) ? Int.random(in: 0...5_000, using: &random) : nil
            let seconds = Int.random(in: 60...5_000, using: &random)
            let hasTimes = Int.random(in: 0..<3, using: &random) > 0
            let others = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0...30, using: &random) : 0
            let people = patients.map { many in
                Set((0..<max(1, trips)).map { _ in UInt64.random(in: 1...max(1, many), using: &random) << 40 })
            }
            groups.add(trips, month: month, region: region, tripType: type) {
                $0.sourcing = sourcing
                $0.costCents = cost
                $0.loadedHundredths = miles
                $0.unloadedHundredths = miles.map { $0 / 2 }
                if hasTimes { $0.seconds = [.duration: seconds, .response: seconds / 3] }
                $0.cancelled = others
                $0.people = people
            }
        }
    }
}

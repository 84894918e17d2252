import KPIs
import Trips

/// A cell that is the sum of cells of one or more months: it hides what one of them hides.
///
/// A mean or a percentage of it may be shown beside counts that one of its months hides, rounded, if it is the same in
/// every other world that was found for that month: then it says nothing of them.
struct SumOfCells {
    struct Summand {
        var cell: KPICell
        var parts: HiddenParts
        /// By what is hidden: by how much the count is another one in other worlds.
        var play: [HiddenParts: Int]
    }

    private let total: KPICell
    private let summands: [Summand]

    init(_ total: KPICell, _ summands: [Summand]) {
        self.total = total
        self.summands = summands
    }

    var parts: HiddenParts {
        var parts = summands.reduce(into: HiddenParts()) { $0.formUnion($1.parts) }
        if parts.contains(.sourcing), isPercentTheSame { parts.insert(.percentStays) }
        if !parts.isDisjoint(with: [.costedTrips, .totalCost]) {
            blur(
                &parts, .costPerTrip, over: .costedTrips, coarse: .coarseCostPerTrip, unit: 100,
                mean: { (sum: $0.sums.totalCostCents, count: $0.sums.costedTrips) })
        }
        for interval in TripInterval.allCases where parts.contains(.counts(of: interval)) {
            blur(
                &parts, .mean(of: interval), over: .counts(of: interval), coarse: .coarseMean(of: interval), unit: 100,
                mean: { cell in
                    let statistics = cell.intervals[interval.rawValue]
                    return (sum: statistics.sumSeconds * 10, count: statistics.used)
                })
        }
        return parts
    }

    /// Several cells of one month change together in one world; what they then do to a mean is not worked out.
    private var hasOneCellAMonth: Bool { Set(summands.map(\.cell.scope.month)).count == summands.count }

    /// Whether the share in whole per cent is the same however the trips of a month that hides its split are sorted.
    private var isPercentTheSame: Bool {
        guard hasOneCellAMonth else { return false }
        let inHouse = total.sums.tripsBySourcing.inHouse
        let classified = inHouse + total.sums.tripsBySourcing.contracted
        let hidden = summands.filter { $0.parts.contains(.sourcing) }
        // Of a month that shows its total alone no other world is known.
        guard hidden.allSatisfy({ $0.play[.sourcing] != nil }) else { return false }
        let play = hidden.compactMap { $0.play[.sourcing] }.max() ?? 0
        // Most of all if what one class gains the other loses.
        let least = HalfUp.quotient(max(0, inHouse - play), times: 100, by: classified)
        let most = HalfUp.quotient(inHouse + play, times: 100, by: classified)
        return least != nil && least == most
    }

    /// Rounds a mean so that it is the same in every world, or hides it.
    ///
    /// In a world in which a month has `play` trips more or less, their values are as that month's mean: so the total's
    /// mean moves towards it by the share that these trips have.
    private func blur(
        _ parts: inout HiddenParts, _ mean: HiddenParts, over counts: HiddenParts, coarse: HiddenParts, unit: Int,
        mean value: (KPICell) -> (sum: Int, count: Int)
    ) {
        guard !parts.contains(mean) else { return }
        let hidden = summands.filter { $0.parts.contains(counts) }
        // Where the counts are shown, the sum goes for another reason.
        if hidden.isEmpty { return }
        let all = value(total)
        guard hasOneCellAMonth, all.count > 0 else {
            parts.insert(mean)
            return
        }
        var shift = 0
        for summand in hidden {
            let own = value(summand.cell)
            guard own.count > 0 else { continue }
            // Of a month that shows its total alone no other world is known.
            guard let play = summand.play[counts], all.count > play, all.sum >= 0 else {
                parts.insert(mean)
                return
            }
            let distance = abs(own.sum / own.count - all.sum / all.count) + 1
            shift = max(shift, (play * distance + all.count - play - 1) / (all.count - play))
        }
        let middle = all.sum / all.count
        // Away from the middle between two multiples of the unit, on both sides.
        func isSafe(_ unit: Int) -> Bool {
            let rounding = { HalfUp.quotient($0, by: unit) }
            return rounding(max(0, middle - shift)) == rounding(middle + 1 + shift)
        }
        if isSafe(unit) { return }
        parts.insert(isSafe(2 * unit) ? coarse : mean)
    }
}

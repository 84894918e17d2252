import KPIs
import Reports

extension CostSums {
    /// Unknown where no trip has a cost: never $0.00.
    var shownCost: ShownValue { trips > 0 && costedTrips == 0 ? .costUnknown() : .number(costCents, .cents) }
}

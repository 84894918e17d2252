import Reports

/// What happened in one or more months, as far as it is shown.
struct BudgetActual {
    var trips: ShownValue
    /// Those that have a cost; n/a: not known.
    var costedTrips: ShownValue
    var cost: ShownValue

    static let hidden = BudgetActual(trips: .hidden, costedTrips: .hidden, cost: .hidden)
    static let zero = BudgetActual(trips: .number(0, .count), costedTrips: .number(0, .count), cost: .number(0, .cents))
}

extension BudgetActual {
    init(sumOf months: [BudgetActual]) {
        trips = .sum(months.map(\.trips), .count)
        let costed = months.map(\.costedTrips)
        // Of a number that is not known in one month there is no sum.
        costedTrips = costed.contains(.notApplicable) ? .notApplicable : .sum(costed, .count)
        cost = .sum(months.map(\.cost), .cents)
    }
}

import Basics
import KPIContract
import KPIs
import Reports

/// How a value follows from others of its line.
struct Derivation: Sendable {
    /// The titles of their columns.
    var operands: [String]
    /// Whether a value that there is none of counts as 0.
    var isNoneZero = false
    var compute: @Sendable ([Int]) -> Int?
    /// The same as a formula, of the names of the cells.
    var formula: @Sendable ([String]) -> String

    /// What a total made this way is.
    func value(_ unit: ValueUnit, from operands: [ShownValue?]) -> ShownValue {
        if operands.contains(.hidden) || operands.contains(.notComparable) { return .hidden }
        let wholes = operands.compactMap { $0?.whole }
        guard wholes.count == operands.count, let whole = compute(wholes) else { return .notApplicable }
        return .number(whole, unit, operands.reduce(FigureCoverage.all) { $0.union($1?.coverage ?? .all) })
    }

    /// `part / (part + other)`, in tenths of a per cent: rounded once, from the counts.
    static func share(of part: String, and other: String) -> Derivation {
        Derivation(
            operands: [part, other], compute: { HalfUp.quotient($0[0], times: 1000, by: $0[0] + $0[1]) },
            formula: { "=ROUND(1000*\($0[0])/(\($0[0])+\($0[1])),0)/1000" })
    }

    /// Dollars over a count, rounded to the cent.
    static func cost(_ cost: String, per count: String) -> Derivation {
        Derivation(
            operands: [cost, count], compute: { HalfUp.quotient($0[0], by: $0[1]) },
            formula: { "=ROUND(ROUND(100*\($0[0]),0)/\($0[1]),0)/100" })
    }

    /// Dollars per mile, rounded to the cent; the miles are in hundredths.
    static func cost(_ cost: String, perMile miles: String) -> Derivation {
        Derivation(
            operands: [cost, miles], compute: { HalfUp.quotient($0[0], times: 100, by: $0[1]) },
            formula: { "=ROUND(100*ROUND(100*\($0[0]),0)/ROUND(100*\($0[1]),0),0)/100" })
    }

    /// The first over the second, in ten-thousandths.
    static func share(_ part: String, of whole: String) -> Derivation {
        Derivation(
            operands: [part, whole], compute: { $0[1] > 0 ? HalfUp.quotient($0[0], times: 10_000, by: $0[1]) : nil },
            formula: { "=ROUND(10000*ROUND(100*\($0[0]),0)/ROUND(100*\($0[1]),0),0)/10000" })
    }

    /// The first less the others.
    static func difference(_ first: String, _ others: String...) -> Derivation {
        Derivation(
            operands: [first] + others, compute: { $0[0] - $0.dropFirst().reduce(0, +) },
            formula: { "=ROUND(\($0.joined(separator: "-")),2)" })
    }

    /// `CostChange.volumeCents`.
    static func volume(trips: (before: String, after: String), cost: (before: String, after: String)) -> Derivation {
        Derivation(
            operands: [trips.before, trips.after, cost.before, cost.after],
            compute: {
                CostChange(tripsBefore: $0[0], costCentsBefore: $0[2], tripsAfter: $0[1], costCentsAfter: $0[3])?
                    .volumeCents
            },
            formula: {
                "=IF(\($0[0])=0,ROUND(\($0[3])-\($0[2]),2),"
                    + "ROUND((\($0[1])-\($0[0]))*ROUND(100*\($0[2]),0)/\($0[0]),0)/100)"
            })
    }

    /// The sum of columns side by side.
    static func sum(_ titles: [String]) -> Derivation {
        Derivation(
            operands: titles, isNoneZero: true, compute: { $0.reduce(0, +) },
            formula: { "=ROUND(SUM(\($0[0]):\($0[$0.count - 1])),2)" })
    }
}

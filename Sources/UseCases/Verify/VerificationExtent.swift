package import Basics
import Store

/// How much of a large store, and of published rows, is verified.
package enum VerificationExtent: Sendable, Hashable {
    /// Everything: each row, each month.
    case full
    /// The ledger, every tally and every figure; the rows of some months and slices, each day others, so that all have their turn.
    /// What is small is verified in full.
    ///
    /// - day: days since 1970.
    case sample(day: Int)

    /// How many rows are tallied again and asked by SQL.
    private static let sampledRows = 50_000

    /// Whether each of so many rows is read.
    func isWhole(rows: Int) -> Bool { self == .full || rows <= TripStore.mostRowsOfASmallStore }

    /// The months whose rows are read.
    ///
    /// - Parameters:
    ///   - months: of the store; ascending.
    ///   - rows: of the store.
    package func months(of months: [Month], rows: Int) -> [Month] {
        guard case .sample(let day) = self, !isWhole(rows: rows), !months.isEmpty else { return months }
        let count = min(months.count, max(1, Self.sampledRows * months.count / rows))
        return (0..<count).map { months[(max(0, day) * count + $0) % months.count] }.sorted()
    }
}

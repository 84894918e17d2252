package import Trips

/// How a trip and its parts become the trip that counts: the part's values are filled in, and the trip is classified again.
///
/// The store has neither rules nor the meaning of test results, so a session brings this along.
package struct TripCompletion: Sendable {
    /// - Parameters:
    ///   - own: the trip as its own export has it.
    ///   - parts: its parts, in the order in which they are filled in.
    package typealias Complete = (_ own: TripFacts, _ parts: [TripFacts]) throws -> TripFacts

    /// Called once a transaction, when the first trip with parts comes: after a transaction that was rolled back, numbers of texts
    /// may mean other texts.
    let begin: @Sendable () -> Complete

    package init(begin: @escaping @Sendable () -> Complete) { self.begin = begin }

    /// Of sessions that load and withdraw nothing.
    static let none = TripCompletion {
        { _, _ in throw StoreError.inconsistent("a trip with parts has changed in a session without rules") }
    }
}

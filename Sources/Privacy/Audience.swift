/// For whom figures are made.
package enum Audience: String, CaseIterable, Sendable, Hashable {
    /// Anybody: groups of at least `minimumCell` trips and patients; of a store, of closed months only.
    case release
    /// The health system's own people: every figure, exact. Each output is stamped and its use is audited.
    case staff
}

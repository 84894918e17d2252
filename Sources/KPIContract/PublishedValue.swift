/// A figure as an audience may see it.
package enum PublishedValue<Number: Sendable & Hashable>: Sendable, Hashable {
    case value(Number)
    /// Withheld by disclosure control; not 0.
    case suppressed
    /// There is nothing to compute it from, such as a mean over no trips.
    case undefined

    /// Nil where it is suppressed or undefined.
    package var value: Number? { if case .value(let number) = self { number } else { nil } }

    /// A quotient: undefined where it is nil.
    package init(quotient: Number?) {
        guard let quotient else {
            self = .undefined
            return
        }
        self = .value(quotient)
    }
}

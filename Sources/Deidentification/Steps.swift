/// Steps in which a measure is shown where exact values could be unique.
struct Steps: Sendable, Hashable {
    let step: Int
    /// Stands for itself and all above.
    let top: Int

    /// The nearest step, half up; more than nothing is at least one step, so that it is not taken for nothing.
    func nearest(_ value: Int) -> Int? {
        guard value >= 0 else { return nil }
        if value == 0 { return 0 }
        return min(top, max(step, (value + step / 2) / step * step))
    }

    /// Five minutes, up to four hours.
    static let seconds = Steps(step: 300, top: 14_400)
    /// Five miles, up to a hundred.
    static let hundredthsOfMiles = Steps(step: 500, top: 10_000)
    /// A hundred dollars, up to five thousand.
    static let cents = Steps(step: 10_000, top: 500_000)
}

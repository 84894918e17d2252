/// A line of an XmR chart: the mean, or one of the limits.
package struct XmRLimit: Sendable, Hashable {
    let dividend: Int128
    let divisor: Int128

    /// As a whole number of parts of the figures' unit, rounded half up.
    package func rounded(parts: Int) -> Int {
        let twice = 2 * dividend * Int128(parts) + divisor
        let (quotient, remainder) = twice.quotientAndRemainder(dividingBy: 2 * divisor)
        return Int(remainder < 0 ? quotient - 1 : quotient)
    }
}

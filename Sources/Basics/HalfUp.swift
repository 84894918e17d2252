/// Division of integers to the nearest whole, halves away from zero.
///
/// All published means, ratios and percentages are computed with it, from integer totals, so that no result depends on
/// the order of additions or on the machine's floating point.
package enum HalfUp {
    /// `numerator / denominator` rounded; nil over a denominator of zero or on overflow.
    package static func quotient(_ numerator: Int, by denominator: Int) -> Int? {
        guard denominator != 0 else { return nil }
        let negative = (numerator < 0) != (denominator < 0)
        let whole = numerator.magnitude / denominator.magnitude
        let rest = numerator.magnitude % denominator.magnitude
        let rounded = whole + (rest >= denominator.magnitude - rest ? 1 : 0)
        guard let magnitude = Int(exactly: rounded) else { return nil }
        return negative ? -magnitude : magnitude
    }

    /// `numerator * scale / denominator` rounded; nil over zero or on overflow.
    package static func quotient(_ numerator: Int, times scale: Int, by denominator: Int) -> Int? {
        let (product, overflow) = numerator.multipliedReportingOverflow(by: scale)
        return overflow ? nil : quotient(product, by: denominator)
    }
}

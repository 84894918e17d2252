/// A quotient of whole numbers with halves rounded away from zero, as every published quotient is rounded.
enum RoundedQuotient {
    /// `dividend * scale / divisor`; nil over zero, and where the product does not fit.
    static func of(_ dividend: Int, times scale: Int = 1, by divisor: Int) -> Int? {
        let (product, overflow) = dividend.multipliedReportingOverflow(by: scale)
        guard divisor != 0, !overflow, product != .min, divisor != .min else { return nil }
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
        // Twice the rest could overflow; the rest against what is missing cannot.
        let isRoundedUp = rest.magnitude >= divisor.magnitude - rest.magnitude
        guard isRoundedUp else { return quotient }
        return (product < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
    }
}

/// An amount of dollars with exactly two decimals, held as whole cents.
public struct Cents: FixedDecimal {
    /// Decimals after the point.
    public static let decimals = 2
    /// The amount in whole cents.
    public var cents: Int
    /// The same.
    public var units: Int { cents }
    /// Of that many cents.
    public init(cents: Int) { self.cents = cents }
    /// Of that many cents.
    public init(units: Int) { cents = units }
}

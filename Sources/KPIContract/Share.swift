/// A share (1 is the whole) with exactly four decimals, held as whole ten-thousandths. A change against an earlier
/// figure may lie below 0 or above 1.
public struct Share: FixedDecimal {
    /// Decimals after the point.
    public static let decimals = 4
    /// The amount in whole ten-thousandths.
    public var tenThousandths: Int
    /// The same.
    public var units: Int { tenThousandths }
    /// Of that many ten-thousandths.
    public init(tenThousandths: Int) { self.tenThousandths = tenThousandths }
    /// Of that many ten-thousandths.
    public init(units: Int) { tenThousandths = units }
}

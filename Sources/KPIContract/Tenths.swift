/// A number with exactly one decimal (seconds, miles), held as whole tenths.
public struct Tenths: FixedDecimal {
    /// Decimals after the point.
    public static let decimals = 1
    /// The amount in whole tenths.
    public var tenths: Int
    /// The same.
    public var units: Int { tenths }
    /// Of that many tenths.
    public init(tenths: Int) { self.tenths = tenths }
    /// Of that many tenths.
    public init(units: Int) { tenths = units }
}

/// An amount of dollars with exactly two decimals, held as whole cents.
public struct Cents: Sendable, Hashable {
    public var cents: Int
    public init(cents: Int) { self.cents = cents }
}

/// A number with exactly one decimal (seconds, miles), held as whole tenths.
public struct Tenths: Sendable, Hashable {
    public var tenths: Int
    public init(tenths: Int) { self.tenths = tenths }
}

/// A share from 0 to 1 with exactly four decimals, held as whole ten-thousandths.
public struct Share: Sendable, Hashable {
    public var tenThousandths: Int
    public init(tenThousandths: Int) { self.tenThousandths = tenThousandths }
}

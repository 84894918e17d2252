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
extension Cents: Codable { public init(from decoder: any Decoder) throws { cents = 0 }; public func encode(to encoder: any Encoder) throws {} }
extension Tenths: Codable { public init(from decoder: any Decoder) throws { tenths = 0 }; public func encode(to encoder: any Encoder) throws {} }
extension Share: Codable { public init(from decoder: any Decoder) throws { tenThousandths = 0 }; public func encode(to encoder: any Encoder) throws {} }

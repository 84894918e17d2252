/// A number with a fixed count of decimals, held as a whole count of its smallest unit, so that no sum and no output
/// depends on floating point.
///
/// It decodes from a JSON number that lies on the grid of its unit. `description` is the canonical text, with all its
/// decimals.
public protocol FixedDecimal: Decodable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Decimals after the point.
    static var decimals: Int { get }

    /// The whole count of units of `10^-decimals`.
    var units: Int { get }

    /// Of that many units.
    init(units: Int)
}

extension FixedDecimal {
    /// Beyond this many units a JSON number (a `Double`) no longer represents neighbouring values distinctly.
    static var largestUnits: Double { 35_184_372_088_832 }

    /// How far from a whole unit a number may lie and still mean it: above the error of a `Double` up to
    /// `largestUnits`, and far below the half that would make it a guess.
    static var tolerance: Double { 0.01 }

    static var unitsPerOne: Int { (0..<decimals).reduce(1) { power, _ in power * 10 } }

    /// Reads a number.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if it has more decimals than the type, or is too large to be exact.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let scaled = try container.decode(Double.self) * Double(Self.unitsPerOne)
        let whole = scaled.rounded(.toNearestOrAwayFromZero)
        guard whole.magnitude <= Self.largestUnits else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the number is too large to be read exactly")
        }
        guard (scaled - whole).magnitude <= Self.tolerance else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the number has more than \(Self.decimals) decimals")
        }
        self.init(units: Int(whole))
    }

    /// The nearest `Double`, for charts.
    public var doubleValue: Double { Double(units) / Double(Self.unitsPerOne) }

    /// The canonical text, such as `-0.05` with two decimals.
    public var description: String {
        let scale = UInt(Self.unitsPerOne)
        let fraction = String(units.magnitude % scale)
        let padding = String(repeating: "0", count: Self.decimals - fraction.count)
        return "\(units < 0 ? "-" : "")\(units.magnitude / scale).\(padding)\(fraction)"
    }

    /// By size.
    public static func < (left: Self, right: Self) -> Bool { left.units < right.units }
}

/// A number with exactly two decimals that is no amount of money (miles), held as whole hundredths.
public struct Hundredths: FixedDecimal {
    /// Decimals after the point.
    public static let decimals = 2
    /// The amount in whole hundredths.
    public var units: Int
    /// Of that many hundredths.
    public init(units: Int) { self.units = units }

    /// In words, without zeros at the end: `12.4 miles`, `1 mile`.
    package var miles: String {
        var text = description[...]
        while text.last == "0" { text.removeLast() }
        return "\(text.last == "." ? text.dropLast() : text) \(units == 100 ? "mile" : "miles")"
    }
}

extension Hundredths: CanonicalValue {}

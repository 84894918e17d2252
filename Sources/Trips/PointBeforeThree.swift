/// Amounts with a point before three digits, and the others of their column: `1.250` is a thousand in one country and one and a
/// quarter in another.
package struct PointBeforeThree: Sendable {
    /// Amounts that may have a point between thousands.
    package private(set) var unclear = 0
    /// Of these, amounts that would be 100,000 or more.
    private var large = 0
    /// Other amounts with a point: it begins a fraction.
    private var fractions = 0
    /// Amounts without a point.
    private var wholes = 0

    package init() {}

    package mutating func add(_ text: Span<UInt8>) {
        switch Self.form(text) {
        case .unclear(let isLarge):
            unclear += 1
            if isLarge { large += 1 }
        case .fraction: fractions += 1
        case .whole: wholes += 1
        case nil: break
        }
    }

    /// Whether an amount has shown that the point begins a fraction: then the others need not be looked at.
    package var hasFractions: Bool { fractions > 0 }

    package mutating func merge(_ other: PointBeforeThree) {
        unclear += other.unclear
        large += other.large
        fractions += other.fractions
        wholes += other.wholes
    }

    /// Whether nothing shows what the point is. Where every amount has one and some would be 100,000 or more, it begins a fraction of
    /// three digits.
    package var isInDoubt: Bool { unclear > 0 && fractions == 0 && !(wholes == 0 && large > 0) }

    private enum Form: Equatable {
        case unclear(isLarge: Bool)
        case fraction
        case whole
    }

    private static func form(_ text: Span<UInt8>) -> Form? {
        var before = 0, after: Int?, first: UInt8?
        for at in text.indices {
            let byte = text[at]
            switch byte {
            case 0x30...0x39:
                if first == nil { first = byte }
                if let digits = after { after = digits + 1 } else { before += 1 }
            case 0x2E where after == nil: after = 0
            // With a comma as well, or several points, it is clear what each is.
            case 0x2C: return .fraction
            case 0x2E: return nil
            default: break
            }
        }
        guard let first else { return nil }
        guard let after, after > 0 else { return .whole }
        return after == 3 && (1...3).contains(before) && first != 0x30 ? .unclear(isLarge: before == 3) : .fraction
    }
}

/// The values of a column of few values that may be shown: those that occur often enough to point at no one.
struct ValueCounts {
    /// A value that occurs less often in the sample is not shown: it may be a slip, even a name, and a small count.
    static let minimumCount = 11
    /// A column with more values that occur so often is not mapped by hand.
    static let maximumValues = 24

    /// In order of the text.
    let shown: [String]
    /// Whether there are too many values to list, or too many of them are rare.
    let isMany: Bool

    init(_ values: [String]) {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        let often = counts.filter { $0.value >= Self.minimumCount }
        isMany =
            often.count > Self.maximumValues
            || (counts.count > Self.maximumValues && often.values.reduce(0, +) * 5 < values.count * 4)
        shown = isMany ? [] : often.keys.filter(Self.isHarmless).sorted()
    }

    /// Short, printable, and not a date or a long number. NEMSIS codes have seven digits and are known.
    private static func isHarmless(_ value: String) -> Bool {
        let isCode = TextShape.digitCount(value) == 7 && value.utf8.count == 7
        return value.count <= 60 && (isCode || TextShape.digitCount(value) <= 4) && !TextShape.isDateOrTime(value)
            && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

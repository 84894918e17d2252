internal import Trips

/// What the reader of amounts makes of the values of a column, with a decimal point and with a decimal comma.
struct AmountColumn {
    private(set) var count = 0
    private(set) var readWithPoint = 0
    private(set) var readWithComma = 0
    /// Whether a point before three digits may divide thousands or begin a fraction.
    private var points = PointBeforeThree()

    /// - Parameter isMoney: amounts of money, which are exact to the cent; else distances.
    init(_ values: [String], isMoney: Bool) {
        func isRead(_ text: some Sequence<UInt8>) -> Bool {
            (isMoney ? AmountReader.cents(text) : AmountReader.hundredths(text)) != .bad
        }
        for value in values {
            count += 1
            if isRead(value.utf8) { readWithPoint += 1 }
            if isRead(AmountReader.exchangingMarks(value.utf8)) { readWithComma += 1 }
            points.add(Array(value.utf8).span)
        }
    }

    /// How many values are read with the mark that reads more of them.
    var read: Int { max(readWithPoint, readWithComma) }

    /// The only mark that reads all that can be read; nil: both do.
    var mark: DecimalMark? {
        readWithPoint == readWithComma ? nil : readWithPoint > readWithComma ? .point : .comma
    }

    /// See `PointBeforeThree.isInDoubt`.
    var hasUnclearPoints: Bool { points.isInDoubt }
}

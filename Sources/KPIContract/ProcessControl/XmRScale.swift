/// Where figures lie between the mean and the limits, as a comparison of whole numbers.
struct XmRScale {
    static let hundredthsOfLimit: Int128 = 266

    /// Of the figures.
    let sum: Int128
    let count: Int128
    let ranges: MovingRanges
    let step: Int128

    init(sum: Int128, count: Int128, _ ranges: MovingRanges, step: Int) {
        self.sum = sum
        self.count = count
        self.ranges = ranges
        self.step = Int128(step)
    }

    /// `count` times the distance from the mean; positive above it.
    func distance(_ figure: Int) -> Int128 { Int128(figure) * count - sum }

    /// Whether the distance is more than so many thirds of that from the mean to a limit.
    func isBeyond(thirds: Int128, _ distance: Int128) -> Bool {
        abs(distance) * ranges.count * 300 > thirds * Self.hundredthsOfLimit * count * ranges.sum
    }

    func isWithinStep(_ distance: Int128) -> Bool { abs(distance) < step * count }

    /// The mean and so many hundredths of the mean moving range.
    func limit(hundredths: Int128) -> XmRLimit {
        XmRLimit(
            dividend: sum * ranges.count * 100 + hundredths * ranges.sum * count, divisor: count * ranges.count * 100)
    }
}

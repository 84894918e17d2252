/// A lognormal spread around a median, in integers: 33 quantiles, straight lines between them, cut at 0.4 % and 99.6 %.
struct LognormalShape {
    /// Quantiles in permille of the median, at 0/32, 1/32 … 32/32.
    private let permille: [Int]

    /// Sigma 0.35: steps that crews control.
    static let narrow = LognormalShape(permille: [
        395, 521, 585, 630, 669, 702, 733, 762, 790, 817, 843, 869, 894, 920, 946, 973, 1000, 1028, 1057, 1087, 1118,
        1151, 1187, 1225, 1266, 1312, 1364, 1424, 1496, 1586, 1711, 1919, 2530,
    ])

    /// Sigma 0.5: driving times and distances.
    static let wide = LognormalShape(permille: [
        266, 394, 464, 517, 563, 604, 642, 678, 714, 749, 783, 818, 853, 888, 924, 962, 1000, 1040, 1082, 1126, 1173,
        1223, 1277, 1336, 1401, 1474, 1558, 1657, 1777, 1933, 2153, 2538, 3766,
    ])

    @inline(__always)
    func draw(median: Int, _ random: inout SampleRandom) -> Int {
        let place = random.below(32 << 10)
        let low = permille[place >> 10], high = permille[(place >> 10) + 1]
        return median * (low + (high - low) * (place & 1023) >> 10) / 1000
    }
}

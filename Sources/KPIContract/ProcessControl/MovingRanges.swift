/// The sizes of the changes from each month to the next, without those that are outliers.
struct MovingRanges {
    var sum: Int128
    var count: Int128

    /// Nil if no two figures are of adjacent months.
    init?(_ figures: [Int?]) {
        let ranges = zip(figures, figures.dropFirst()).compactMap { earlier, later -> Int128? in
            guard let earlier, let later else { return nil }
            return abs(Int128(later) - Int128(earlier))
        }
        guard !ranges.isEmpty else { return nil }
        let all = ranges.reduce(0, +), number = Int128(ranges.count)
        let kept = ranges.filter { $0 * number * 1000 < 3267 * all }
        let keptSum = kept.reduce(0, +)
        // Where most months are equal every change is an outlier: without all of them there would be no limits.
        sum = keptSum > 0 ? keptSum : all
        count = keptSum > 0 ? Int128(kept.count) : number
    }
}

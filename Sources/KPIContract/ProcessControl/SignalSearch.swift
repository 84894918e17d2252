/// Looks for signals in figures whose limits are known.
struct SignalSearch {
    private let figures: [Int?]
    private let scale: XmRScale
    /// Of each figure: 1 above the mean, -1 below it, 0 on it, or without a figure.
    private let sides: [Int]
    private let distances: [Int128?]

    init(_ figures: [Int?], _ scale: XmRScale) {
        self.figures = figures
        self.scale = scale
        distances = figures.map { $0.map(scale.distance) }
        sides = distances.map { $0.map { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 } ?? 0 }
    }

    var signals: [XmRSignal?] {
        // Months that are all the same have no limits to be outside of.
        guard scale.ranges.sum > 0 else { return figures.map { _ in nil } }
        let trends = trends, pairs = pairs, shifts = shifts
        return figures.indices.map { month in
            guard let distance = distances[month] else { return nil }
            guard distance != 0, !scale.isWithinStep(distance) else { return nil }
            // A month of a trend too is what it is by its own side of the mean: rising costs below it are not high yet.
            let side: XmRSignal.Direction = distance > 0 ? .high : .low
            if isOutside(month) { return XmRSignal(.outsideLimits, side) }
            if trends[month] { return XmRSignal(.trend, side) }
            if pairs[month] { return XmRSignal(.twoOfThree, side) }
            return shifts[month] ? XmRSignal(.shift, side) : nil
        }
    }

    private func isOutside(_ month: Int) -> Bool {
        distances[month].map { scale.isBeyond(thirds: 3, $0) && !scale.isWithinStep($0) } ?? false
    }

    private func isInOuterThird(_ month: Int) -> Bool {
        distances[month].map { scale.isBeyond(thirds: 2, $0) && !scale.isBeyond(thirds: 3, $0) } ?? false
    }

    /// Whether a month is part of a run in which each is above, or each is below, the one before.
    private var trends: [Bool] {
        let steps = zip(figures, figures.dropFirst()).map { earlier, later -> Int in
            guard let earlier, let later, earlier != later else { return 0 }
            return later > earlier ? 1 : -1
        }
        var trends = figures.map { _ in false }
        for (run, _) in Self.runs(steps) where run.count + 1 >= XmRChart.runLength {
            for month in run.lowerBound...run.upperBound { trends[month] = true }
        }
        return trends
    }

    private var shifts: [Bool] {
        var shifts = figures.map { _ in false }
        for (run, _) in Self.runs(sides) where run.count >= XmRChart.runLength {
            for month in run { shifts[month] = true }
        }
        return shifts
    }

    private var pairs: [Bool] {
        var pairs = figures.map { _ in false }
        for start in figures.indices.dropLast(2) {
            let three = start...start + 2
            guard abs(three.reduce(0) { $0 + sides[$1] }) == 3, three.count(where: isInOuterThird) >= 2 else {
                continue
            }
            for month in three where isInOuterThird(month) { pairs[month] = true }
        }
        return pairs
    }

    /// The longest runs of equal values that are not 0.
    private static func runs(_ values: [Int]) -> [(run: Range<Int>, value: Int)] {
        var runs: [(Range<Int>, Int)] = []
        var start = 0
        for place in 1...max(1, values.count) where place >= values.count || values[place] != values[start] {
            if start < values.count, values[start] != 0 {
                runs.append((start..<min(place, values.count), values[start]))
            }
            start = place
        }
        return runs
    }
}

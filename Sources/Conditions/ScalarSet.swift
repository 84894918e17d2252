/// A set of Unicode scalars as sorted, separate ranges.
struct ScalarSet: Sendable, Hashable {
    private(set) var ranges: [ClosedRange<UInt32>]

    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    static let maximum: UInt32 = 0x10FFFF
    static let digits = ScalarSet([0x30...0x39])
    static let wordScalars = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let blanks = ScalarSet([0x09...0x0D, 0x20...0x20])
    static let anyButLineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D]).complement

    var complement: ScalarSet {
        var rest: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { rest.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.maximum { rest.append(next...Self.maximum) }
        return ScalarSet(rest)
    }

    /// With the other ASCII case of every letter.
    var foldingCase: ScalarSet {
        var all = ranges
        for range in ranges {
            let upper = range.clamped(to: 0x41...0x5A), lower = range.clamped(to: 0x61...0x7A)
            if range.overlaps(0x41...0x5A) { all.append(upper.lowerBound + 32...upper.upperBound + 32) }
            if range.overlaps(0x61...0x7A) { all.append(lower.lowerBound - 32...lower.upperBound - 32) }
        }
        return ScalarSet(all)
    }

    func contains(_ scalar: UInt32) -> Bool {
        for range in ranges where scalar <= range.upperBound { return scalar >= range.lowerBound }
        return false
    }
}

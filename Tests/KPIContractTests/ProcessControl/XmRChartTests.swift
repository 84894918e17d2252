import KPIContract
import TestSupport
import Testing

/// Mean, limits and signals by month.
@Suite struct XmRChartTests {
    /// Twelve months that go up and down by 10 around 100, and what follows.
    private static func level(_ rest: Int?...) -> [Int?] {
        (0..<12).map { $0 % 2 == 0 ? 95 : 105 } + rest
    }

    private func signals(_ figures: [Int?], step: Int = 1) throws -> [Int: XmRSignal] {
        let chart = try #require(XmRChart(figures, step: step))
        return Dictionary(
            chart.signals.enumerated().compactMap { month, signal in signal.map { (month, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func limitsAreTheMeanAnd266HundredthsOfTheMeanMovingRange() throws {
        let chart = try #require(XmRChart(Self.level()))
        #expect(chart.mean.rounded(parts: 10) == 1000)
        #expect(chart.upperLimit.rounded(parts: 10) == 1266)
        #expect(chart.lowerLimit.rounded(parts: 10) == 734)
        #expect(chart.signals.allSatisfy { $0 == nil })
    }

    @Test func aMovingRangeThatIsAnOutlierDoesNotWidenTheLimits() throws {
        let chart = try #require(XmRChart(Self.level(95, 1000, 95, 105)))
        // Of 15 moving ranges two are outliers; the others are 10.
        #expect(chart.upperLimit.rounded(parts: 10) - chart.mean.rounded(parts: 10) == 266)
        #expect(try signals(Self.level(95, 1000, 95, 105))[13] == XmRSignal(.outsideLimits, .high))
    }

    @Test func fewMonthsHaveNoLimits() {
        #expect(XmRChart(Array(Self.level().dropLast())) == nil)
        #expect(XmRChart([]) == nil)
        #expect(XmRChart(Self.level().dropLast() + [nil]) == nil)
        let everySecond = (0..<24).map { $0 % 2 == 0 ? Int?.some($0) : nil }
        #expect(XmRChart(everySecond) == nil, "No two figures are of adjacent months.")
    }

    @Test func equalMonthsAreNoSignal() throws {
        #expect(try signals(Array(repeating: 7, count: 24)).isEmpty)
        #expect(try signals(Array(repeating: 7, count: 23) + [8]).isEmpty, "It is less than one step from the mean.")
        #expect(try signals(Array(repeating: 7, count: 23) + [17])[23] == XmRSignal(.outsideLimits, .high))
    }

    @Test func sevenMonthsOnOneSideAreAShift() throws {
        let figures: [Int?] = [80, 90, 80, 90, 80, 90, 80] + [101, 110, 102, 111, 103, 112, 101]
        let found = try signals(figures)
        #expect((7...13).allSatisfy { found[$0] == XmRSignal(.shift, .high) })
        #expect((0...6).allSatisfy { found[$0] == XmRSignal(.shift, .low) })
        // A month without a figure ends a run.
        var broken = figures
        broken[10] = nil
        let rest = try signals(broken)
        #expect(rest.count == 7 && rest.values.allSatisfy { $0.direction == .low })
    }

    /// What a month of a trend is, its own side of the mean says: a cost that falls from far above it is still high.
    @Test func sevenMonthsThatFallAreATrend() throws {
        let figures: [Int?] = [100, 130, 100, 130, 100, 130, 124, 118, 112, 106, 100, 94, 130, 100]
        let found = try signals(figures)
        #expect((5...7).allSatisfy { found[$0] == XmRSignal(.trend, .high) })
        #expect((9...11).allSatisfy { found[$0] == XmRSignal(.trend, .low) })
        #expect(found[8] == nil, "It is less than one step from the mean.")
        #expect(found.count == 6)
        var level = figures
        level[8] = level[7]
        #expect(try signals(level).isEmpty, "Equal months end a trend.")
    }

    @Test func twoOfThreeInTheOuterThirdAreASignal() throws {
        let found = try signals(Self.level(95, 130, 104, 130, 95, 105))
        #expect(found[13] == XmRSignal(.twoOfThree, .high) && found[15] == XmRSignal(.twoOfThree, .high))
        #expect(found[14] == nil, "The one between them is near the mean.")
    }

    /// The release rounds percentiles to 10 seconds: a month of 610 among months of 600 is one step away.
    @Test func lessThanOneStepIsNoSignal() throws {
        let figures: [Int?] = (0..<17).map { $0 % 4 == 3 ? 610 : 600 } + Array(repeating: 610, count: 7)
        #expect(try signals(figures)[23] == XmRSignal(.shift, .high))
        #expect(try signals(figures, step: 10).isEmpty)
    }

    // MARK: Laws

    private static let seeds = Array(UInt64(1)...60)

    private static func figures(_ seed: UInt64) -> [Int?] {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 12...40, using: &random), size = [3, 20, 1000, 1_000_000][Int(seed % 4)]
        return (0..<count).map { month in
            if seed % 3 == 0, Int.random(in: 0..<12, using: &random) == 0 { return nil }
            let drift = seed % 5 == 0 ? month * size / 20 : 0
            return Int.random(in: 0...size, using: &random) + drift
        }
    }

    @Test(arguments: seeds) func signalsAreThoseOfThePlainReference(seed: UInt64) {
        let figures = Self.figures(seed)
        #expect(XmRChart(figures)?.signals == PlainXmRChart(figures)?.signals)
    }

    @Test(arguments: seeds) func aShiftedOrStretchedSeriesHasTheSameSignals(seed: UInt64) {
        let figures = Self.figures(seed)
        // As the step is stretched too.
        #expect(
            XmRChart(figures, step: 0)?.signals
                == XmRChart(figures.map { $0.map { $0 * 7 + 12_345 } }, step: 0)?.signals)
    }

    @Test(arguments: seeds) func theMirroredSeriesHasTheOppositeSignals(seed: UInt64) {
        let figures = Self.figures(seed)
        let mirrored = XmRChart(figures.map { $0.map { -$0 } })?.signals.map { signal in
            signal.map { XmRSignal($0.rule, $0.direction == .high ? .low : .high) }
        }
        #expect(XmRChart(figures)?.signals == mirrored)
    }

    @Test func theLargestAmountsDoNotOverflow() throws {
        let figures: [Int?] = (0..<600).map { $0 % 2 == 0 ? 10_000_000_000_000 : 0 }
        let chart = try #require(XmRChart(figures))
        #expect(chart.mean.rounded(parts: 10) == 50_000_000_000_000)
        #expect(chart.upperLimit.rounded(parts: 10) == 316_000_000_000_000)
    }
}

/// The rules as one reads them, with fractions as floating point numbers.
private struct PlainXmRChart {
    let signals: [XmRSignal?]

    init?(_ figures: [Int?]) {
        let values = figures.map { $0.map(Double.init) }
        let known = values.compactMap(\.self)
        let ranges = (1..<max(1, values.count)).compactMap { month in
            values[month].flatMap { now in values[month - 1].map { abs(now - $0) } }
        }
        guard known.count >= 12, !ranges.isEmpty else { return nil }
        let mean = known.reduce(0, +) / Double(known.count)
        let first = ranges.reduce(0, +) / Double(ranges.count)
        let kept = ranges.filter { $0 < 3.267 * first }
        let used = kept.contains { $0 > 0 } ? kept : ranges
        let range = used.reduce(0, +) / Double(used.count)
        guard range > 0 else {
            signals = values.map { _ in nil }
            return
        }
        func beyond(_ month: Int, _ ranges: Double) -> Bool {
            values[month].map { abs($0 - mean) > ranges * range } ?? false
        }
        func isClose(_ month: Int) -> Bool { beyond(month, 2.66 * 2 / 3) && !beyond(month, 2.66) }
        func side(_ month: Int) -> Int { values[month].map { $0 > mean ? 1 : $0 < mean ? -1 : 0 } ?? 0 }
        func every(_ length: Int, around month: Int, _ condition: (Range<Int>) -> Bool) -> Bool {
            (max(0, month - length + 1)...month).contains { start in
                start + length <= values.count && condition(start..<start + length)
            }
        }
        func steps(_ run: Range<Int>) -> [Double] {
            run.dropLast().map { month in
                guard let now = values[month], let next = values[month + 1] else { return 0 }
                return next - now
            }
        }
        signals = values.indices.map { month in
            guard let value = values[month] else { return nil }
            let direction: XmRSignal.Direction = value > mean ? .high : .low
            let isNear = abs(value - mean) < 1
            if beyond(month, 2.66), !isNear { return XmRSignal(.outsideLimits, direction) }
            // The later of two trends that meet in the month.
            if (max(0, month - 6)...month).last(where: { start in
                start + 7 <= values.count && steps(start..<start + 7).allSatisfy { $0 > 0 }
            }) ?? -1 > (max(0, month - 6)...month).last(where: { start in
                start + 7 <= values.count && steps(start..<start + 7).allSatisfy { $0 < 0 }
            }) ?? -1 {
                return XmRSignal(.trend, .high)
            }
            if every(7, around: month, { steps($0).allSatisfy { $0 < 0 } }) { return XmRSignal(.trend, .low) }
            if isNear { return nil }
            let isPair = every(3, around: month) { three in
                abs(three.reduce(0) { $0 + side($1) }) == 3 && three.count(where: isClose) >= 2
            }
            if isPair, isClose(month) { return XmRSignal(.twoOfThree, direction) }
            let isShift = every(7, around: month) { abs($0.reduce(0) { $0 + side($1) }) == 7 }
            return isShift ? XmRSignal(.shift, direction) : nil
        }
    }
}

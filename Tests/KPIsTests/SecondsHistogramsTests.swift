import KPIs
import TestSupport
import Testing

/// Histograms beside plain dictionaries of counts.
@Suite struct SecondsHistogramsTests {
    private static let most = 86_400

    private static func bins(_ histograms: SecondsHistograms, _ histogram: Int) -> [Int: Int] {
        var bins = SecondsBins(histograms)
        // Used before, as in a table.
        bins.add(histogram, of: histograms)
        bins.clear()
        bins.add(histogram, of: histograms)
        var found: [Int: Int] = [:]
        var last = -1
        bins.forEach { second, trips in
            #expect(second > last)
            last = second
            found[second] = trips
        }
        expectRanks(bins, found)
        return found
    }

    private static func expectRanks(_ bins: SecondsBins, _ counts: [Int: Int]) {
        let trips = counts.values.reduce(0, +)
        for rank in [1, (trips + 1) / 2, (trips * 9 + 9) / 10, trips] where rank > 0 {
            var before = 0
            let expected = counts.keys.sorted().first { second in
                before += counts[second] ?? 0
                return before >= rank
            }
            #expect(bins.seconds(ofRank: rank) == expected)
        }
        #expect(bins.seconds(ofRank: 0) == nil && bins.seconds(ofRank: trips + 1) == nil)
    }

    /// Values as they come: most near one another, some anywhere, a few beyond counting.
    private static func value(_ kind: Int, _ random: inout SplitMix64) -> Int {
        switch kind {
        case 0: Int.random(in: 0...most, using: &random)
        case 1: 1800 + Int.random(in: 0..<600, using: &random)
        case 2: [0, 255, 256, most].randomElement(using: &random) ?? 0
        default: 777
        }
    }

    @Test func countsAreThoseOfADictionaryThroughSumsAndDifferences() {
        var random = SplitMix64(seed: 0x4157)
        for _ in 0..<FuzzPlan.iterations(60) {
            var parts: [SecondsHistograms] = []
            var references: [[[Int: Int]]] = []
            for _ in 0..<3 {
                var part = SecondsHistograms(maximumSeconds: Self.most)
                part.reserve(2)
                var reference: [[Int: Int]] = [[:], [:]]
                for _ in 0..<Int.random(in: 0...5000, using: &random) {
                    let value = Self.value(Int.random(in: 0...3, using: &random), &random)
                    let which = Int.random(in: 0...1, using: &random)
                    part.add(Int32(value), to: which)
                    reference[which][value, default: 0] += 1
                }
                parts.append(part)
                references.append(reference)
            }
            var sum = SecondsHistograms(maximumSeconds: Self.most)
            sum.reserve(2)
            for which in 0...1 {
                for index in [2, 0, 1] { sum.combine(parts[index], which, into: which, sign: 1) }
                let all = references.map { $0[which] }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
                #expect(Self.bins(sum, which) == all)
                expectCounts(sum, [which], all)
                sum.combine(parts[1], which, into: which, sign: -1)
                let rest = [references[0][which], references[2][which]].reduce(into: [:]) {
                    $0.merge($1, uniquingKeysWith: +)
                }
                #expect(Self.bins(sum, which) == rest)
                expectCounts(sum, [which], rest)
                sum.combine(parts[0], which, into: which, sign: -1)
                sum.combine(parts[2], which, into: which, sign: -1)
                #expect(Self.bins(sum, which).isEmpty)
            }
        }
    }

    /// The counts of several histograms together, ascending and without zeros.
    private func expectCounts(_ histograms: SecondsHistograms, _ which: [Int], _ expected: [Int: Int]) {
        let counts = histograms.counts(of: which)
        #expect(counts.map(\.second) == expected.keys.sorted())
        #expect(counts.allSatisfy { expected[$0.second] == $0.trips })
    }

    @Test func countsOfSeveralHistogramsAreTheirSum() {
        var histograms = SecondsHistograms(maximumSeconds: Self.most)
        histograms.reserve(2)
        // Histogram 0 has a page and carries; histogram 1 has single values.
        for _ in 0..<300 { histograms.add(600, to: 0) }
        for second in [0, 600, 601, 86_400] { histograms.add(Int32(second), to: 1) }
        expectCounts(histograms, [0, 1], [0: 1, 600: 301, 601: 1, 86_400: 1])
        expectCounts(histograms, [], [:])
    }

    @Test(arguments: [255, 256, 257, 65_535, 65_536, 65_537, 200_000])
    func countersCarryPastTheirWidth(count: Int) {
        var histograms = SecondsHistograms(maximumSeconds: Self.most)
        histograms.reserve(1)
        for _ in 0..<count { histograms.add(600, to: 0) }
        for _ in 0..<30 { histograms.add(601, to: 0) }
        #expect(Self.bins(histograms, 0) == [600: count, 601: 30])
        var doubled = histograms
        doubled.combine(histograms, 0, into: 0, sign: 1)
        #expect(Self.bins(doubled, 0) == [600: 2 * count, 601: 60])
        doubled.combine(histograms, 0, into: 0, sign: -1)
        #expect(Self.bins(doubled, 0) == [600: count, 601: 30])
    }
}

import KPIs
import TestSupport
import Testing

/// Samples of patients beside plain dictionaries.
@Suite struct PatientSampleTests {
    private static func count(_ patients: [UInt64: Int]) -> PatientCount {
        let present = patients.values.filter { $0 > 0 }.count
        return present == 0 ? .unknown : present < PatientCount.cap ? .exactly(present) : .atLeastCap
    }

    @Test func countsAreThoseOfADictionaryOrAreNotGiven() {
        var random = SplitMix64(seed: 0x9A7)
        var given = 0
        for _ in 0..<FuzzPlan.iterations(400) {
            let crowd = Int.random(in: 1...120, using: &random)
            let hashes = (0..<crowd).map { _ in UInt64.random(in: 1...(.max), using: &random) }
            var total: [UInt64: Int] = [:], taken: [UInt64: Int] = [:]
            var parts = [PatientSample(size: 24), PatientSample(size: 24)]
            var out = PatientSample(size: 24)
            for _ in 0..<Int.random(in: 0...400, using: &random) {
                guard let hash = hashes.randomElement(using: &random) else { continue }
                parts[Int.random(in: 0...1, using: &random)].add(hash)
                total[hash, default: 0] += 1
                if Int.random(in: 0..<3, using: &random) > 0 {
                    out.add(hash)
                    taken[hash, default: 0] += 1
                }
            }
            var left = parts[0], right = parts[1]
            left.merge(parts[1])
            right.merge(parts[0])
            #expect(left.count == Self.count(total) && right.count == left.count)
            #expect(PatientSample.count(of: parts) == left.count)
            left.subtract(out)
            right.subtract(out)
            #expect(left.count == right.count)
            if left.count != nil { #expect(PatientSample.count(of: [left, right]) == left.count) }
            let rest = total.merging(taken, uniquingKeysWith: -)
            if let count = left.count {
                given += 1
                #expect(count == Self.count(rest))
            }
        }
        #expect(given > 100)
    }

    /// Where nothing was dropped there is always an answer.
    @Test func aLargeEnoughSampleAlwaysKnows() {
        var sample = PatientSample(size: 64), out = PatientSample(size: 64)
        for hash in 1...64 as ClosedRange<UInt64> {
            sample.add(hash &* 0x9E37_79B9_7F4A_7C15)
            if hash > 5 { out.add(hash &* 0x9E37_79B9_7F4A_7C15) }
        }
        #expect(sample.count == .atLeastCap)
        sample.subtract(out)
        #expect(sample.count == .exactly(5))
    }
}

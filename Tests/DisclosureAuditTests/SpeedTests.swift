import DisclosureAudit
import Testing

/// The audit of a whole release takes less than a second.
@Suite struct SpeedTests {
    private static var isOptimized: Bool {
        #if DEBUG
        false
        #else
        true
        #endif
    }

    @Test(.enabled(if: SpeedTests.isOptimized, "without optimization it is slow"))
    func twoYearsOfTwentyRegionsAndSixTypesAreFast() {
        let months = (0..<24).map { index in
            "\(2024 + (index + 3) / 12)-" + (((index + 3) % 12) < 9 ? "0" : "") + "\((index + 3) % 12 + 1)"
        }
        let release = SyntheticRelease(
            seed: 1, months: months, regions: (1...20).map { "Region \(Character(UnicodeScalar(UInt8(64 + $0))))" },
            tripTypes: (1...6).map { "Type \(Character(UnicodeScalar(UInt8(64 + $0))))" }, tripsPerLeaf: 15...70)
        let honest = HonestFiles(release)
        let files = honest.files
        let audited = release.audited
        let clock = ContinuousClock()
        let start = clock.now
        let audit = DisclosureAudit(of: audited, facts: HonestFiles.facts, files: HonestFiles.written)
        let prepared = clock.now
        let findings = audit.findings(in: files)
        let time = start.duration(to: clock.now)
        #expect(findings == [])
        print("audit of \(honest.cells.count) cells: \(time), of that the groups \(start.duration(to: prepared))")
        // Far above what it takes, for machines that are busy.
        #expect(time < .seconds(5))
    }
}

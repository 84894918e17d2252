import DisclosureAudit
import KPIContract
import Testing

/// Shares of records in a release: of at least 1,000 records, and never of 10 or fewer.
@Suite struct QualitySharesAuditTests {
    private let honest = HonestFiles(.example(seed: 2))

    private func findings(
        of records: (read: Int, rejected: Int)?, _ change: (inout KPISummaryV1.QualityShares?) -> Void
    ) -> [String] {
        var facts = HonestFiles.facts
        facts.records = records
        var summary = honest.summary
        change(&summary.qualityShares)
        return DisclosureAudit(of: honest.release.audited, facts: facts, files: honest.written)
            .findings(in: honest.files(of: summary)).filter { $0.contains("qualityShares") }
    }

    private func expect(_ findings: [String], none: Bool, _ place: SourceLocation = #_sourceLocation) {
        #expect(findings.count == (none ? 0 : 1), sourceLocation: place)
    }

    @Test func sharesOfFewRecordsAreFound() {
        expect(findings(of: (999, 30)) { _ in }, none: false)
        expect(findings(of: nil) { _ in }, none: false)
        expect(findings(of: (999, 30)) { $0 = nil }, none: true)
        expect(findings(of: (1_000, 30)) { $0?.rejectedRecords = 3 }, none: true)
        expect(findings(of: (1_000, 30)) { $0 = nil }, none: false)
    }

    @Test(arguments: [0, 1, 5, 10, 990, 999, 1_000])
    func aShareOfFewOnOneSideIsFound(rejected: Int) {
        let percent = (rejected * 100 + 500) / 1_000
        expect(findings(of: (1_000, rejected)) { $0?.rejectedRecords = percent }, none: false)
        expect(findings(of: (1_000, rejected)) { $0?.rejectedRecords = nil }, none: true)
    }

    @Test func aShareThatIsNotThatOfTheRecordsIsFound() {
        expect(findings(of: (2_400, 36)) { _ in }, none: true)
        expect(findings(of: (2_400, 36)) { $0?.rejectedRecords = 1 }, none: false)
    }
}

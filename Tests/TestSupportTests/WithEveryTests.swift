import TestSupport
import Testing

@Suite struct WithEveryTests {
    @Test func namesEveryCaseOnce() {
        var seen: [String] = []
        withEvery("row", in: 0..<2) { _ in
            withEvery("column", in: ["a", "b"]) { _ in seen.append(CaseTrace.current.rawValue) }
        }
        #expect(seen == ["row = 0, column = a", "row = 0, column = b", "row = 1, column = a", "row = 1, column = b"])
    }

    @Test func reportsAThrownErrorWithItsCaseAndGoesOn() {
        struct Stop: Error {}
        var count = 0
        withKnownIssue {
            withEvery("row", in: 0..<3) { row in
                count += 1
                if row == 1 { throw Stop() }
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("row = 1") }
        }
        #expect(count == 3)
    }
}

import Basics
import Reporting
import Testing
import Trips
import UseCases

/// Of a large store some months are verified each day, and each month has its turn.
@Suite struct VerificationExtentTests {
    private let months = (0..<24).map { Month(year: 2024, month: 1).advanced(by: $0) }

    @Test func aSmallStoreIsVerifiedInFull() {
        #expect(VerificationExtent.sample(day: 7).months(of: months, rows: 100_000) == months)
        #expect(VerificationExtent.full.months(of: months, rows: 10_000_000) == months)
    }

    @Test(arguments: [(1_000_000, 1), (10_000_000, 1), (150_000, 8)])
    func eachMonthHasItsTurn(rows: Int, count: Int) {
        let days = (24 + count - 1) / count
        var seen: Set<Month> = []
        for day in 20_000..<20_000 + days {
            let read = VerificationExtent.sample(day: day).months(of: months, rows: rows)
            #expect(read.count == count && read == read.sorted())
            seen.formUnion(read)
        }
        #expect(seen.count == 24)
    }

    @Test func aStoreWithoutMonthsHasNone() {
        #expect(VerificationExtent.sample(day: 3).months(of: [], rows: 1_000_000).isEmpty)
    }
}

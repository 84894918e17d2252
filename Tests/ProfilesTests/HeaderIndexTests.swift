import Profiles
import Testing

struct HeaderIndexTests {
    private let index = HeaderIndex([
        "Trip ID", " cost ", "Comments", "", "Comments", "eTimes.03 - Unit Notified", "TRIP id",
    ])

    @Test func findsANameApartFromCaseAndOuterBlanks() {
        #expect(index.column(named: "Trip ID") == 0)
        #expect(index.column(named: "TRIP id") == 6)
        #expect(index.column(named: "trip id ") == 0)
        #expect(index.column(named: "Cost") == 1)
        #expect(index.column(named: "Comments") == 2)
    }

    @Test func findsANEMSISElementAmongOtherText() {
        #expect(index.column(named: "eTimes.03") == 5)
        #expect(index.column(named: "eTimes.05") == nil)
    }

    @Test func takesNothingForGranted() {
        #expect(index.column(named: "TripID") == nil)
        #expect(index.column(named: "") == nil)
    }
}

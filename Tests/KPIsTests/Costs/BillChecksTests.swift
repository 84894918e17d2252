import KPIs
import Testing
import Trips

@Suite struct BillChecksTests {
    private func bill(
        _ id: UInt64, invoice: UInt64 = 0, vehicle: UInt64 = 0, onBoard: Range<Int>? = nil, provider: Int32 = 1,
        loaded: Int? = nil, estimate: Int? = nil, cents: Int? = 5_000
    ) -> BilledTrip {
        var trip = CostTrip(month: 24_300, day: 20_000)
        trip.providerID = provider
        trip.costCents = cents
        trip.loadedHundredths = loaded
        var bill = BilledTrip(trip)
        bill.tripID = id
        bill.invoice = invoice
        bill.vehicle = vehicle
        bill.onBoard = onBoard
        bill.estimatedHundredths = estimate
        return bill
    }

    private func rows(_ checks: BillChecks, _ check: CostCheck) -> [Int] {
        checks.flags.indices.filter { checks.flags[$0].contains(check) }
    }

    @Test func anInvoiceOfTwoTripsIsFoundAndOneOfTwoLegsIsNot() {
        let checks = BillChecks([
            bill(1, invoice: 70), bill(2, invoice: 71), bill(3, invoice: 70), bill(4, invoice: 72),
            bill(4, invoice: 72), bill(5), bill(6), bill(7, invoice: 71, provider: 2),
        ])
        #expect(rows(checks, .invoiceTwice) == [0, 2])
        #expect(checks.group(of: 0, .invoiceTwice) == checks.group(of: 2, .invoiceTwice))
        #expect(checks.examined[.invoiceTwice] == 6)
    }

    @Test func aProviderIsKnownByItsIDOrElseByItsName() {
        func named(_ id: UInt64, provider: Int32, name: Int32) -> BilledTrip {
            var bill = bill(id, invoice: 70, provider: provider)
            bill.trip.providerName = name
            return bill
        }
        let checks = BillChecks([
            named(1, provider: 1, name: 5), named(2, provider: 1, name: 6), named(3, provider: 0, name: 5),
            named(4, provider: 0, name: 6), named(5, provider: 0, name: 6),
        ])
        #expect(rows(checks, .invoiceTwice) == [0, 1, 3, 4])
    }

    @Test func tripsOnBoardAtTheSameTimeAreOneRun() {
        let checks = BillChecks([
            bill(1, vehicle: 9, onBoard: 100..<200), bill(2, vehicle: 9, onBoard: 150..<260),
            bill(3, vehicle: 9, onBoard: 250..<300),
            // Begins when the one before ends, of another vehicle, of another provider, without a cost.
            bill(4, vehicle: 9, onBoard: 300..<400), bill(5, vehicle: 8, onBoard: 100..<200),
            bill(6, vehicle: 9, onBoard: 100..<200, provider: 2), bill(7, vehicle: 9, onBoard: 310..<320, cents: nil),
        ])
        #expect(rows(checks, .sharedRun) == [0, 1, 2])
    }

    @Test func aMonthOfEstimatesIsFound() {
        let honest = (0..<20).map { bill(UInt64($0), provider: 2, loaded: 1_000 + 90 * $0, estimate: 1_500) }
        let billed = (0..<20).map { bill(UInt64(50 + $0), loaded: 1_000 + $0 * 30, estimate: 1_000 + $0 * 30 + 5) }
        let few = (0..<9).map { bill(UInt64(90 + $0), provider: 3, loaded: 700, estimate: 700) }
        let checks = BillChecks(honest + billed + few)
        #expect(rows(checks, .estimateBilled) == Array(20..<40))
        #expect(checks.examined[.estimateBilled] == 49)
    }

    @Test func nineteenOfTwentyAreEnoughAndEighteenAreNot() {
        let same = (0..<18).map { bill(UInt64($0), loaded: 800, estimate: 800) }
        let off = { (id: UInt64) in self.bill(id, loaded: 806, estimate: 800) }
        #expect(rows(BillChecks(same + [off(30), off(31)]), .estimateBilled).isEmpty)
        #expect(rows(BillChecks(same + [bill(30, loaded: 800, estimate: 795), off(31)]), .estimateBilled).count == 19)
    }
}

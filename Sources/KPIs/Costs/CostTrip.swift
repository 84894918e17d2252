package import Trips

// The interface of Costs: completed trips for finance, in whole cents and hundredths of miles.
//
// In: trips without anything that points at a person. Out: totals by line (`CostTally`), changes split into volume and
// price (`CostChange`), and exceptions to review (`CostChecks`, `BillChecks`). It opens no file, and rounds only where its
// documentation says so.

/// The cost values of a completed trip. Texts are numbers in the caller's table; 0 is none.
package struct CostTrip: Sendable, Hashable {
    /// `Month.index`.
    package var month: Int32
    /// Days since 1970.
    package var day: Int32
    package var providerID: Int32 = 0
    package var providerName: Int32 = 0
    package var contract: Int32 = 0
    /// Codes of the configured lists; 0 is Unassigned.
    package var region: UInt8 = 0
    package var tripType: UInt8 = 0
    package var sourcing: Sourcing = .unclassified
    /// Nil: no cost is known, which is not a cost of 0.
    package var costCents: Int?
    package var loadedHundredths: Int?
    package var unloadedHundredths: Int?

    package init(month: Int32, day: Int32) {
        self.month = month
        self.day = day
    }

    /// The completed trip of a store.
    package init(_ facts: borrowing TripFacts) {
        self.init(month: facts.month, day: facts.day)
        providerID = facts[.providerID]
        providerName = facts[.providerName]
        contract = facts[.contractNumber]
        region = facts.region
        tripType = facts.tripType
        sourcing = Sourcing(rawValue: facts.sourcing) ?? .unclassified
        if facts.costCents != AmountState.absent { costCents = facts.costCents }
        if facts.loadedHundredths != AmountState.absent { loadedHundredths = facts.loadedHundredths }
        if facts.unloadedHundredths != AmountState.absent { unloadedHundredths = facts.unloadedHundredths }
    }

    package var key: CostKey {
        CostKey(
            month: month, providerID: providerID, providerName: providerName, contract: contract, region: region,
            tripType: tripType, sourcing: sourcing)
    }
}

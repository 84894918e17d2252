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

/// A line of finance's totals.
package struct CostKey: Sendable, Hashable {
    /// `Month.index`.
    package var month: Int32
    package var providerID: Int32
    package var providerName: Int32
    package var contract: Int32
    package var region: UInt8
    package var tripType: UInt8
    package var sourcing: Sourcing

    package init(
        month: Int32, providerID: Int32, providerName: Int32, contract: Int32, region: UInt8, tripType: UInt8,
        sourcing: Sourcing
    ) {
        self.month = month
        self.providerID = providerID
        self.providerName = providerName
        self.contract = contract
        self.region = region
        self.tripType = tripType
        self.sourcing = sourcing
    }

    /// All fields in three words: a line is looked up for each trip of a load, and seven short fields take twice the time.
    package func hash(into hasher: inout Hasher) {
        func pair(_ high: Int32, _ low: Int32) -> UInt64 {
            UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
        }
        hasher.combine(pair(providerID, providerName))
        hasher.combine(pair(contract, month))
        hasher.combine(UInt64(region) << 16 | UInt64(tripType) << 8 | UInt64(sourcing.rawValue))
    }

    /// The line that holds this one over all regions.
    package var ofAllRegions: CostKey {
        var key = self
        key.region = 0
        return key
    }

    /// The line that holds this one over all months and trip types.
    package var ofProvider: CostKey {
        var key = self
        key.month = 0
        key.tripType = 0
        return key
    }

    /// The same line in another month.
    package func advanced(by months: Int32) -> CostKey {
        var key = self
        key.month += months
        return key
    }
}

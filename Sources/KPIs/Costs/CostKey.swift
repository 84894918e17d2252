package import Trips

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

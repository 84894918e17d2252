/// A completed trip with the billing values of its export. Invoice, trip and vehicle are keyed digests of the run; they
/// mean nothing outside it and are in no output.
package struct BilledTrip: Sendable, Hashable {
    package var trip: CostTrip
    /// 0: none.
    package var invoice: UInt64 = 0
    /// Of the trip's id without its leg.
    package var tripID: UInt64 = 0
    /// 0: none.
    package var vehicle: UInt64 = 0
    /// Left scene to arrived, local seconds since 1970; nil unless both are there and in order.
    package var onBoard: Range<Int>?
    package var estimatedHundredths: Int?

    package init(_ trip: CostTrip) {
        self.trip = trip
    }

    /// Whether the loaded miles are the estimate; nil if one of them is missing.
    fileprivate var billsEstimate: Bool? {
        guard let loaded = trip.loadedHundredths, let estimate = estimatedHundredths, estimate > 0
        else { return nil }
        return abs(loaded - estimate) <= BillChecks.estimateToleranceHundredths
    }
}

/// The checks that compare bills of several trips. They need values that exports have and stores do not keep.
package struct BillChecks: Sendable {
    /// Fewer trips of a provider and month with an estimate are not checked.
    static let leastEstimates = 10
    /// 19 of 20.
    static let leastEstimatesBilledInTwentieths = 19
    /// Both to a tenth of a mile: less than half of a tenth apart.
    static let estimateToleranceHundredths = 5
    /// For each trip in turn.
    package private(set) var flags: [CostFlags]
    /// By check and trip: the number of the group that it is flagged in, from 1.
    private var groups: [CostCheck: [Int: Int32]] = [:]
    private var groupCount: Int32 = 0

    /// Trips that have the values a check needs: "nothing found" is not "nothing to check".
    package private(set) var examined: [CostCheck: Int] = [:]

    package init(_ trips: [BilledTrip]) {
        flags = Array(repeating: [], count: trips.count)
        let invoices = group(trips, for: .invoiceTwice) { $0.invoice == 0 ? nil : $0.invoice }
        for rows in invoices where Set(rows.map { trips[$0].tripID }).count > 1 {
            mark(rows, .invoiceTwice)
        }

        let runs = group(trips, for: .sharedRun) { trip in
            trip.vehicle == 0 || trip.onBoard == nil || (trip.trip.costCents ?? 0) <= 0
                ? nil : trip.vehicle
        }
        for rows in runs { markSharedRuns(rows, trips) }
        let estimates = group(trips, for: .estimateBilled) { trip in
            trip.billsEstimate == nil ? nil : UInt64(truncatingIfNeeded: trip.trip.month)
        }

        let billed = estimates.compactMap { rows -> [Int]? in
            let billed = rows.filter { trips[$0].billsEstimate == true }
            let isSuspect = billed.count * 20 >= rows.count * Self.leastEstimatesBilledInTwentieths
            return isSuspect && rows.count >= Self.leastEstimates ? billed : nil
        }
        for rows in Self.ordered(billed) { mark(rows, .estimateBilled) }
    }

    private struct GroupKey: Hashable {
        /// Where there is an id, a name that is spelled in two ways is one provider.
        var providerID: Int32
        var providerName: Int32
        var value: UInt64
    }

    /// The rows of trips of one provider with the same value, by their first row, so that the same trips get the same
    /// group numbers. Trips without a value are not examined.
    private mutating func group(
        _ trips: [BilledTrip], for check: CostCheck, by value: (BilledTrip) -> UInt64?
    ) -> [[Int]] {
        var rows: [GroupKey: [Int]] = [:]
        examined[check] = 0
        for (row, billed) in trips.enumerated() {
            guard let value = value(billed) else { continue }
            let id = billed.trip.providerID
            let name = id == 0 ? billed.trip.providerName : 0
            rows[GroupKey(providerID: id, providerName: name, value: value), default: []].append(row)
            examined[check, default: 0] += 1
        }
        return Self.ordered(Array(rows.values))
    }

    private static func ordered(_ groups: [[Int]]) -> [[Int]] {
        groups.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }

    /// Marks the trips of one vehicle whose times on board overlap.
    private mutating func markSharedRuns(_ rows: [Int], _ trips: [BilledTrip]) {
        func start(_ row: Int) -> (Int, Int) { (trips[row].onBoard?.lowerBound ?? 0, row) }
        var run: [Int] = []
        var end = Int.min
        for row in rows.sorted(by: { start($0) < start($1) }) {
            guard let onBoard = trips[row].onBoard else { continue }
            if onBoard.lowerBound >= end {
                if run.count > 1 { mark(run, .sharedRun) }
                run = []
            }
            run.append(row)
            end = max(end, onBoard.upperBound)
        }
        if run.count > 1 { mark(run, .sharedRun) }
    }

    private mutating func mark(_ rows: [Int], _ check: CostCheck) {
        groupCount += 1
        for row in rows {
            flags[row].insert(CostFlags(check))
            groups[check, default: [:]][row] = groupCount
        }
    }

    /// 0: none.
    package func group(of row: Int, _ check: CostCheck) -> Int32 { groups[check]?[row] ?? 0 }
}

/// The checks that look at bills of several trips together. They need what exports say and stores do not keep.
package struct BillChecks: Sendable {
    /// For each trip in turn.
    package private(set) var flags: [CostFlags]
    /// By check and trip: the number of the group that it is flagged in, from 1.
    private var groups: [CostCheck: [Int: Int32]] = [:]
    private var groupCount: Int32 = 0

    /// Trips that have what a check asks for, to tell "nothing found" from "nothing to look at".
    package private(set) var examined: [CostCheck: Int] = [:]

    package init(_ trips: [BilledTrip]) {
        flags = Array(repeating: [], count: trips.count)
        findInvoices(trips)
        findRuns(trips)
        findEstimates(trips)
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

    private struct Invoice: Hashable {
        var biller: Biller
        var number: UInt64
    }

    private mutating func findInvoices(_ trips: [BilledTrip]) {
        var rows: [Invoice: [Int]] = [:]
        for (row, trip) in trips.enumerated() where trip.invoice != 0 {
            rows[Invoice(biller: Biller(trip.trip), number: trip.invoice), default: []].append(row)
        }
        examined[.invoiceTwice] = rows.values.reduce(0) { $0 + $1.count }
        for group in ordered(rows) where Set(group.map { trips[$0].tripID }).count > 1 { mark(group, .invoiceTwice) }
    }

    private struct Vehicle: Hashable {
        var biller: Biller
        var vehicle: UInt64
    }

    private mutating func findRuns(_ trips: [BilledTrip]) {
        var rows: [Vehicle: [Int]] = [:]
        for (row, trip) in trips.enumerated()
        where trip.vehicle != 0 && trip.onBoard != nil && (trip.trip.costCents ?? 0) > 0 {
            rows[Vehicle(biller: Biller(trip.trip), vehicle: trip.vehicle), default: []].append(row)
        }
        examined[.sharedRun] = rows.values.reduce(0) { $0 + $1.count }
        for group in ordered(rows) {
            var run: [Int] = []
            var end = Int.min
            for row in group.sorted(by: { Self.start(trips[$0], $0) < Self.start(trips[$1], $1) }) {
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
    }

    private static func start(_ trip: BilledTrip, _ row: Int) -> (Int, Int) { (trip.onBoard?.lowerBound ?? 0, row) }

    private struct BillerMonth: Hashable {
        var biller: Biller
        var month: Int32
    }

    private mutating func findEstimates(_ trips: [BilledTrip]) {
        var shares: [BillerMonth: EstimateShare] = [:]
        var rows: [BillerMonth: [Int]] = [:]
        for (row, trip) in trips.enumerated() {
            guard let isSame = EstimateShare.isSame(trip) else { continue }
            let month = BillerMonth(biller: Biller(trip.trip), month: trip.trip.month)
            shares[month, default: EstimateShare()].both += 1
            guard isSame else { continue }
            shares[month, default: EstimateShare()].same += 1
            rows[month, default: []].append(row)
        }
        examined[.estimateBilled] = shares.values.reduce(0) { $0 + $1.both }
        for group in ordered(rows.filter { shares[$0.key]?.isSuspect ?? false }) { mark(group, .estimateBilled) }
    }

    /// Groups by their first trip, so that the same trips give the same numbers.
    private func ordered(_ rows: [some Hashable: [Int]]) -> [[Int]] {
        rows.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }
}

import Basics
import KPIs
import Store
import Trips
import Workbooks

/// The ledger of a store. Totals come from its costs by line; trips are read only for exceptions and lines of detail.
struct StoreCosts {
    private let store: TripStore
    /// Nil: no trip of the period is in the figures.
    private let months: ClosedRange<Month>?
    /// Codes; nil: all.
    private let regions: Set<UInt8>?
    private(set) var ledger: CostLedger

    /// - Parameters:
    ///   - selection: its months and regions.
    ///   - limits: the months of the figures.
    init(_ store: TripStore, _ selection: KPISelection, limits: MonthLimits) throws {
        self.store = store
        let regions = selection.regions
        self.regions = regions
        let known = try store.months().filter(limits.contains)
        let all = (known.first ?? Month(index: 0))...(known.last ?? Month(index: 0))
        let asked = selection.months ?? all
        // Clamped to months that it does not touch, a period would become one of them: any month of it has as little.
        let outside = asked.lowerBound > all.upperBound ? asked.lowerBound : asked.upperBound
        let period = asked.overlaps(all) ? asked.clamped(to: all) : outside...outside
        months = limits.intersection(period)
        // Of all months: the period is compared with others, and belongs to a fiscal year.
        let tally = try limits.intersection(all).map(store.costTally) ?? CostTally()
        let lists = try store.lists()
        ledger = CostLedger(
            origin: .store, tally: regions.map { regions in tally.selecting { regions.contains($0.region) } } ?? tally,
            months: period.lowerBound.index...period.upperBound.index, review: nil,
            words: CostWords(texts: store.texts.all, regions: lists.regions, tripTypes: lists.tripTypes))
    }

    /// Reads the trips of the period, once for their usual costs and again for the exceptions to review. Memory grows with the
    /// costs that differ, not with the trips.
    ///
    /// - Parameter line: each trip, with its public id, as a line of detail; nil: none is asked for.
    /// - Throws: `CostsError.otherLines` if the trips do not add up to the costs by line.
    mutating func review(_ line: ((CostTrip, PublicTripID?, CostFlags) throws -> Void)? = nil) throws {
        // Of a large store a run checks some rows each night; exceptions and lines are made of these.
        try store.checkRows(of: months.map { [$0] } ?? [])
        var tally = CostTally()
        var checks = CostChecks()
        var withMiles = 0, contracted = 0, costed = 0
        try forEachTrip(withIDs: false) { trip, _, _ in
            tally.add(trip)
            checks.add(trip)
            if trip.loadedHundredths != nil { withMiles += 1 }
            if trip.costCents != nil { costed += 1 }
            if trip.sourcing == .contracted { contracted += 1 }
        }
        try ledger.reconcile(with: tally)
        let judge = checks.finished()
        var findings = CostFindings()
        try forEachTrip(withIDs: line != nil) { trip, key, id in
            let flags = judge.flags(of: trip)
            if !flags.isEmpty { findings.add(trip, flags: flags, at: CostTripLocation(key)) }
            try line?(trip, id, flags)
        }
        var review = CostReview(
            findings: findings,
            examined: [.zeroMiles: withMiles, .costOutlier: costed, .noContractNumber: contracted], checks: checks,
            judge: judge)
        let listed = Self.listed(review)
        let ids = try store.knownPublicIDs(of: listed), records = try store.recordPlaces(of: listed)
        for ((trip, id), record) in zip(zip(listed, ids), records) {
            var reference = TripReference(export: record?.export ?? "")
            reference.publicID = id
            reference.byte = record?.byte
            review.references[CostTripLocation(trip)] = reference
        }
        ledger.review = review
    }

    /// Completed trips of the period and its regions.
    private func forEachTrip(withIDs: Bool, _ body: (CostTrip, TripKey, PublicTripID?) throws -> Void) throws {
        guard let months else { return }
        try store.forEachCompletedTrip(months: months, withIDs: withIDs) { key, id, facts in
            guard regions?.contains(facts.region) ?? true else { return }
            try body(CostTrip(facts), key, id)
        }
    }

    private static func listed(_ review: CostReview?) -> [TripKey] {
        review?.findings.listedPlaces.map { TripKey(high: $0.high, low: $0.low) } ?? []
    }

    /// Gives the listed trips the public ids that they lack.
    ///
    /// - Parameter writer: the store of a session.
    mutating func giveListedTripsIDs(_ writer: TripStore) throws {
        var random = SystemRandomNumberGenerator()
        let listed = Self.listed(ledger.review)
        for (trip, id) in zip(listed, try writer.publicIDs(of: listed, random: &random)) {
            ledger.review?.references[CostTripLocation(trip)]?.publicID = id
        }
    }
}

extension CostTripLocation {
    fileprivate init(_ key: TripKey) { self.init(high: key.high, low: key.low) }
}

import Costs
import KPIs
import Reports
import Workbooks
import Store
import Trips

/// The ledger of a store: its rows are read once for sums and quartiles, and again for the exceptions to review. Memory
/// grows with the lines and with the costs that differ, not with the trips.
struct StoreCosts {
    private let store: TripStore
    /// Nil: no trip of the period is in the figures.
    private let months: ClosedRange<Month>?
    /// Codes; nil: all.
    private let regions: Set<UInt8>?
    private let judge: CostChecks.Judge
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
        // Of a large store a run checks some rows each night; the ledger is made of these.
        let compared = Self.compared(with: period).compactMap(limits.intersection)
        try store.checkRows(of: compared)
        var tally = CostTally()
        var checks = CostChecks()
        var withMiles = 0, contracted = 0, costed = 0
        for months in compared {
            try store.forEachCompletedTrip(months: months, withIDs: false) { _, _, facts in
                let trip = CostTrip(facts)
                guard regions?.contains(trip.region) ?? true else { return }
                tally.add(trip)
                guard trip.month >= period.lowerBound.index else { return }
                checks.add(trip)
                if trip.loadedHundredths != nil { withMiles += 1 }
                if trip.costCents != nil { costed += 1 }
                if trip.sourcing == .contracted { contracted += 1 }
            }
        }
        judge = checks.finished()
        let lists = try store.lists()
        ledger = CostLedger(
            origin: .store, tally: tally, months: period.lowerBound.index...period.upperBound.index,
            findings: CostFindings(),
            examined: [.zeroMiles: withMiles, .costOutlier: costed, .noContractNumber: contracted],
            groups: checks.groups,
            words: CostWords(texts: store.texts.all, regions: lists.regions, tripTypes: lists.tripTypes))
    }

    /// The months of the year before, and those from the month before on: rows of others are not read.
    static func compared(with period: ClosedRange<Month>) -> [ClosedRange<Month>] {
        let before = period.lowerBound.advanced(by: -1)
        let yearBefore = period.lowerBound.advanced(by: -12)
        let lastYearBefore = min(period.upperBound.advanced(by: -12), before.advanced(by: -1))
        return [yearBefore...lastYearBefore, before...period.upperBound]
    }

    /// Goes over the trips of the period with what the checks say of each.
    ///
    /// - Parameter line: each trip, with its public id, as a line of detail; nil: none is asked for.
    mutating func find(_ line: ((CostTrip, PublicTripID?, CostFlags) throws -> Void)? = nil) throws {
        var findings = CostFindings()
        guard let months else { return }
        try store.forEachCompletedTrip(months: months, withIDs: line != nil) { key, id, facts in
            let trip = CostTrip(facts)
            guard regions?.contains(trip.region) ?? true else { return }
            let flags = judge.flags(of: trip)
            if !flags.isEmpty { findings.add(trip, flags: flags, at: CostTripLocation(high: key.high, low: key.low)) }
            try line?(trip, id, flags)
        }
        ledger.findings = findings
        let listed = listed
        let ids = try store.knownPublicIDs(of: listed), records = try store.recordPlaces(of: listed)
        for ((trip, id), record) in zip(zip(listed, ids), records) {
            var reference = TripReference(export: record?.export ?? "")
            reference.publicID = id
            reference.byte = record?.byte
            ledger.references[CostTripLocation(trip)] = reference
        }
        for listed in findings.listed(.costOutlier) {
            ledger.usualCents[listed.place] = judge.usualCents(of: listed.trip)
        }
    }

    private var listed: [TripKey] {
        ledger.findings.listedPlaces.map { TripKey(high: $0.high, low: $0.low) }
    }

    /// Gives the listed trips the public ids that they lack.
    ///
    /// - Parameter writer: the store of a session.
    mutating func giveListedTripsIDs(_ writer: TripStore) throws {
        var random = SystemRandomNumberGenerator()
        let listed = listed
        for (trip, id) in zip(listed, try writer.publicIDs(of: listed, random: &random)) {
            ledger.references[CostTripLocation(trip)]?.publicID = id
        }
    }
}

extension CostTripLocation {
    fileprivate init(_ key: TripKey) { self.init(high: key.high, low: key.low) }
}

extension CostTrip {
    fileprivate init(_ facts: borrowing TripFacts) {
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
}

import Rules
package import Costs
import ExportBytes
import Intake
import KPIContract
import Keys
import OutputScan
import Profiles
import Reports
package import Workbooks
package import Trips

/// The ledger of exports. They say what a store does not keep: invoice numbers, vehicles and times of day are looked at as
/// digests under a key that is gone with the run, and as seconds; none of them is kept or published.
///
/// All trips are held until the end, about 250 bytes each. Of several versions of a trip the newest counts, as everywhere.
package struct ExportCosts {
    private var bills: [BilledTrip] = []
    private var places: [CostTripLocation] = []
    private var texts: [String: Int32] = [:]
    private let tripTypes: NamedList
    private let names: [String]

    /// The fields that are read besides those of the rules.
    private static let fields: [CanonicalField] = [
        .tripID, .providerID, .providerName, .contractNumber, .invoiceNumber, .vehicleID, .leftSceneAt, .arrivedAt,
        .estimatedMiles,
    ]

    package init(_ plan: ScanPlan, random: inout some RandomNumberGenerator) throws {
        let bytes = (0..<PseudonymKey.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let key = PseudonymKey(bytes: bytes) else { throw CostsError.standardInput }
        tripTypes = plan.vocabulary.tripTypes
        names = plan.inputs.map { FileLabel(fileName: $0).description }
        let classifier = Classifier(plan.rules)
        let needs = plan.textNeeds(classifier, and: Self.fields)
        var newest = NewestBills(isUnique: plan.isUnique)
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: key)
            let handover = Handover(newest)
            newest = NewestBills(isUnique: plan.isUnique)
            let digests = BillDigests(key, reader.profile)
            let outcomes = try reader.read(workers: 1, hasVersions: true) { _ in
                BillConsumer(
                    newest: handover.take() ?? NewestBills(isUnique: plan.isUnique), digests: digests,
                    profile: reader.profile, classifier: classifier)
            }.outcomes
            if let outcome = outcomes.first { newest = outcome }
        }
        texts = newest.texts
        keepCompleted(newest, plan.months)
    }

    private mutating func keepCompleted(_ newest: NewestBills, _ limits: MonthLimits) {
        let kept = newest.statuses.indices.filter {
            newest.statuses[$0] == TripStatus.completed.rawValue
                && limits.contains(Month(index: newest.bills[$0].trip.month))
        }
        // By place, so that the answer does not depend on which version of a trip came first.
        let order = kept.sorted { newest.locations[$0] < newest.locations[$1] }
        bills = order.map { newest.bills[$0] }
        places = order.map {
            CostTripLocation(high: Int64(newest.locations[$0].export), low: Int64(newest.locations[$0].offset))
        }
    }

    /// - Parameter months: nil: all.
    /// - Parameter line: each trip of the period, as a line of detail.
    package func ledger(
        months: ClosedRange<Month>?, _ line: ((CostTrip, PublicTripID?, CostFlags) throws -> Void)? = nil,
        random: inout some RandomNumberGenerator
    ) throws -> CostLedger {
        let indices = bills.map(\.trip.month)
        let all = (indices.min() ?? 0)...(indices.max() ?? 0)
        let asked = months.map { $0.lowerBound.index...$0.upperBound.index } ?? all
        // Clamped to months that it does not touch, a period would become one of them.
        let period = asked.overlaps(all) ? asked.clamped(to: all) : asked
        var tally = CostTally()
        for bill in bills where (period.lowerBound - 12...period.upperBound).contains(bill.trip.month) {
            tally.add(bill.trip)
        }
        let rows = bills.indices.filter { period.contains(bills[$0].trip.month) }
        let chosen = rows.map { bills[$0] }
        let judge = chosen.reduce(into: CostChecks()) { $0.add($1.trip) }
        let finished = judge.finished()
        // An invoice may come again in a month that is not asked for.
        let together = BillChecks(bills)
        var findings = CostFindings()
        var references: [CostTripLocation: String] = [:]
        for row in rows {
            let trip = bills[row].trip
            let flags = finished.flags(of: trip).union(together.flags[row])
            if !flags.isEmpty {
                findings.add(trip, flags: flags, at: places[row]) { together.group(of: row, $0) }
            }
            try line?(trip, line == nil ? nil : PublicTripID(random: &random), flags)
        }
        for check in CostCheck.allCases {
            for listed in findings.listed(check) { references[listed.place] = reference(listed.place) }
        }
        var examined = together.examined
        examined[.zeroMiles] = chosen.count { $0.trip.loadedHundredths != nil }
        examined[.costOutlier] = chosen.count { $0.trip.costCents != nil }
        examined[.noContractNumber] = chosen.count { $0.trip.sourcing == .contracted }
        var ledger = CostLedger(
            origin: .exports, tally: tally, months: period, findings: findings, examined: examined,
            groups: judge.groups, texts: words,
            tripTypes: tripTypes)
        ledger.references = references
        for listed in findings.listed(.costOutlier) {
            ledger.usualCents[listed.place] = finished.usualCents(of: listed.trip)
        }
        return ledger
    }

    /// Texts of the trips by their numbers.
    package var words: [Int32: String] { Dictionary(uniqueKeysWithValues: texts.map { ($0.value, $0.key) }) }

    private func reference(_ place: CostTripLocation) -> String {
        let name = names.indices.contains(Int(place.high)) ? names[Int(place.high)] : "standard input"
        // In groups: nine digits in a row would be taken for a social security number when the workbook is scanned.
        return "export \(place.high + 1), \(name), byte \(NumberText.grouped(Int(place.low)))"
    }
}

/// The newest version of each trip so far.
private struct NewestBills: Sendable {
    var records: NewestRecords
    var bills: [BilledTrip] = []
    var locations: [RecordLocation] = []
    var statuses: [UInt8] = []
    /// Numbers of the trips' texts.
    var texts: [String: Int32] = ["": 0]

    init(isUnique: Bool) { records = NewestRecords(isUnique: isUnique) }
}

/// Classifies the trips of an export and keeps the newest version of each.
private struct BillConsumer: TripConsumer {
    private var newest: NewestBills
    private let digests: BillDigests
    private let profile: Profile
    private var classifier: Classifier

    init(newest: consuming NewestBills, digests: BillDigests, profile: Profile, classifier: Classifier) {
        self.newest = newest
        self.digests = digests
        self.profile = profile
        self.classifier = classifier
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        classifier.classify(&batch, dictionaries: worker.dictionaries)
        let columns = BillColumns(batch, worker.dictionaries, digests, profile)
        for row in 0..<batch.count {
            let location = RecordLocation(batch.offsets[row])
            switch newest.records.add(batch, row: row) {
            case .firstOfTrip:
                newest.bills.append(columns.bill(row, texts: &newest.texts))
                newest.locations.append(location)
                newest.statuses.append(batch.status[row])
            case .newer(let place):
                newest.bills[place] = columns.bill(row, texts: &newest.texts)
                newest.locations[place] = location
                newest.statuses[place] = batch.status[row]
            case .older: break
            }
        }
        return true
    }

    mutating func finish() -> NewestBills {
        let taken = newest
        newest = NewestBills(isUnique: true)
        return taken
    }
}

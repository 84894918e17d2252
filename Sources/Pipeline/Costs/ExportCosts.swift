import Classification
import Costs
import Hashing
import Intake
import KPIContract
import OutputScan
import Profiles
import Reports
import Trips

/// The ledger of exports. They say what a store does not keep: invoice numbers, vehicles and times of day are looked at as
/// digests under a key that is gone with the run, and as seconds; none of them is kept or given out.
///
/// All trips are held until the end, about 250 bytes each. Of several versions of a trip the newest counts, as everywhere.
struct ExportCosts {
    private var bills: [BilledTrip] = []
    private var places: [CostPlace] = []
    private var statuses: [UInt8] = []
    private var texts: [String: Int32] = ["": 0]
    private let tripTypes: NamedList
    private let names: [String]

    private struct Version {
        var rank: (TripVersion, Int)
        var row: Int
    }

    /// The fields that are looked at besides those of the rules.
    private static let fields: [CanonicalField] = [
        .tripID, .providerID, .providerName, .contractNumber, .invoiceNumber, .vehicleID, .leftSceneAt, .arrivedAt,
        .estimatedMiles,
    ]

    init(_ plan: ScanPlan, random: inout some RandomNumberGenerator) throws {
        let bytes = (0..<PseudonymKey.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let key = PseudonymKey(bytes: bytes) else { throw CostsError.standardInput }
        tripTypes = plan.vocabulary.tripTypes
        names = plan.inputs.map { FileLabel(fileName: $0).description }
        var classifier = Classifier(plan.rules)
        let rules = classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
        // The rules' own come first: where they ask for no more than presence, codes are 0 and 1.
        let needs = rules + Self.fields.map { (field: $0, need: TextNeed.value) }
        var versions: [TripKey: Version] = [:]
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: key)
            let worker = reader.makeWorker()
            let digests = BillDigests(key, reader.profile)
            var batch = worker.makeBatch(hasVersions: true)
            while try worker.next(into: &batch) {
                classifier.classify(&batch, dictionaries: worker.dictionaries)
                let columns = BillColumns(batch, worker.dictionaries, digests, reader.profile)
                for row in 0..<batch.count {
                    let stamp = batch.versions[row]
                    let tripKey = TripKey(
                        high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: stamp.keyCheck))
                    let rank = (stamp.version, batch.offsets[row])
                    let known = plan.isUnique ? nil : versions[tripKey]
                    if let known, rank <= known.rank { continue }
                    let at = known?.row ?? bills.count
                    versions[tripKey] = Version(rank: rank, row: at)
                    let bill = columns.bill(row, texts: &texts)
                    let place = CostPlace(
                        high: Int64(fileIndex), low: Int64(batch.offsets[row] & 0xFFFF_FFFF_FFFF))
                    if known == nil {
                        bills.append(bill)
                        places.append(place)
                        statuses.append(batch.status[row])
                    } else {
                        bills[at] = bill
                        places[at] = place
                        statuses[at] = batch.status[row]
                    }
                }
            }
            if let gatherer = worker.gatherer { plan.identifiers?.add([gatherer]) }
        }
        keepCompleted()
    }

    private mutating func keepCompleted() {
        let kept = statuses.indices.filter { statuses[$0] == TripStatus.completed.rawValue }
        // By place, so that the answer does not depend on which version of a trip came first.
        let order = kept.sorted { (places[$0].high, places[$0].low) < (places[$1].high, places[$1].low) }
        bills = order.map { bills[$0] }
        places = order.map { places[$0] }
        statuses = []
    }

    /// - Parameter months: nil: all.
    /// - Parameter line: each trip of the period, as a line of detail.
    func ledger(
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
        var references: [CostPlace: String] = [:]
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
    var words: [Int32: String] { Dictionary(uniqueKeysWithValues: texts.map { ($0.value, $0.key) }) }

    private func reference(_ place: CostPlace) -> String {
        let name = names.indices.contains(Int(place.high)) ? names[Int(place.high)] : "standard input"
        // In groups: nine digits in a row would be taken for a social security number when the workbook is looked through.
        return "export \(place.high + 1), \(name), byte \(NumberText.grouped(Int(place.low)))"
    }
}

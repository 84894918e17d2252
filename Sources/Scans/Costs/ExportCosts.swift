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
    /// Numbers of the trips' texts.
    private var texts: [String: Int32] = ["": 0]
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
        var newest = NewestTrips<BillMaker>(isUnique: plan.isUnique)
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: key)
            var maker = BillMaker(digests: BillDigests(key, reader.profile), profile: reader.profile, texts: texts)
            _ = try newest.read(reader, classifier, &maker)
            texts = maker.texts
        }
        // By place, so that the answer does not depend on which version of a trip came first.
        let kept = newest.trips.filter {
            $0.status == TripStatus.completed.rawValue && plan.months.contains(Month(index: $0.bill.trip.month))
        }.sorted { $0.location < $1.location }
        bills = kept.map(\.bill)
        places = kept.map { CostTripLocation(high: Int64($0.location.export), low: Int64($0.location.offset)) }
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

/// Makes bills of trips, with numbers for their texts.
private struct BillMaker: TripMaker {
    struct Trip: Sendable {
        var bill: BilledTrip
        var location: RecordLocation
        var status: UInt8
    }

    let digests: BillDigests
    let profile: Profile
    var texts: [String: Int32]

    func columns(_ batch: TripBatch, _ dictionaries: [TextDictionary]) -> BillColumns {
        BillColumns(batch, dictionaries, digests, profile)
    }

    mutating func trip(_ columns: BillColumns, row: Int) -> Trip {
        Trip(
            bill: columns.bill(row, texts: &texts), location: RecordLocation(columns.batch.offsets[row]),
            status: columns.batch.status[row])
    }
}

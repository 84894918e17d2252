package import Basics
import Intake
import KPIContract
package import KPIs
import Keys
import OutputScan
import Profiles
import Reporting
import Rules
package import Trips
package import Workbooks

/// The ledger of exports. They say what a store does not keep: invoice numbers, vehicles and times of day are looked at as
/// digests under a key that is gone with the run, and as seconds. Of them only the invoice numbers of listed exceptions are
/// shown.
///
/// All trips are held until the end, about 300 bytes each. Of several versions of a trip the newest counts, as everywhere.
package struct ExportCosts {
    private var bills: [BillMaker.MadeBill] = []
    /// Of each export.
    private var findings: [ReadFindings] = []
    /// Numbers of the trips' texts.
    private var texts: [String: Int32] = ["": 0]
    private let regions: NamedList
    private let tripTypes: NamedList
    private let names: [String]

    /// The fields that are read besides those of the rules.
    private static let fields: [CanonicalField] =
        [
            .providerID, .providerName, .contractNumber, .invoiceNumber, .vehicleID, .leftSceneAt, .arrivedAt,
            .estimatedMiles,
        ] + BillColumns.textsOfPeople

    /// - Parameter plan: its selection's regions are those of the ledger.
    package init(_ plan: ScanRequest, random: inout some RandomNumberGenerator) throws {
        let bytes = (0..<PseudonymKey.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let key = PseudonymKey(bytes: bytes) else { throw CostsError.standardInput }
        regions = plan.vocabulary.regions
        tripTypes = plan.vocabulary.tripTypes
        names = plan.inputs.map { FileLabel(fileName: $0).description }
        let classifier = Classifier(plan.rules)
        let needs = plan.textNeeds(classifier, and: Self.fields)
        var newest = NewestTrips<BillMaker>(isUnique: plan.isUnique)
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: key, collectsRecordNumbers: true)
            var maker = BillMaker(digests: BillDigests(key, reader.profile), profile: reader.profile, texts: texts)
            findings.append(try newest.read(reader, classifier, &maker))
            texts = maker.texts
        }
        // By place, so that the answer does not depend on which version of a trip came first.
        let selected = plan.selection.cells.regions
        bills = newest.trips.filter {
            $0.status == TripStatus.completed.rawValue && plan.months.contains(Month(index: $0.bill.trip.month))
                && selected?.contains($0.bill.trip.region) ?? true
        }.sorted { $0.location < $1.location }
    }

    /// - Parameter months: nil: all.
    /// - Parameter line: each trip of the period, as a line of detail.
    package func ledger(
        months: ClosedRange<Month>?, _ line: ((CostTrip, PublicTripID?, CostFlags) throws -> Void)? = nil,
        random: inout some RandomNumberGenerator
    ) throws -> CostLedger {
        let indices = bills.map(\.bill.trip.month)
        let all = (indices.min() ?? 0)...(indices.max() ?? 0)
        let asked = months.map { $0.lowerBound.index...$0.upperBound.index } ?? all
        // Clamped to months that it does not touch, a period would become one of them.
        let period = asked.overlaps(all) ? asked.clamped(to: all) : asked
        // Of all months: the period is compared with others, and belongs to a fiscal year.
        let tally = bills.reduce(into: CostTally()) { $0.add($1.bill.trip) }
        let rows = bills.indices.filter { period.contains(bills[$0].bill.trip.month) }
        let chosen = rows.map { bills[$0].bill.trip }
        let checks = chosen.reduce(into: CostChecks()) { $0.add($1) }
        let judge = checks.finished()
        // An invoice may come again in a month that is not asked for.
        let together = BillChecks(bills.map(\.bill))
        var findings = CostFindings()
        var ids: [CostTripLocation: PublicTripID] = [:]
        for row in rows {
            let trip = bills[row].bill.trip, place = bills[row].place
            let flags = judge.flags(of: trip).union(together.flags[row])
            if !flags.isEmpty { findings.add(trip, flags: flags, at: place) { together.group(of: row, $0) } }
            guard let line else { continue }
            let id = PublicTripID(random: &random)
            if !flags.isEmpty { ids[place] = id }
            try line(trip, id, flags)
        }
        var examined = together.examined
        examined[.zeroMiles] = chosen.count { $0.loadedHundredths != nil }
        examined[.costOutlier] = chosen.count { $0.costCents != nil }
        examined[.noContractNumber] = chosen.count { $0.sourcing == .contracted }
        var review = CostReview(findings: findings, examined: examined, checks: checks, judge: judge)
        review.references = references(of: findings.listedPlaces, ids)
        return CostLedger(origin: .exports, tally: tally, months: period, review: review, words: words)
    }

    /// The words of the trips' numbers and codes.
    package var words: CostWords {
        CostWords(
            texts: Dictionary(uniqueKeysWithValues: texts.map { ($0.value, $0.key) }), regions: regions,
            tripTypes: tripTypes)
    }

    // MARK: - What finds a listed trip again

    private func references(
        of places: Set<CostTripLocation>, _ ids: [CostTripLocation: PublicTripID]
    ) -> [CostTripLocation: TripReference] {
        var references: [CostTripLocation: TripReference] = [:]
        let listed = Dictionary(grouping: bills.filter { places.contains($0.place) }, by: \.location.export)
        for (export, trips) in listed {
            let label = names.indices.contains(export) ? names[export] : "standard input"
            let numbers = findings[export].recordNumbers(of: trips.map { ($0.block, $0.recordInBlock) })
            for (trip, number) in zip(trips, numbers) {
                var reference = TripReference(export: "\(export + 1), \(label)")
                reference.publicID = ids[trip.place]
                reference.record = number
                reference.invoice = trip.invoice.map(Self.shown)
                references[trip.place] = reference
            }
        }
        return references
    }

    /// The number, unless it has the shape of an identifier of a person: the workbook would be refused for it.
    private static func shown(_ invoice: Sensitive<String>) -> String {
        let text = invoice.revealed(for: .reviewing)
        let scan = OutputScan(.init(ownDays: []))
        return scan.findings(in: Array(text.utf8), named: "invoice").isEmpty
            ? text : "(not shown: it looks like an identifier of a person)"
    }
}

/// Makes bills of trips, with numbers for their texts.
private struct BillMaker: TripMaker {
    struct MadeBill: Sendable {
        var bill: BilledTrip
        var invoice: Sensitive<String>?
        var location: RecordLocation
        var block: Int
        var recordInBlock: Int
        var status: UInt8

        var place: CostTripLocation {
            CostTripLocation(high: Int64(location.export), low: Int64(location.offset))
        }
    }

    let digests: BillDigests
    let profile: Profile
    var texts: [String: Int32]

    func columns(_ batch: TripBatch, _ dictionaries: [TextDictionary]) -> BillColumns {
        BillColumns(batch, dictionaries, digests, profile)
    }

    mutating func trip(_ columns: BillColumns, row: Int) -> MadeBill {
        MadeBill(
            bill: columns.bill(row, texts: &texts), invoice: columns.invoice(row),
            location: RecordLocation(columns.batch.offsets[row]), block: columns.batch.block,
            recordInBlock: Int(columns.batch.recordsInBlock[row]), status: columns.batch.status[row])
    }
}

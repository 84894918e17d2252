package import Basics
import ExportBytes
import Intake
package import Keys
import OutputScan
package import Privacy
import Profiles
import Reporting
import Rules
package import Trips

/// The trips of exports for `TripRowFeed`, without a store: ids are new each time.
///
/// Ids are random and rows are written in their order, so all trips that count are held until the end: about 300 bytes each.
/// Of several versions of a trip the newest counts, as everywhere: by `updated_at`, then `sequence`, then the later file,
/// then the later row.
package struct ExportTripRows: TripSource {
    package private(set) var counts = ReadCounts()
    private var trips: [SourceTrip] = []

    /// Reads the plan's exports.
    ///
    /// - Parameter key: identifies trips while they are read, and is gone afterwards.
    package init(
        _ plan: ScanRequest, profile: PrivacyProfile, months: ClosedRange<Month>?, key: PseudonymKey,
        random: inout some RandomNumberGenerator
    ) throws {
        let classifier = Classifier(plan.rules)
        let needs = plan.textNeeds(classifier, and: [.providerID, .providerName] + profile.fieldsRead)
        var newest = NewestTrips<RowMaker>(findsOverlap: plan.inputs.count > 1)
        var inputs = ScanInputs()
        var found: [ReadFindings] = []
        for fileIndex in plan.inputs.indices {
            let reader = try plan.open(fileIndex, textNeeds: needs, pseudonyms: key)
            var maker = RowMaker(birthDays: BirthDays(reader.profile), plan: plan, profile: reader.profile)
            let findings = try newest.read(reader, classifier, &maker)
            try reader.check(findings, maximumRejectPerMillion: plan.maximumRejectPerMillion)
            counts.merge(findings.counts)
            found.append(findings)
            try inputs.add(reader)
            if plan.inputs.count > plan.mostOpen { reader.close() }
        }
        try inputs.checkUnchanged()
        try ReadFindings.checkCurrencies(of: found)
        try newest.check(inputs.readers.map(\.name), plan)
        counts.superseded = newest.superseded
        counts.added = newest.trips.count
        guard counts.isReconciled else { throw ExportError.notReconciled(counts) }
        trips = newest.trips
        for index in trips.indices { trips[index].id = PublicTripID(random: &random) }
        if !plan.months.isNone { trips.removeAll { !plan.months.contains($0.day.month) } }
        if let months { trips.removeAll { !months.contains($0.day.month) } }
        trips.sort { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    package func forEach(_ body: (SourceTrip) throws -> Void) throws {
        for trip in trips { try body(trip) }
    }
}

/// Makes rows of trips. They have no ids yet.
private struct RowMaker: TripMaker {
    let birthDays: BirthDays
    let plan: ScanRequest
    let profile: Profile

    func columns(_ batch: TripBatch, _ dictionaries: [TextDictionary]) -> ExportColumns {
        ExportColumns(batch, dictionaries, birthDays: birthDays, plan: plan, profile)
    }

    func trip(_ columns: ExportColumns, row: Int) -> SourceTrip {
        columns.trip(row, id: PublicTripID(high: 0, low: 0))
    }
}

/// Reads dates of birth as the profile says they are written, else `YYYY-MM-DD`.
private struct BirthDays {
    private let forms: TimeForms

    init(_ profile: Profile) { forms = profile.timeForms(of: .patientDOB) }

    func day(_ text: String) -> CivilDay? {
        if case .time(let time) = forms.reading(text) { return time.localDay }
        // Of an ISO time the date counts.
        return CivilDay(text.prefix { $0 != "T" && $0 != " " })
    }
}

/// The rows of a batch as trips.
private struct ExportColumns {
    private let batch: TripBatch
    private let texts: BatchTexts
    private let birthDays: BirthDays
    private let regions: NamedList
    private let tripTypes: NamedList

    init(
        _ batch: TripBatch, _ dictionaries: [TextDictionary], birthDays: BirthDays, plan: ScanRequest,
        _ profile: Profile
    ) {
        self.batch = batch
        texts = BatchTexts(batch, dictionaries, profile)
        self.birthDays = birthDays
        regions = plan.vocabulary.regions
        tripTypes = plan.vocabulary.tripTypes
    }

    func trip(_ row: Int, id: PublicTripID) -> SourceTrip {
        var trip = SourceTrip(
            id: id, status: TripStatus(rawValue: batch.status[row]) ?? .void,
            day: CivilDay(daysSince1970: batch.day[row]))
        trip.tripType = tripTypes.name(of: batch.tripType[row])
        trip.region = regions.name(of: batch.region[row])
        trip.sourcing = Sourcing(rawValue: batch.sourcing[row]) ?? .unclassified
        trip.providerID = texts[.providerID, row]?.revealed(for: .keeping) ?? ""
        trip.providerName = texts[.providerName, row]?.revealed(for: .keeping) ?? ""
        trip.intervals = TripInterval.allCases.map { interval in
            let seconds = batch.intervals[interval.rawValue][row]
            return seconds < 0 ? nil : Int(seconds)
        }
        func amount(_ value: Int) -> Int? { value == AmountState.absent ? nil : value }
        trip.costCents = amount(batch.costCents[row])
        trip.loadedHundredths = amount(batch.loadedHundredths[row])
        trip.unloadedHundredths = amount(batch.unloadedHundredths[row])
        var patient = SourcePatient()
        patient.birthDay = texts[.patientDOB, row].map { text in
            Sensitive(birthDays.day(text.revealed(for: .deidentifying)))
        }
        patient.zip = texts[.patientZIP, row]
        patient.city = texts[.patientCity, row]
        patient.state = texts[.patientState, row]
        trip.patient = patient
        return trip
    }
}

import ExportBytes
import Profiles
import Rules
import Trips

/// Which columns of one file are decoded, and as what. No other column is read.
struct ColumnPlan: Sendable {
    /// A rule field: from a column, or the same for every record.
    struct TextRole: Sendable {
        var field: CanonicalField
        var slot: Int?
        var constant: String?
        var need: TextNeed
    }

    /// The header names (or dotted JSON paths) that are decoded, each once; a slot is an index into this.
    private(set) var slotNames: [String] = []
    /// Place of each slot's column in a CSV row.
    private(set) var slotColumns: [Int] = []

    private(set) var tripID = 0
    /// Whether records have no id: then `tripID` means nothing, and `totalWords` are where a total would say so.
    private(set) var hasRecordKeys = false
    private(set) var totalWords: [Int] = []
    private(set) var legID: Int?
    private(set) var status: Int?
    private(set) var tripType: Int?
    private(set) var region: Int?
    private(set) var lookups: [Int?] = []
    /// By `TripEvent.rawValue`.
    private(set) var events: [Int?] = []
    private(set) var serviceDate: Int?
    /// Of the date of times of day: one, or those of year, month and day; none: each time has its date.
    private(set) var date: [Int] = []
    /// By `TripEvent.rawValue`: that of a date of its own.
    private(set) var eventDates: [Int?] = []
    /// By `TripInterval.rawValue`: of the intervals that the export states.
    private(set) var statedIntervals: [Int?] = []
    private(set) var cost: Int?
    private(set) var loadedMiles: Int?
    private(set) var unloadedMiles: Int?
    /// Flights are longer than drives, and mileage is no trip.
    private(set) var hcpcsCode: Int?
    private(set) var odometerStart: Int?
    private(set) var odometerEnd: Int?
    private(set) var patientID: Int?
    private(set) var updatedAt: Int?
    private(set) var sequence: Int?
    /// Of charge lines and status changes: of several vehicles each has trips of its own.
    private(set) var vehicle: Int?
    /// Of charge lines and status changes: what several records are made one trip by.
    private(set) var composition: CompositionSlots?
    private(set) var text: [TextRole] = []
    private(set) var filter: [Int] = []
    /// What identifiers are remembered from, where they are.
    private(set) var identifying: [(slot: Int, isName: Bool)] = []

    /// - Parameters:
    ///   - header: column names in order (CSV), or the keys met in the first records (JSON).
    ///   - textNeeds: the fields the rules need.
    init(
        profile: Profile, header: [String], textNeeds: [(field: CanonicalField, need: TextNeed)],
        filterFields: [String], identifying columns: [IdentifyingColumn] = [], file: String
    ) throws(ExportError) {
        var finder = HeaderFinder(header: header)
        func slot(_ field: CanonicalField) -> Int? {
            finder.index.column(of: field, in: profile).map { finder.slot($0) }
        }
        let kind = profile.records ?? .versions
        hasRecordKeys = profile.hasNoTripIDs
        if let slot = slot(.tripID) ?? (kind == .units ? slot(.incidentID) : nil) {
            tripID = slot
        } else if !hasRecordKeys {
            throw Self.missing(
                file, "no column for trip_id", "map trip_id in the profile, or run `tripkpi map suggest` on the file")
        }
        legID = kind == .units ? slot(.vehicleID) : slot(.legID)
        status = slot(.status)
        tripType = slot(.tripType)
        region = slot(.region)
        lookups = profile.lookups.map { table in
            finder.index.column(named: table.column).map { finder.slot($0) }
                ?? CanonicalField(rawValue: table.column).flatMap { slot($0) }
        }
        events = TripEvent.allCases.map { slot($0.field) }
        serviceDate = slot(.serviceDate)
        composition = kind.isComposed ? try CompositionSlots(kind, file: file) { slot($0) } : nil
        if kind.isComposed { vehicle = slot(.vehicleID) }
        guard kind == .events || serviceDate != nil || events.contains(where: { $0 != nil }) else {
            throw Self.missing(
                file, "no column for any time or for service_date",
                "map at least one of them in the profile, or run `tripkpi map suggest` on the file")
        }
        cost = slot(.cost)
        loadedMiles = slot(.loadedMiles)
        unloadedMiles = slot(.unloadedMiles)
        odometerStart = slot(.odometerStart)
        odometerEnd = slot(.odometerEnd)
        hcpcsCode = slot(.hcpcsCode)
        patientID = slot(.patientID)
        updatedAt = slot(.updatedAt)
        sequence = slot(.sequence)
        func named(_ name: String, _ what: String) throws(ExportError) -> Int {
            guard let column = finder.index.column(named: name) else {
                throw Self.missing(
                    file, "no column \"\(name)\", \(what)",
                    "correct it in profile \(profile.source), or have the export made with it")
            }
            return finder.slot(column)
        }
        for name in profile.dateSource?.columns ?? [] {
            date.append(try named(name, "which has the date of the times"))
        }
        for event in TripEvent.allCases {
            let name = profile.dateColumns[event.field]
            eventDates.append(
                try name.map { name throws(ExportError) in
                    try named(name, "which has the date of \(event.field.rawValue)")
                })
        }
        for interval in TripInterval.allCases {
            let name = profile.statedIntervals[interval]?.column
            statedIntervals.append(
                try name.map { name throws(ExportError) in try named(name, "which has the interval \(interval.name)") })
        }
        text = textNeeds.map { need in
            TextRole(
                field: need.field, slot: slot(need.field), constant: profile.constants[need.field], need: need.need)
        }
        for name in filterFields {
            guard let column = finder.index.column(named: name) else {
                throw Self.missing(
                    file, "no column \"\(name)\", which the profile's filter looks at",
                    "check the filter of profile \(profile.source) against the file's header")
            }
            filter.append(finder.slot(column))
        }
        if hasRecordKeys {
            tripID = finder.slot(0)
            totalWords = Set([tripID, tripType, region].compactMap(\.self)).sorted()
        }
        identifying = columns.map { (finder.slot($0.index), $0.isName) }
        slotNames = finder.slots.map { header[$0] }
        slotColumns = finder.slots
    }

    /// Whether times of day have their date in another column.
    var hasClocks: Bool { !date.isEmpty || eventDates.contains { $0 != nil } }

    var slotCount: Int { slotColumns.count }

    /// The plan of the trips that the records of this one are composed to. They have the same fields in the same places, and
    /// behind them those that no record has by itself.
    func composed() -> ColumnPlan {
        guard let composition else { return self }
        var plan = self
        var slots = slotCount
        func added() -> Int {
            defer { slots += 1 }
            return slots
        }
        switch composition {
        case .lines: plan.loadedMiles = added()
        case .events: plan.events = TripEvent.allCases.map { _ in added() }
        }
        plan.filter = []
        plan.composition = nil
        plan.slotColumns = Array(0..<slots)
        plan.slotNames = plan.slotColumns.map { "\($0)" }
        return plan
    }

    /// The field that each slot holds; nil: none.
    func fields(of header: [String], profile: Profile) -> [CanonicalField?] {
        let index = HeaderIndex(header)
        var fields = [CanonicalField?](repeating: nil, count: slotCount)
        for field in CanonicalField.allCases {
            guard let column = index.column(of: field, in: profile), let slot = slotColumns.firstIndex(of: column)
            else { continue }
            fields[slot] = field
        }
        return fields
    }

    private static func missing(_ file: String, _ problem: String, _ remedy: String) -> ExportError {
        ExportError(kind: .missingColumns, file: file, problem: problem, remedy: remedy)
    }
}

extension HeaderIndex {
    /// The first column that a profile names for a field and the header has.
    func column(of field: CanonicalField, in profile: Profile) -> Int? {
        (profile.columns[field] ?? []).lazy.compactMap { column(named: $0) }.first
    }
}

/// Finds columns by name and gives each one that is used a slot.
private struct HeaderFinder {
    let index: HeaderIndex
    private(set) var slots: [Int] = []

    init(header: [String]) {
        index = HeaderIndex(header)
    }

    mutating func slot(_ column: Int) -> Int {
        if let known = slots.firstIndex(of: column) { return known }
        slots.append(column)
        return slots.count - 1
    }
}

/// Which columns of an export hold what no output may repeat: those of identifying fields, and unmapped ones whose name
/// says so. Dates and times are not among them: every output is scanned for the shape of a full date anyway.
struct IdentifyingColumn: Sendable, Hashable {
    /// From 0.
    var index: Int
    /// Of persons.
    var isName: Bool
}

enum IdentifyingColumns {
    private static let fields: [CanonicalField] = [
        .tripID, .legID, .facilityID, .providerNPI, .vehicleID, .invoiceNumber, .patientID, .patientName, .patientPhone,
        .patientAddress, .patientZIP, .origin, .destination, .notes,
    ]

    static func all(profile: Profile, header: [String]) -> [IdentifyingColumn] {
        let index = HeaderIndex(header)
        var columns: [IdentifyingColumn] = []
        for field in fields {
            guard let column = index.column(of: field, in: profile) else { continue }
            columns.append(IdentifyingColumn(index: column, isName: field == .patientName))
        }
        let mapped = PHIColumnCheck.mappedColumns(of: profile, in: header)
        for (column, name) in header.enumerated() where !mapped.contains(column) {
            guard let sign = PHIColumnCheck.sign(ofHeader: name), sign != .dateOfBirth, sign != .age else { continue }
            columns.append(IdentifyingColumn(index: column, isName: sign == .personName))
        }
        return columns
    }
}

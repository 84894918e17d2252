import ExportBytes
import Profiles
import Rules
import Trips

/// Whether records with one key are versions of a trip at all.
///
/// Records of one key and one `updated_at`, or none, may be charge lines, responses of several vehicles, or trips whose ids are not
/// unique. If they were taken for versions, all but one of them would vanish. So they are compared, unless the profile says what a
/// record is: copies are harmless, and corrections are few and leave code, vehicle and date alone. Anything else ends the export.
///
/// Where versions differ in the export, a few of its trips may have such records: systems write two versions in a second.
struct GrainCheck {
    /// A record that shares its key and its time with others. Texts are hashes of this process.
    fileprivate struct Record: Sendable {
        var key: Key
        var content: UInt64
        var code: Int?
        var vehicle: Int?
        var event: Int?
        var costCents: Int?
        /// Of each event that has a column; nil: it has no time.
        var times: [Int?]
        var patient: UInt64
        var day: Int32
        var region: UInt8
        var block: Int
        var recordInBlock: Int
    }

    fileprivate struct Key: Hashable, Sendable {
        var hash: UInt64
        var check: UInt64
    }

    /// How records with one key differ.
    private enum Difference: CaseIterable {
        case eventCode, chargeCode, vehicle, times, reversal, incident, patient

        /// What records that differ so seem to be.
        var recordKind: RecordKind? {
            switch self {
            case .eventCode: .events
            case .chargeCode, .reversal: .lines
            case .vehicle: .units
            case .times, .incident, .patient: nil
            }
        }
    }

    /// Corrections of dates are of days; an id that comes again later is another trip.
    private static let mostDaysCorrected: Int32 = 7
    /// A tenth of the records may replace others, and in a small export this many.
    private static let leastReplaced = 11
    /// A patient's id is corrected now and then.
    private static let fewestOtherPatients = 3
    /// So many trips of a large export may be corrected in a code or a vehicle: of these the message says so first.
    private static let mostCorrected = 3
    private static let firstRecords = 2048
    /// Of the trips among the first records that have several.
    private static let fewestOfFirst = 5
    private static let fields: [CanonicalField] = [.hcpcsCode, .vehicleID, .eventCode]
    /// A correction leaves some times of a trip alone.
    private static let fewestTimes = 2

    let reader: ExportReader
    /// The `TripBatch.tieHashes` that several records have.
    private let repeated: Set<UInt64>
    /// Records of the export that are trips.
    private let accepted: Int
    /// Whether the records state several versions.
    private let hasVersions: Bool
    /// Whether `sequence` says which record is newer: the lines of a bill are numbered too, and only their codes show what they are.
    private let hasSequence: Bool

    init(reader: ExportReader, repeated: Set<UInt64>, accepted: Int, hasVersions: Bool) {
        self.reader = reader
        self.repeated = repeated
        self.accepted = accepted
        self.hasVersions = hasVersions
        hasSequence = hasVersions && reader.plan.sequence != nil
    }

    /// Whether several records of one key and time are more than a few.
    private var areMany: Bool { repeated.count * 10 > accepted }

    /// Reads the export a second time if it has records that nothing ranks, and looks at them.
    ///
    /// - Returns: what must be said though the export may be used.
    func run(workers: Int) throws(ExportError) -> [String] {
        let note = hasVersions ? try checkFirst() : nil
        return try [note, compareRepeated(workers: workers), LegCosts.note(reader)].compactMap(\.self)
    }

    private func compareRepeated(workers: Int) throws(ExportError) -> String? {
        guard !repeated.isEmpty, !hasSequence || areMany else { return nil }
        guard reader.fileBytes != nil else {
            if hasVersions, !areMany {
                return "\(repeated.count) \(repeated.count == 1 ? "trip has" : "trips have") several records with one "
                    + "`updated_at`: where they differ, the later row counts"
            }
            throw error(
                "\(repeated.count) \(repeated.count == 1 ? "trip has" : "trips have") several records, and what they are can only be "
                    + "seen in a file",
                "name the export as a file, or write `records: versions` into its profile")
        }
        let repeated = repeated
        let (outcomes, findings) = try readAgain().readTrips(workers: workers, hasVersions: true, hasTies: true) { _ in
            Comparison(repeated: repeated)
        }
        return try judge(outcomes.flatMap(\.self), findings)
    }

    /// With what tells the records of a trip apart.
    ///
    /// - Parameter times: whether that has the times, of which nearly every record has others: for few records only.
    private func readAgain(times: Bool = false) throws(ExportError) -> ExportReader {
        var request = reader.request.leavingNoTrace()
        let events = times ? TripEvent.allCases.map(\.field).filter(reader.inventory.has) : []
        request.textNeeds = (Self.fields + events).map { (field: $0, need: .value) }
        request.collectsRecordNumbers = true
        request.hashesContents = true
        return try ExportReader(request)
    }

    private func firstRecords(times: Bool) throws(ExportError) -> ([Record], ReadFindings) {
        let (outcomes, findings) = try readAgain(times: times).readTrips(workers: 1, hasVersions: true, hasTies: true) {
            _ in Comparison(repeated: nil)
        }
        return (outcomes.flatMap(\.self), findings)
    }

    /// Lines and vehicles may each have an `updated_at` of their own. Then most trips of the first records that have several show
    /// it, and more than one in twenty of all: corrections seldom change a code, a vehicle or every time. Lines without a code cannot
    /// be distinguished from corrected costs, but so many corrections are seldom: a note says it.
    private func checkFirst() throws(ExportError) -> String? {
        guard reader.fileBytes != nil else { return nil }
        var (records, findings) = try firstRecords(times: false)
        var groups = Self.groups(records)
        let trips = Set(records.map(\.key)).count
        let alike = groups.count { differenceInFields(of: $0) == nil }
        if alike >= Self.fewestOfFirst, alike * 20 > trips {
            (records, findings) = try firstRecords(times: true)
            groups = Self.groups(records)
        }
        let found = Dictionary(grouping: groups) { group in differenceInFields(of: group) }
        for (difference, groups) in found.sorted(by: { $0.value.count > $1.value.count }) {
            guard let difference, groups.count >= Self.fewestOfFirst, groups.count * 2 > found.values.joined().count,
                groups.count * 20 > trips, let first = groups.min(by: { Self.isBefore($0[0], $1[0]) })
            else { continue }
            throw refusal(difference, trips: groups.count, Self.places(first, findings))
        }
        let corrected = groups.count { Set($0.compactMap(\.costCents)).count > 1 }
        guard corrected >= Self.fewestOfFirst, corrected * 2 > groups.count, corrected * 10 > trips else { return nil }
        return
            "\(corrected) of the first \(trips) trips have several records with different costs, and only the newest of each counts; "
            + "if they are the lines of a bill, \(statement(.lines)), and they are added up"
    }

    /// The records that are not alike, by their key, each in the order of the export.
    private static func groups(_ records: [Record]) -> [[Record]] {
        Dictionary(grouping: records, by: \.key).values.filter { Set($0.map(\.content)).count > 1 }
            .map { $0.sorted(by: isBefore) }
    }

    private static func isBefore(_ left: Record, _ right: Record) -> Bool {
        (left.block, left.recordInBlock) < (right.block, right.recordInBlock)
    }

    private static func places(_ group: [Record], _ findings: ReadFindings) -> String {
        let numbers = findings.recordNumbers(of: group.prefix(2).map { ($0.block, $0.recordInBlock) })
        return "records \(numbers.map(String.init).joined(separator: " and "))"
    }

    private func judge(_ records: [Record], _ findings: ReadFindings) throws(ExportError) -> String? {
        var trips: [Difference: Int] = [:]
        var first: [Difference: [Record]] = [:]
        var replaced = 0
        for group in Self.groups(records) {
            replaced += Set(group.map(\.content)).count - 1
            guard let difference = difference(of: group) else { continue }
            trips[difference, default: 0] += 1
            if first[difference].map({ Self.isBefore(group[0], $0[0]) }) ?? true { first[difference] = group }
        }
        for difference in Difference.allCases {
            guard let count = trips[difference], let group = first[difference], isDoubtful(difference, trips: count)
            else { continue }
            throw refusal(difference, trips: count, Self.places(group, findings))
        }
        if hasSequence {
            return replaced == 0
                ? nil
                : "\(replaced) of \(accepted) records are replaced by one with a higher `sequence`; if it numbers the lines or legs of "
                    + "a trip, \(statement(.lines)), or map it as leg_id"
        }
        if replaced >= Self.leastReplaced, replaced * 10 > accepted {
            throw error(
                "\(replaced) of \(accepted) records would replace another record of the same trip, more than a tenth, "
                    + "and \(hasVersions ? "their `updated_at` is the same" : "no column says which is newer")",
                "if they are charge lines, map hcpcs_code and \(statement(.lines)); if they are status changes, map event_code and "
                    + "event_at and write `records: events`; if each is a trip of its own (a leg, a vehicle), map what tells them "
                    + "apart as leg_id; if the later ones are corrections, write `records: versions`")
        }
        return replaced == 0
            ? nil
            : "\(replaced) \(replaced == 1 ? "record replaces" : "records replace") another of the same trip: the later row counts"
    }

    private func isDoubtful(_ difference: Difference, trips: Int) -> Bool {
        if hasVersions { return trips * (hasSequence ? 10 : 20) > accepted }
        return difference != .patient || trips >= Self.fewestOtherPatients
    }

    /// What makes these records no versions of one trip; nil: nothing.
    private func difference(of group: [Record]) -> Difference? {
        func differs(_ value: (Record) -> Int?) -> Bool { Set(group.compactMap(value)).count > 1 }
        if let found = differenceInFields(of: group) { return found }
        let costs = group.compactMap(\.costCents)
        if !hasVersions, costs.contains(where: { $0 < 0 }), costs.contains(where: { $0 > 0 }) { return .reversal }
        // Versions that are numbered correct everything else.
        if hasSequence { return nil }
        let days = group.map(\.day)
        let span = (days.max() ?? 0) - (days.min() ?? 0)
        let differsInRegion = differs { $0.region == 0 ? nil : Int($0.region) }
        if span > Self.mostDaysCorrected || span > 0 && differsInRegion { return .incident }
        return differs { $0.patient == 0 ? nil : Int(truncatingIfNeeded: $0.patient) } ? .patient : nil
    }

    private func differenceInFields(of group: [Record]) -> Difference? {
        func differs(_ value: (Record) -> Int?) -> Bool { Set(group.compactMap(value)).count > 1 }
        if differs({ $0.event }) { return .eventCode }
        if differs({ $0.code }) { return .chargeCode }
        if differs({ $0.vehicle }) { return .vehicle }
        guard let first = group.first else { return nil }
        return group.dropFirst().contains { Self.differsInAllTimes($0, first) } ? .times : nil
    }

    /// Of one day: ids that come again on other days are found when the exports are compared.
    private static func differsInAllTimes(_ one: Record, _ other: Record) -> Bool {
        guard one.day == other.day else { return false }
        let common = zip(one.times, other.times).filter { $0 != nil && $1 != nil }
        return common.count >= fewestTimes && common.allSatisfy { $0 != $1 }
    }

    private func refusal(_ difference: Difference, trips: Int, _ places: String) -> ExportError {
        let several = "\(trips) \(trips == 1 ? "trip has" : "trips have") several records that differ in"
        let correction = "if the later record corrects the earlier, write `records: versions`"
        let unless = "; \(correction)"
        // One in a hundred trips is sooner corrected than billed by lines.
        let isRare = trips <= Self.mostCorrected && trips * 100 < accepted
        func remedy(_ kind: RecordKind, _ what: String) -> String {
            isRare ? "\(correction); else \(statement(kind))\(what)" : "\(statement(kind))\(what)\(unless)"
        }
        let hasCodes = reader.inventory.has(.hcpcsCode)
        var refusal: ExportError
        switch difference {
        case .eventCode:
            refusal = error(
                "\(several) event_code, the first in \(places): this looks like one record for each status change",
                remedy(.events, ""))
        case .chargeCode:
            refusal = error(
                "\(several) hcpcs_code, the first in \(places): this looks like charge lines",
                remedy(.lines, ", and the lines of a trip are added up"))
        case .vehicle:
            refusal = error(
                "\(several) vehicle_id, the first in \(places): this looks like one record for each unit that was sent",
                remedy(
                    .units,
                    ", and each vehicle is a leg (leg_id) of its own, with its own cost (if each record has the cost of the whole call, "
                        + "have it exported in one of them)"))
        case .times:
            refusal = error(
                "\(several) every time, the first in \(places): the id is not unique, such as that of a booking with several trips",
                "map another column, or add one as leg_id, so that each trip has an id of its own" + unless)
        case .reversal:
            refusal = error(
                "\(several) the sign of the cost, the first in \(places): this looks like bills and what was taken back",
                hasCodes
                    ? remedy(.lines, ", and the lines of a trip are added up")
                    : "have it exported with one net amount for each trip, or with hcpcs_code and `records: lines`"
                        + unless)
        case .incident:
            refusal = error(
                "\(several) date or region, the first in \(places): the id is not unique",
                "map another column, or add one as leg_id, so that each trip has an id of its own" + unless)
        case .patient:
            refusal = error(
                "\(several) patient_id, the first in \(places): the id is not unique",
                "map another column, or add one as leg_id, so that each trip has an id of its own" + unless)
        }
        if !isRare, difference != .reversal || hasCodes { refusal.recordKind = difference.recordKind?.rawValue }
        return refusal
    }

    private func statement(_ kind: RecordKind) -> String {
        (reader.request.profile == nil
            ? "make a profile with `tripkpi map suggest FILE --write profiles/NAME.yaml` and write "
            : "write ") + "`records: \(kind.rawValue)` into the profile"
    }

    private func error(_ problem: String, _ remedy: String) -> ExportError {
        ExportError(kind: .unclearRecords, file: reader.name, problem: problem, remedy: remedy)
    }

    /// Takes down the records that share a tie hash, or the first records with the hashes of their keys.
    private struct Comparison: TripConsumer {
        /// Nil: the first records.
        let repeated: Set<UInt64>?
        private var records: [Record] = []

        init(repeated: Set<UInt64>?) { self.repeated = repeated }

        mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
            let dictionaries = worker.dictionaries
            /// The code without modifiers behind it, the vehicle without marks in it.
            func text(_ field: CanonicalField, _ row: Int) -> Int? {
                guard let place = batch.textFields.firstIndex(of: field), batch.text[place][row] != 0 else {
                    return nil
                }
                let value = dictionaries[place][batch.text[place][row]].revealed(for: .matching)
                let upper = value.uppercased()
                switch field {
                case .hcpcsCode: return String(upper.prefix(5)).hashValue
                case .vehicleID: return upper.filter { $0.isLetter || $0.isNumber }.hashValue
                default: return upper.hashValue
                }
            }
            let events = repeated == nil ? TripEvent.allCases.map(\.field).filter(batch.textFields.contains) : []
            for row in 0..<batch.count where repeated?.contains(batch.tieHashes[row]) ?? true {
                let stamp = batch.versions[row]
                records.append(
                    Record(
                        key: Key(
                            hash: repeated == nil ? batch.keyHashes[row] : batch.tieHashes[row], check: stamp.keyCheck),
                        content: stamp.contentHash,
                        code: text(.hcpcsCode, row), vehicle: text(.vehicleID, row), event: text(.eventCode, row),
                        costCents: batch.costCents[row] == AmountState.absent ? nil : batch.costCents[row],
                        times: events.map { text($0, row) }, patient: batch.patientHashes[row],
                        day: batch.day[row], region: batch.region[row], block: batch.block,
                        recordInBlock: Int(batch.recordsInBlock[row])))
            }
            return repeated != nil || records.count < GrainCheck.firstRecords
        }

        mutating func finish() -> [Record] { records }
    }
}

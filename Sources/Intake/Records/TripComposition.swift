import ExportBytes
import Profiles
import Trips

/// The rule by which the records of one trip become one record.
///
/// In: the records of a trip within one export, in the order of the export. Out: the values of one record. Amounts are added
/// as they are written; if one of them cannot be read, the trip has that value, so that no sum lacks a part in silence.
struct TripComposition: Sendable {
    private let raw: ColumnPlan
    private let composed: ColumnPlan
    private let slots: CompositionSlots
    private let decimalMark: DecimalMark
    private let timeReader: TimeReader
    private let updateReader: TimeReader
    /// By event code in lower case: the event's slot.
    private let eventSlots: [String: Int]
    /// Of each slot the field whose values should not differ between the records of a trip; nil: they may.
    private let steadyFields: [CanonicalField?]

    /// - Parameters:
    ///   - raw: of the export as it is.
    ///   - fields: what each of its slots holds.
    init(_ slots: CompositionSlots, raw: ColumnPlan, composed: ColumnPlan, fields: [CanonicalField?], profile: Profile)
    {
        self.slots = slots
        self.raw = raw
        self.composed = composed
        decimalMark = profile.decimalMark
        func reader(_ field: CanonicalField) -> TimeReader {
            TimeReader(patterns: (profile.datePatternsByField[field] ?? []) + profile.datePatterns)
        }
        timeReader = reader(.eventAt)
        updateReader = reader(.updatedAt)
        var eventSlots: [String: Int] = [:]
        for (code, name) in profile.valueMaps[.eventCode]?.entries ?? [:] {
            guard let event = TripEvent.allCases.first(where: { $0.field.rawValue == name }) else { continue }
            eventSlots[code] = composed.events[event.rawValue]
        }
        self.eventSlots = eventSlots
        let mayDiffer: Set<CanonicalField> = [
            .hcpcsCode, .hcpcsModifiers, .units, .cost, .loadedMiles, .unloadedMiles, .updatedAt, .sequence, .eventCode,
            .eventAt, .notes, .invoiceNumber,
        ]
        steadyFields = fields.map { field in field.flatMap { mayDiffer.contains($0) ? nil : $0 } }
    }

    /// Where a record says which trip it is part of.
    var tripSlots: (trip: Int, leg: Int?) { (raw.tripID, raw.legID) }

    /// The values of the trip's one record by slot, and what is odd about its records.
    func compose(_ records: [SpooledRecord], _ remarks: inout CompositionRemarks) -> [[UInt8]] {
        var values = (0..<composed.slotCount).map { slot -> [UInt8] in
            guard slot < raw.slotCount, let record = records.first(where: { !$0[slot].isEmpty }) else { return [] }
            return text(of: record, slot)
        }
        note(records, values, &remarks)
        if let slot = raw.updatedAt {
            values[slot] = largest(records, slot) { value, _ in
                updateReader.read(value).map {
                    ($0.localSeconds - ($0.offsetSeconds ?? 0)) * 1_000_000 + $0.microseconds
                }
            }
        }
        if let slot = raw.sequence {
            values[slot] = largest(records, slot) { value, isNumber in
                let reading = AmountReader.hundredths(value, maximum: .max, isNumber: isNumber)
                return if case .value(let hundredths) = reading { hundredths } else { nil }
            }
        }
        switch slots {
        case .lines(let code, let modifiers, let units):
            composeLines(records, code: code, modifiers: modifiers, units: units, &values, &remarks)
        case .events(let code, let at):
            composeEvents(records, code: code, at: at, &values, &remarks)
        }
        return values
    }

    private func note(_ records: [SpooledRecord], _ values: [[UInt8]], _ remarks: inout CompositionRemarks) {
        guard records.count > 1 else { return }
        for slot in 0..<raw.slotCount {
            guard let field = steadyFields[slot] else { continue }
            let differs = records.contains { !$0[slot].isEmpty && text(of: $0, slot) != values[slot] }
            if differs { remarks.note(field, at: records[0].place) }
        }
        remarks.copies += records.count - Set(records.map(\.contentHash)).count
    }

    /// A value as a text of CSV: an amount of JSON with an exponent is written out.
    private func text(of record: SpooledRecord, _ slot: Int) -> [UInt8] {
        let value = record[slot]
        guard record.isLiteral(slot), value.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
            case .value(let hundredths) = AmountReader.hundredths(value, isNumber: true)
        else {
            // A number of JSON has a point in any case.
            return record.isLiteral(slot) && decimalMark == .comma ? AmountReader.exchangingMarks(value) : Array(value)
        }
        return amount(hundredths)
    }

    private func largest(
        _ records: [SpooledRecord], _ slot: Int, _ rank: (ArraySlice<UInt8>, _ isNumber: Bool) -> Int?
    ) -> [UInt8] {
        var best: (rank: Int, record: SpooledRecord)?
        for record in records {
            guard let rank = rank(record[slot], record.isLiteral(slot)), rank > best?.rank ?? .min else { continue }
            best = (rank, record)
        }
        return best.map { text(of: $0.record, slot) } ?? records.lazy.map { text(of: $0, slot) }.first { !$0.isEmpty }
            ?? []
    }

    /// Hundredths as a number of the export.
    private func amount(_ hundredths: Int) -> [UInt8] {
        let digits = "\(hundredths.magnitude % 100)"
        let mark = decimalMark == .comma ? "," : "."
        return Array(
            "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100)\(mark)\(digits.utf8.count == 1 ? "0" : "")\(digits)"
                .utf8)
    }

    // MARK: - Charge lines

    /// Ground and air miles (HCPCS level II).
    private static let mileageCodes: Set<String> = ["A0425", "A0435", "A0436"]
    /// The base rates: A0426 to A0434, A0998 (no transport) and A0999 (unlisted).
    private static let baseCodes: Set<String> = Set((426...434).map { "A0\($0)" } + ["A0998", "A0999"])

    /// The HCPCS code of a line, without modifiers behind it.
    private func code(of record: SpooledRecord, _ slot: Int) -> String {
        String(decoding: record[slot].prefix(5), as: UTF8.self).uppercased()
    }

    private func composeLines(
        _ records: [SpooledRecord], code: Int, modifiers: Int?, units: Int?, _ values: inout [[UInt8]],
        _ remarks: inout CompositionRemarks
    ) {
        if let cost = raw.cost {
            values[cost] = sum(records, cost, isMoney: true)
            for record in records {
                // A sum has no currency of its own any more.
                if let currency = AmountReader.money(record[cost]).currency {
                    remarks.currencies[currency, default: 0] += 1
                }
            }
        }
        let codes = records.map { self.code(of: $0, code) }
        composeMiles(records, codes, units: units, &values)
        let bases = records.indices.filter { Self.baseCodes.contains(codes[$0]) }
        // A base rate that was billed and taken back is not the one of the trip.
        let standing = bases.first { base in
            let same = bases.filter { codes[$0] == codes[base] }.map { records[$0] }
            return raw.cost.map { sum(same, $0, isMoney: true) != amount(0) } ?? true
        }
        guard let base = standing ?? bases.first else { return }
        values[code] = text(of: records[base], code)
        if let modifiers { values[modifiers] = text(of: records[base], modifiers) }
    }

    private func composeMiles(_ records: [SpooledRecord], _ codes: [String], units: Int?, _ values: inout [[UInt8]]) {
        guard let target = composed.loadedMiles else { return }
        let lines = records.indices.filter { Self.mileageCodes.contains(codes[$0]) }.map { records[$0] }
        let slot = [units, raw.loadedMiles].compactMap(\.self).first { slot in lines.contains { !$0[slot].isEmpty } }
        if let slot {
            values[target] = sum(lines, slot, isMoney: false)
        } else if let own = raw.loadedMiles {
            values[target] = values[own]
        }
    }

    /// The sum of a column as a text; that of the first value that cannot be read, if there is one.
    private func sum(_ records: [SpooledRecord], _ slot: Int, isMoney: Bool) -> [UInt8] {
        var total: Int?
        for record in records where !record[slot].isEmpty {
            let isNumber = record.isLiteral(slot)
            let value = record[slot]
            let text = isNumber || decimalMark == .point ? value : AmountReader.exchangingMarks(value)[...]
            let reading =
                isMoney
                ? AmountReader.cents(text, isNumber: isNumber) : AmountReader.hundredths(text, isNumber: isNumber)
            switch reading {
            case .absent: continue
            case .bad: return Array(value)
            // Each is at most `AmountReader.maximum`, so no sum of an export overflows.
            case .value(let hundredths): total = (total ?? 0) + hundredths
            }
        }
        return total.map(amount) ?? []
    }

    // MARK: - Status changes

    /// Of several changes to one status the first in time counts.
    private func composeEvents(
        _ records: [SpooledRecord], code: Int, at: Int, _ values: inout [[UInt8]], _ remarks: inout CompositionRemarks
    ) {
        var first: [Int: Int] = [:]
        for record in records where !record[code].isEmpty {
            let name = String(decoding: record[code], as: UTF8.self).lowercased()
            guard let slot = eventSlots[name] else {
                remarks.unmappedEvents += 1
                continue
            }
            let seconds = timeReader.read(record[at]).map { $0.localSeconds - ($0.offsetSeconds ?? 0) }
            if let known = first[slot], known <= seconds ?? .max { continue }
            first[slot] = seconds ?? .max
            values[slot] = text(of: record, at)
        }
    }
}

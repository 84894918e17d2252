import Classification
import Intake
import Trips

/// Looks through exports for the records of one trip.
///
/// In: a plan and a trip id. Out: every record with that id that can be a trip, with the values that the rules look at,
/// all of them `Sensitive`. It compares decoded values, whatever the format, and keeps nothing of other records.
struct TripFinder {
    /// One record of the trip.
    struct Record: Sendable {
        var fileIndex: Int
        /// In the file; for a compressed or transcoded one in its text.
        var byteOffset: Int
        /// Empty where there is none.
        var leg: Sensitive<String>
        var version: TripVersion
        var contentHash: UInt64
        var status: TripStatus
        var day: CivilDay
        /// Of the rules' fields, those that are not blank.
        var values: [CanonicalField: Sensitive<String>]
    }

    /// What was looked through.
    struct Outcome {
        var records: [Record] = []
        var fileNames: [String] = []
        var counts = ReadCounts()
    }

    private struct Share: Sendable {
        var records: [Record]
        var counts: ReadCounts
    }

    let plan: ScanPlan
    let tripID: Sensitive<String>

    func run() throws(ScanError) -> Outcome {
        var outcome = Outcome()
        // Rules that ask only for presence get the value here: explaining needs it, and one look is enough.
        let fields = Set(plan.rules.fields + [.tripID, .legID]).sorted { $0.rawValue < $1.rawValue }
        for index in plan.inputs.indices {
            let reader = try plan.open(index, textNeeds: fields.map { (field: $0, need: .value) })
            let shares = try Workers.run(plan.workers) { _ throws(ExportError) in try search(reader) }
            outcome.fileNames.append(reader.name)
            for share in shares {
                outcome.records += share.records
                outcome.counts.merge(share.counts)
            }
        }
        outcome.records.sort { ($0.fileIndex, $0.byteOffset) < ($1.fileIndex, $1.byteOffset) }
        return outcome
    }

    private func search(_ reader: ExportReader) throws(ExportError) -> Share {
        let worker = reader.makeWorker()
        var batch = worker.makeBatch(hasVersions: true)
        var records: [Record] = []
        let wanted = tripID.revealed(for: .matching)
        let place = batch.textFields.firstIndex(of: .tripID)
        while try worker.next(into: &batch) {
            guard let place else { break }
            let dictionaries = worker.dictionaries
            for row in 0..<batch.count
            where dictionaries[place][batch.text[place][row]].revealed(for: .matching) == wanted {
                records.append(Self.record(batch, row, dictionaries))
            }
        }
        return Share(records: records, counts: worker.counts)
    }

    private static func record(_ batch: TripBatch, _ row: Int, _ dictionaries: [TextDictionary]) -> Record {
        var values: [CanonicalField: Sensitive<String>] = [:]
        for (place, field) in batch.textFields.enumerated() where batch.text[place][row] != 0 {
            values[field] = dictionaries[place][batch.text[place][row]]
        }
        return Record(
            fileIndex: batch.offsets[row] >> 48, byteOffset: batch.offsets[row] & 0xFFFF_FFFF_FFFF,
            leg: values[.legID] ?? Sensitive(""), version: batch.versions[row].version,
            contentHash: batch.versions[row].contentHash, status: TripStatus(rawValue: batch.status[row]) ?? .completed,
            day: CivilDay(daysSince1970: batch.day[row]), values: values)
    }
}

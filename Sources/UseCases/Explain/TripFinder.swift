import Basics
import ExportBytes
import Intake
import Rules
import Trips

/// Searches exports for the records of one trip.
///
/// In: a plan and a trip id. Out: every record with that id that can be a trip, with the values that the rules look at,
/// all of them `Sensitive`. It compares decoded values, whatever the format, and keeps nothing of other records.
struct TripFinder {
    /// One record of the trip.
    struct Record: Sendable {
        /// For a compressed or transcoded export in its text.
        var location: RecordLocation
        /// Empty where there is none.
        var leg: Sensitive<String>
        var version: TripVersion
        var contentHash: UInt64
        var status: TripStatus
        var day: CivilDay
        /// Of the rules' fields, those that are not blank.
        var values: [CanonicalField: Sensitive<String>]
    }

    /// What was searched.
    struct Outcome {
        var records: [Record] = []
        var fileNames: [String] = []
        var counts = ReadCounts()
    }

    let plan: ScanRequest
    let tripID: Sensitive<String>

    func run() throws(ExportError) -> Outcome {
        var outcome = Outcome()
        // Rules that ask only for presence get the value here: explaining needs it, and one pass is enough.
        let fields = Set(plan.rules.fields + [.tripID, .legID]).sorted { $0.rawValue < $1.rawValue }
        for index in plan.inputs.indices {
            let reader = try plan.open(index, textNeeds: fields.map { (field: $0, need: .value) })
            let (records, findings) = try reader.read(workers: plan.workers, hasVersions: true) { _ in
                Search(wanted: tripID)
            }
            outcome.fileNames.append(reader.name)
            outcome.records += records.joined()
            outcome.counts.merge(findings.counts)
        }
        outcome.records.sort { $0.location < $1.location }
        return outcome
    }

    /// Keeps the records that have the id.
    private struct Search: TripConsumer {
        let wanted: Sensitive<String>
        private var records: [Record] = []

        init(wanted: Sensitive<String>) { self.wanted = wanted }

        mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
            guard let place = batch.textFields.firstIndex(of: .tripID) else { return false }
            let id = wanted.revealed(for: .matching)
            let dictionaries = worker.dictionaries
            for row in 0..<batch.count
            where dictionaries[place][batch.text[place][row]].revealed(for: .matching) == id {
                records.append(TripFinder.record(batch, row, dictionaries))
            }
            return true
        }

        mutating func finish() -> [Record] { records }
    }

    private static func record(_ batch: TripBatch, _ row: Int, _ dictionaries: [TextDictionary]) -> Record {
        var values: [CanonicalField: Sensitive<String>] = [:]
        for (place, field) in batch.textFields.enumerated() where batch.text[place][row] != 0 {
            values[field] = dictionaries[place][batch.text[place][row]]
        }
        return Record(
            location: RecordLocation(batch.offsets[row]), leg: values[.legID] ?? Sensitive(""),
            version: batch.versions[row].version,
            contentHash: batch.versions[row].contentHash, status: TripStatus(rawValue: batch.status[row]) ?? .completed,
            day: CivilDay(daysSince1970: batch.day[row]), values: values)
    }
}

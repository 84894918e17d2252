import KPIs
package import Trips

/// One version of a trip in the store, from one export, without anything that points at a person: the day instead of the
/// times, intervals instead of clock readings, pseudonyms instead of ids, and texts by their number in `TextTable`.
package struct StoredTrip: Sendable, Hashable {
    package var key: TripKey
    package var exportID: Int32
    /// Byte offset of the record in the export: of equal versions of one export the later record counts.
    package var recordOffset: Int
    package var version: TripVersion
    package var facts: TripFacts

    var location: RecordLocation { RecordLocation(export: Int(exportID), offset: recordOffset) }

    package init(key: TripKey, exportID: Int32, recordOffset: Int, version: TripVersion, facts: TripFacts) {
        self.key = key
        self.exportID = exportID
        self.recordOffset = recordOffset
        self.version = version
        self.facts = facts
    }

    /// Whether both are the same version with the same facts. The classification is not compared: one of two copies may
    /// have been loaded under other rules.
    package func isCopy(of other: StoredTrip) -> Bool {
        guard version == other.version else { return false }
        var own = facts
        own.sourcing = other.facts.sourcing
        own[.rule] = other.facts[.rule]
        return own == other.facts
    }
}

extension StoredTrip {
    /// The trip in row `row` of a batch with versions. The caller fills in the texts.
    ///
    /// - Parameter batch: borrowed, because a copy retains all its columns, row by row.
    package init(_ batch: borrowing TripBatch, row: Int, exportID: Int32) {
        let stamp = batch.versions[row]
        var facts = TripFacts()
        facts.month = batch.month[row]
        facts.day = batch.day[row]
        facts.status = batch.status[row]
        facts.region = batch.region[row]
        facts.tripType = batch.tripType[row]
        facts.sourcing = batch.sourcing[row]
        facts.warnings = batch.warnings[row]
        for interval in batch.intervals.indices { facts.intervals[interval] = batch.intervals[interval][row] }
        facts.costCents = batch.costCents[row]
        facts.loadedHundredths = batch.loadedHundredths[row]
        facts.unloadedHundredths = batch.unloadedHundredths[row]
        facts.patient = batch.patientHashes[row]
        self.init(
            key: TripKey(
                high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: stamp.keyCheck)),
            exportID: exportID, recordOffset: RecordLocation(batch.offsets[row]).offset, version: stamp.version,
            facts: facts)
    }
}

extension TripBatch {
    /// Adds a trip of the store as a row, for tallies.
    ///
    /// - Throws: `StoreDamage` for a trip that does not fit tallies of this shape.
    mutating func append(stored trip: TripFacts, for shape: KPITally.Shape) throws {
        do {
            try append(trip, for: shape)
        } catch {
            throw StoreDamage(detail: error.description)
        }
    }
}

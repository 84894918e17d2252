package import Trips

/// One version of a trip at rest: what an export said of it, without anything that points at a person.
///
/// What is kept is the day, not the times; intervals instead of clock readings; pseudonyms instead of ids; texts by the
/// number they have in `TextTable`.
package struct StoredTrip: Sendable, Hashable {
    package var key: TripKey
    package var exportID: Int32
    /// Where in the export's text the record begins: of equal versions of one export the later row counts.
    package var recordOffset: Int
    package var version: TripVersion
    package var facts: TripFacts

    package init(key: TripKey, exportID: Int32, recordOffset: Int, version: TripVersion, facts: TripFacts) {
        self.key = key
        self.exportID = exportID
        self.recordOffset = recordOffset
        self.version = version
        self.facts = facts
    }

    /// Whether both say the same of the trip, as the same version: an exact copy. What the rules made of it does not
    /// count: of two copies one may have been read under other rules.
    package func isCopy(of other: StoredTrip) -> Bool {
        guard version == other.version else { return false }
        var own = facts
        own.sourcing = other.facts.sourcing
        own[.rule] = other.facts[.rule]
        return own == other.facts
    }
}

/// What a record says of its trip.
package struct TripFacts: Sendable, Hashable {
    /// `Month.index`.
    package var month: Int32 = 0
    /// Local date of the event that decides the month: days since 1970.
    package var day: Int32 = 0
    /// `TripStatus` raw value.
    package var status: UInt8 = 0
    /// Codes of the store's lists; 0 is Unassigned.
    package var region: UInt8 = 0
    package var tripType: UInt8 = 0
    /// `Sourcing` raw value.
    package var sourcing: UInt8 = Sourcing.unclassified.rawValue
    /// Bit set by `WarningCode.index`.
    package var warnings: UInt32 = 0
    /// Whole seconds by `TripInterval` raw value, or a negative `IntervalState`; two lanes are not used.
    package var intervals = SIMD8<Int32>(repeating: 0)
    /// `TripBatch.absent` where there is none.
    package var costCents = TripBatch.absent
    package var loadedHundredths = TripBatch.absent
    package var unloadedHundredths = TripBatch.absent
    /// Keyed pseudonym; 0 where there is none.
    package var patient: UInt64 = 0
    /// Numbers in `TextTable` by `StoredText` raw value; 0 where there is none.
    package var texts = SIMD8<Int32>(repeating: 0)

    package init() {}

    package subscript(text: StoredText) -> Int32 {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }
}

/// The texts that are kept of a trip. None of them may identify a person (SPEC §2.2).
package enum StoredText: Int, CaseIterable, Sendable, Hashable {
    /// Id of the rule that decided.
    case rule
    case providerID, providerName, contractNumber, hcpcsCode, hcpcsModifiers
    /// What the rules' tests said of fields whose values are not kept; see `Classification.EvidenceRecorder`.
    case evidence

    /// The fields kept in clear.
    package static let publicFields: [(text: StoredText, field: CanonicalField)] = [
        (.providerID, .providerID), (.providerName, .providerName), (.contractNumber, .contractNumber),
        (.hcpcsCode, .hcpcsCode), (.hcpcsModifiers, .hcpcsModifiers),
    ]
}

extension StoredTrip {
    /// Takes row `row` of a batch with versions; texts and rule are the caller's to fill in.
    /// - Parameter batch: borrowed, since a copy would count references to all its columns, row by row.
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
            exportID: exportID, recordOffset: batch.offsets[row] & 0xFFFF_FFFF_FFFF, version: stamp.version,
            facts: facts)
    }
}

extension TripBatch {
    /// Adds a stored trip as a row, for tallies: its texts stay behind.
    mutating func append(_ trip: TripFacts) {
        let row = count
        month[row] = trip.month
        day[row] = trip.day
        status[row] = trip.status
        region[row] = trip.region
        tripType[row] = trip.tripType
        sourcing[row] = trip.sourcing
        warnings[row] = trip.warnings
        for interval in intervals.indices { intervals[interval][row] = trip.intervals[interval] }
        costCents[row] = trip.costCents
        loadedHundredths[row] = trip.loadedHundredths
        unloadedHundredths[row] = trip.unloadedHundredths
        patientHashes[row] = trip.patient
        count += 1
    }
}

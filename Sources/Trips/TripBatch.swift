/// A few thousand trips as columns: what reader, classifier and tallies exchange.
///
/// All columns have room for `capacity` rows, of which the first `count` are in use. A batch is reused: its memory is
/// allocated once per worker.
package struct TripBatch: Sendable {
    package let capacity: Int
    package var count = 0
    /// `RecordLocation` of each record, to read it again if there is another version of the trip.
    package var offsets: [Int]
    /// 64-bit hash of the trip's key (source, trip_id, leg_id). Two trips may share one; a trip has only one.
    package var keyHashes: [UInt64]
    /// `TripStatus` raw values.
    package var status: [UInt8]
    /// `Month.index` of the local month the trip belongs to.
    package var month: [Int32]
    /// Local date of the event that decides the month: days since 1970. For dated rules and rosters.
    package var day: [Int32]
    /// Codes of the configured list: 0 is Unassigned.
    package var region: [UInt8]
    /// Codes of the configured list: 0 is Unassigned.
    package var tripType: [UInt8]
    /// Seconds for each `TripInterval` in turn, or a negative `IntervalState`.
    package var intervals: [[Int32]]
    /// Cents; `AmountState.absent` where there is none.
    package var costCents: [Int]
    /// Hundredths of a statute mile; `AmountState.absent` where there are none.
    package var loadedHundredths: [Int]
    /// Hundredths of a statute mile; `AmountState.absent` where there are none.
    package var unloadedHundredths: [Int]
    /// 64-bit hash of the patient id; 0 where there is none.
    package var patientHashes: [UInt64]
    /// Codes of the text fields that the rules look at, in the order of `textFields`.
    package var text: [[UInt32]]
    package let textFields: [CanonicalField]
    /// `Sourcing` raw values; the classifier fills them.
    package var sourcing: [UInt8]
    /// Bit set by `WarningCode.index`, for the codes of the trip.
    package var warnings: [UInt32]
    /// The versions of the trips, for exports that cannot be read twice; empty unless requested.
    package var versions: [TripVersionStamp]
    /// 64-bit hash of the trip's key and of `updated_at` as it is written: of records that share it, at most `sequence` says which is
    /// newer. Empty unless requested.
    package var tieHashes: [UInt64]
    /// How many records of the block come before each record; empty unless requested.
    package var recordsInBlock: [UInt32]
    /// Which block of the export the records are in.
    package var block = 0

    package init(
        capacity: Int, textFields: [CanonicalField], hasVersions: Bool = false, hasTies: Bool = false,
        hasRecordNumbers: Bool = false
    ) {
        self.capacity = capacity
        self.textFields = textFields
        offsets = Array(repeating: 0, count: capacity)
        keyHashes = Array(repeating: 0, count: capacity)
        status = Array(repeating: 0, count: capacity)
        month = Array(repeating: 0, count: capacity)
        day = Array(repeating: 0, count: capacity)
        region = Array(repeating: 0, count: capacity)
        tripType = Array(repeating: 0, count: capacity)
        intervals = TripInterval.allCases.map { _ in Array(repeating: 0, count: capacity) }
        costCents = Array(repeating: AmountState.absent, count: capacity)
        loadedHundredths = Array(repeating: AmountState.absent, count: capacity)
        unloadedHundredths = Array(repeating: AmountState.absent, count: capacity)
        patientHashes = Array(repeating: 0, count: capacity)
        text = textFields.map { _ in Array(repeating: 0, count: capacity) }
        sourcing = Array(repeating: Sourcing.unclassified.rawValue, count: capacity)
        warnings = Array(repeating: 0, count: capacity)
        versions = hasVersions ? Array(repeating: TripVersionStamp(), count: capacity) : []
        tieHashes = hasTies ? Array(repeating: 0, count: capacity) : []
        recordsInBlock = hasRecordNumbers ? Array(repeating: 0, count: capacity) : []
    }
}

/// One record of a sample as small numbers; `append(_:to:)` writes a field of it as text.
struct SampleRecord {
    /// No value.
    static let absent = Int.min
    /// A value that nothing can read.
    static let unreadable = Int.min + 1

    /// What is wrong with the record as a whole.
    enum Fault: Int, CaseIterable {
        case none
        /// `trip_id` is blank.
        case noTripID
        /// No time and no service date, or none that can be read.
        case noDate
        /// A status no profile knows.
        case unknownStatus
        /// One field too many or half of them missing; in JSON an element that is not an object.
        case fieldCount
        /// Text after a closing quote; in JSON a key without a value.
        case brokenSyntax
    }

    /// The raw value is the text in the file.
    enum Status: String {
        case blank = ""
        case completed, cancelled
        case noShow = "no_show"
        case void
        case unknown = "in_transit"
    }

    /// The raw value is the text in the file.
    enum TripType: String {
        case blank = ""
        case emergency = "Emergency"
        case routine = "Routine"
        case unmapped = "Standby"
    }

    /// How an amount is written.
    enum Notation {
        case plain
        /// One decimal: `1234.5`. The amount is a multiple of ten hundredths.
        case short
        /// `$1,234.56`
        case dollars
        /// `(12.00)`, below zero.
        case parentheses
        /// Not an amount.
        case bad
    }

    struct Amount {
        /// Cents or hundredths of a mile.
        var hundredths = SampleRecord.absent
        var notation = Notation.plain
    }

    var fault = Fault.none
    var tripNumber = 0
    /// 0 where the column is blank.
    var leg = 1
    /// Seconds since 1970 on the local clock.
    var updatedAt = 0
    var sequence = 1
    var status = Status.completed
    var tripType = TripType.routine
    /// 0 blank, 1 to 4 the four regions, 5 one that no profile maps.
    var region = 0
    var facility = 0
    /// Days since 1970, `absent` or `unreadable`.
    var serviceDay = SampleRecord.absent
    /// `TripEvent`s by raw value, then the appointment: seconds since 1970 on the local clock, `absent`, `unreadable`.
    var times = SIMD8<Int>(repeating: SampleRecord.absent)
    /// 0 none, 1… `VA-101`…, 11… `P-100`…, 21… `X-1`…
    var provider = 0
    /// Above zero `VA…`, below zero a contractor's.
    var vehicle = 0
    /// 0 none, else the number of the contract.
    var contract = 0
    var invoice = 0
    /// 0 none, 1 QN, 2 QM.
    var modifier = 0
    /// Two letters of origin and destination, 0 to 3.
    var endpoints = 0
    var loadedMiles = Amount()
    var unloadedMiles = Amount()
    var cost = Amount()
    var patient = 0
    /// 0 none, 1 plain, 2 comma, 3 quotes, 4 line break, 5 text beyond ASCII.
    var noteKind = 0
}

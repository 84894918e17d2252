import Basics
import Trips

/// A decoder's intermediate columns, allocated once.
///
/// Invariant: every pointer has `rows` initialised entries; `local` and `instant` have `rows` for each `TripEvent`.
final class DecodingColumns {
    let rows: Int
    /// Seconds since 1970 on the local clock, or `absent`; event by event.
    let local: UnsafeMutablePointer<Int>
    /// Seconds since 1970 in UTC, or `absent`; event by event.
    let instant: UnsafeMutablePointer<Int>
    /// The date read last in each row: `yyyy-MM-` as a word (0: none), and seconds of its midnight times 65,536 plus the
    /// two bytes of its day.
    let dateMonths: UnsafeMutablePointer<UInt64>
    let dateDays: UnsafeMutablePointer<Int>
    /// Where the date is in a column of its own: its day since 1970, `absent` or `unread`.
    let dates: UnsafeMutablePointer<Int>
    let codes: UnsafeMutablePointer<Int32>
    /// 0, a reject reason's code, or `totalsRow`.
    let verdicts: UnsafeMutablePointer<UInt8>
    let warnings: UnsafeMutablePointer<UInt32>
    /// Index into the zone plan.
    let zones: UnsafeMutablePointer<UInt8>
    /// Events whose time states its offset, as bits; only kept where no zone is configured.
    let offsets: UnsafeMutablePointer<UInt8>
    var hasOffsets = false
    /// Rows with a time in a repeated hour, and in which events (bits).
    var ambiguous: [(row: Int, events: UInt8)] = []
    /// Times that are written as 24:00.
    var endsOfDay: [(row: Int, event: TripEvent)] = []

    static let absent = Int.min
    /// The date cannot be read.
    static let unread = Int.min + 1
    /// The row is no trip but a total of others.
    static let totalsRow = UInt8.max

    init(rows: Int) {
        self.rows = rows
        func column<Value: BitwiseCopyable>(_ value: Value, _ count: Int) -> UnsafeMutablePointer<Value> {
            let column = UnsafeMutablePointer<Value>.allocate(capacity: count)
            column.initialize(repeating: value, count: count)
            return column
        }
        local = column(Self.absent, rows * TripEvent.allCases.count)
        instant = column(Self.absent, rows * TripEvent.allCases.count)
        dateMonths = column(0, rows)
        dateDays = column(0, rows)
        dates = column(Self.absent, rows)
        codes = column(0, rows)
        verdicts = column(0, rows)
        warnings = column(0, rows)
        zones = column(0, rows)
        offsets = column(0, rows)
    }

    deinit {
        local.deallocate()
        instant.deallocate()
        dateMonths.deallocate()
        dateDays.deallocate()
        dates.deallocate()
        codes.deallocate()
        verdicts.deallocate()
        warnings.deallocate()
        zones.deallocate()
        offsets.deallocate()
    }

    func clear(_ count: Int) {
        verdicts.update(repeating: 0, count: count)
        warnings.update(repeating: 0, count: count)
        zones.update(repeating: 0, count: count)
        if hasOffsets { offsets.update(repeating: 0, count: rows) }
        hasOffsets = false
        ambiguous.removeAll(keepingCapacity: true)
        endsOfDay.removeAll(keepingCapacity: true)
    }

    @inline(__always) func local(_ event: TripEvent) -> UnsafeMutablePointer<Int> { local + event.rawValue * rows }
    @inline(__always) func instant(_ event: TripEvent) -> UnsafeMutablePointer<Int> { instant + event.rawValue * rows }

    @inline(__always)
    func warn(_ row: Int, _ bit: UInt32) { warnings[row] |= bit }

    static func code(of reason: RejectReason) -> UInt8 {
        UInt8((RejectReason.allCases.firstIndex(of: reason) ?? 0) + 1)
    }

    static func reason(of code: UInt8) -> RejectReason {
        RejectReason.allCases[min(Int(code) - 1, RejectReason.allCases.count - 1)]
    }
}

/// The month of a day, remembering a few years of days: the trips of an export lie close together.
struct MonthCache {
    private var days: [Int]
    private var months: [Int32]
    private static let size = 2048

    init() {
        days = Array(repeating: .min, count: Self.size)
        months = Array(repeating: 0, count: Self.size)
    }

    @inline(__always)
    mutating func month(of day: Int) -> Int32 {
        let place = day & (Self.size - 1)
        return days[place] == day ? months[place] : fill(place, day)
    }

    @inline(never)
    private mutating func fill(_ place: Int, _ day: Int) -> Int32 {
        days[place] = day
        months[place] = CivilDay(daysSince1970: Int32(truncatingIfNeeded: day)).month.index
        return months[place]
    }
}

import Basics
package import Profiles
import Trips

/// Times as seconds, straight from bytes: those of ISO 8601 in its usual form at once, others by `TimeForms`.
package struct TimeReader: Sendable {
    package typealias Reading = TimeForms.Reading
    package typealias Outcome = TimeForms.Outcome

    package private(set) var forms: TimeForms
    /// Day number of the first of each month from January 1900 to December 2199.
    private let monthStarts: [Int32]

    package static let bad = Int.min
    package static let years = TimeForms.years

    package init(patterns: [DatePattern]) { self.init(TimeForms(patterns)) }

    package init(_ forms: TimeForms) {
        self.forms = forms
        monthStarts = Self.monthStartsOfAll
    }

    /// Worked out once: every worker of every export has ten readers, and a run may have thousands of exports.
    private static let monthStartsOfAll: [Int32] = (0...3600).map {
        CivilDay.days(year: 1900 + $0 / 12, month: $0 % 12 + 1, day: 1)
    }

    /// `yyyy-MM-dd HH:mm:ss` (or with `T`) of exactly 19 bytes; `bad` for any other form.
    ///
    /// - Precondition: 24 bytes can be read at `p`.
    @inline(__always)
    package func plain(_ p: UnsafePointer<UInt8>) -> Int {
        let seconds = Self.plainTime(p)
        let midnight = plainDate(Self.yearAndMonth(p), Self.dayDigits(p))
        return seconds == Self.bad || midnight == Self.bad ? Self.bad : midnight &+ seconds
    }

    /// `yyyy-MM-` as a word.
    @inline(__always)
    static func yearAndMonth(_ p: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
    }

    /// The two digits of the day after it.
    @inline(__always)
    static func dayDigits(_ p: UnsafePointer<UInt8>) -> UInt16 {
        UInt16(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    }

    /// Seconds since 1970 of the midnight that a day starts with; `bad` if it is none.
    func plainDate(_ yearAndMonth: UInt64, _ dayDigits: UInt16) -> Int {
        // Digits become 0...9 and punctuation 0 under xor with the form; adding 0x76 to a digit (0x7F to punctuation)
        // then sets a byte's top bit exactly where it is not what it should be.
        let month = yearAndMonth ^ 0x2D30_302D_3030_3030
        let day = UInt64(dayDigits) ^ 0x3030
        let wrong =
            (month | (month &+ 0x7F76_767F_7676_7676)) & 0x8080_8080_8080_8080 | (day | (day &+ 0x7676)) & 0x8080
        if wrong != 0 { return Self.bad }
        // Byte i of x * 10 + (x >> 8) is the two-digit number at i.
        let months = month &* 10 &+ (month >> 8)
        let year = Int(months & 0xFF) &* 100 &+ Int((months >> 16) & 0xFF)
        let monthOfYear = Int((months >> 40) & 0xFF)
        let dayOfMonth = Int((day &* 10 &+ (day >> 8)) & 0xFF)
        guard year > 1900, year < 2199, monthOfYear >= 1, monthOfYear <= 12, dayOfMonth >= 1 else { return Self.bad }
        let index = (year &- 1900) &* 12 &+ monthOfYear &- 1
        let first = Int(monthStarts[index])
        if first &+ dayOfMonth > Int(monthStarts[index &+ 1]) { return Self.bad }
        let found = first &+ dayOfMonth &- 1
        // The slow readers decide on days that may be placeholders.
        if PlaceholderDates.epochDays ~= found || found == PlaceholderDates.millennium
            || found == PlaceholderDates.lastSmallDate
        {
            return Self.bad
        }
        return found &* 86_400
    }

    /// Seconds since midnight of ` HH:mm:ss` (or with `T`) after a day of ten bytes; `bad` for any other form.
    @inline(__always)
    static func plainTime(_ p: UnsafePointer<UInt8>) -> Int {
        // As for dates: digits are 0...9 and punctuation 0 under xor with the form.
        let time =
            UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: 11, as: UInt64.self))
            ^ 0x3030_3A30_303A_3030
        let isForm = (time | (time &+ 0x7676_7F76_767F_7676)) & 0x8080_8080_8080_8080 == 0
        // Hours in byte 0, minutes in byte 3, seconds in byte 6. Adding what is missing to 128 shows a number beyond its
        // limit in its top bit.
        let numbers = (time &* 10 &+ (time >> 8)) & 0x00FF_0000_FF00_00FF
        let isWithin = (numbers &+ 0x0044_0000_4400_0068) & 0x0080_0000_8000_0080 == 0
        let divider = p[10]
        guard isForm, isWithin, divider == 0x20 || divider == 0x54 else { return bad }
        // Bits 24...47 of the product are hours * 60 + minutes.
        let minutes = ((numbers &* (60 << 24 | 1)) >> 24) & 0xFF_FFFF
        return Int(truncatingIfNeeded: minutes &* 60 &+ numbers >> 48)
    }

    /// The time of any form that is understood; nil for another form, and for a placeholder.
    package func read(_ text: ArraySlice<UInt8>) -> Reading? {
        if case .time(let time) = reading(text) { time } else { nil }
    }

    /// What a value is, in any form that is understood.
    package func reading(_ text: ArraySlice<UInt8>) -> Outcome { forms.reading(text.span) }

    /// As `reading`; the form that fitted last is tried first.
    package mutating func nextReading(_ text: Span<UInt8>) -> Outcome { forms.nextReading(text) }
}

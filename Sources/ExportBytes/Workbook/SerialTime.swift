/// A spreadsheet's date and time: days since the end of 1899, or since the beginning of 1904.
enum SerialTime {
    private static let secondsPerDay = 86_400
    /// 1899-12-30, in days since 1970: from serial 61 on, which is 1 March 1900, days count from here.
    private static let epoch1900 = -25_569
    private static let epoch1904 = -24_107

    /// Appends ISO 8601, such as `2025-01-31 13:05:00`; only the day, or only the time of day, where the format asks for it and the
    /// number has no other part. The number is rounded to a second.
    ///
    /// - Returns: false, and nothing is appended, for a number that is no time: the number is then text.
    static func append(_ serial: Double, _ format: NumberFormat, is1904: Bool, to text: inout [UInt8]) -> Bool {
        // 9999-12-31 is 2,958,465.
        guard serial.isFinite, serial >= 0, serial < 2_958_466 else { return false }
        let total = Int((serial * Double(secondsPerDay)).rounded())
        let days = total / secondsPerDay, seconds = total % secondsPerDay
        if format == .elapsed {
            appendClock(hours: total / 3600, seconds: total % 3600, to: &text)
            return true
        }
        if format == .time, days == 0 {
            appendClock(hours: seconds / 3600, seconds: seconds % 3600, to: &text)
            return true
        }
        // Serial 60 is 29 February 1900, a day that there was not.
        guard is1904 || days != 60, is1904 || days > 0 else { return false }
        let since1970 = days + (is1904 ? epoch1904 : epoch1900) + (!is1904 && days < 60 ? 1 : 0)
        appendDay(since1970, to: &text)
        if format != .date || seconds != 0 {
            text.append(UInt8(ascii: " "))
            appendClock(hours: seconds / 3600, seconds: seconds % 3600, to: &text)
        }
        return true
    }

    /// - Parameter seconds: of the hour.
    private static func appendClock(hours: Int, seconds: Int, to text: inout [UInt8]) {
        append(hours, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(seconds / 60, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        append(seconds % 60, digits: 2, to: &text)
    }

    /// - Parameter day: since 1970-01-01, in the Gregorian calendar.
    private static func appendDay(_ day: Int, to text: inout [UInt8]) {
        // Of 400 years, counted from 1 March 0000. Hinnant, “chrono-Compatible Low-Level Date Algorithms”.
        let shifted = day + 719_468
        let era = shifted / 146_097, dayOfEra = shifted % 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        append(year + era * 400 + (month >= 10 ? 1 : 0), digits: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(month < 10 ? month + 3 : month - 9, digits: 2, to: &text)
        text.append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * month + 2) / 5 + 1, digits: 2, to: &text)
    }

    /// With zeros before it.
    private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
        let first = text.count
        var rest = number
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while text.count - first < digits { text.append(UInt8(ascii: "0")) }
        text[first...].reverse()
    }
}

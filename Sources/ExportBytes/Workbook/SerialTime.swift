import Basics

/// A spreadsheet's date and time: days since the end of 1899, or since the beginning of 1904.
enum SerialTime {
    private static let secondsPerDay = 86_400
    private static let mostElapsedDays = 10_000
    /// 9999-12-31, counted from the end of 1899.
    private static let lastDay = 2_958_465
    /// 1899-12-30, in days since 1970: from serial 61 on, which is 1 March 1900, days count from here.
    private static let epoch1900 = -25_569
    private static let epoch1904 = -24_107

    /// Appends ISO 8601, such as `2025-01-31 13:05:00`; only the day, or only the time of day, where the format asks for it and the
    /// number has no other part. The number is rounded to a second of its day.
    ///
    /// - Parameter number: such as `45658.5`.
    /// - Returns: false, and nothing is appended, for a number that is no time.
    static func append(
        _ number: UnsafeBufferPointer<UInt8>, _ format: NumberFormat, is1904: Bool, to text: inout CSVBuffer
    ) -> Bool {
        guard let total = seconds(number), total / secondsPerDay <= lastDay else { return false }
        let days = total / secondsPerDay, ofDay = total % secondsPerDay
        // So many hours would be a date that is shown as hours.
        if format == .elapsed, days < mostElapsedDays {
            appendClock(total, to: &text)
            return true
        }
        let isOfDay = format == .time || format == .hoursAndMinutes
        // A time of day of a database has its first day with it.
        if isOfDay && days <= 2 || format == .dateAndTime && days == 0 {
            appendClock(ofDay, hasSeconds: format != .hoursAndMinutes || ofDay % 60 != 0, to: &text)
            return true
        }
        // Serial 60 is 29 February 1900, a day that there was not.
        guard is1904 || days != 60 && days > 0 else { return false }
        let since1970 = days + (is1904 ? epoch1904 : epoch1900) + (!is1904 && days < 60 ? 1 : 0)
        appendDay(since1970, to: &text)
        if format != .date || ofDay != 0 {
            text.append(UInt8(ascii: " "))
            appendClock(ofDay, to: &text)
        }
        return true
    }

    /// Seconds of a number of days, rounded half up; nil for what is negative or no number.
    private static func seconds(_ number: UnsafeBufferPointer<UInt8>) -> Int? {
        // As digits: 13 behind the point are less than a ten-millionth of a second.
        var days = 0, part: UInt64 = 0, scale: UInt64 = 1, isPart = false
        for byte in number {
            let digit = byte &- UInt8(ascii: "0")
            if digit <= 9 {
                if !isPart {
                    guard days <= lastDay else { return nil }
                    days = days * 10 + Int(digit)
                } else if scale < 10_000_000_000_000 {
                    part = part * 10 + UInt64(digit)
                    scale *= 10
                }
            } else if byte == UInt8(ascii: "."), !isPart {
                isPart = true
            } else {
                return exponential(number)
            }
        }
        guard !number.isEmpty else { return nil }
        let ofDay = Int((part * UInt64(secondsPerDay) * 2 + scale) / (scale * 2))
        // A time shortly before midnight stays in its day; what is within a millisecond of midnight is midnight.
        let isBeforeMidnight = ofDay == secondsPerDay && (scale - part) * UInt64(secondsPerDay) * 1000 > scale
        return days * secondsPerDay + ofDay - (isBeforeMidnight ? 1 : 0)
    }

    /// `4.5658E4`
    private static func exponential(_ number: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let days = Double(String(decoding: number, as: UTF8.self)), days >= 0, days <= Double(lastDay + 1) else {
            return nil
        }
        return Int((days * Double(secondsPerDay)).rounded())
    }

    private static func appendClock(_ seconds: Int, hasSeconds: Bool = true, to text: inout CSVBuffer) {
        text.append(seconds / 3600, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(seconds / 60 % 60, digits: 2)
        guard hasSeconds else { return }
        text.append(UInt8(ascii: ":"))
        text.append(seconds % 60, digits: 2)
    }

    /// - Parameter day: since 1970-01-01.
    private static func appendDay(_ day: Int, to text: inout CSVBuffer) {
        let (year, month, day) = CivilDay(daysSince1970: Int32(day)).components
        text.append(year, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(month, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(day, digits: 2)
    }
}

/// A month of the calendar, for counting months and naming fiscal years.
struct CalendarMonth: Hashable, Comparable {
    /// Months since January of the year 0.
    let ordinal: Int

    /// - Parameter text: `YYYY-MM`.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[4] == UInt8(ascii: "-"), let year = Self.number(bytes[0..<4]),
            let month = Self.number(bytes[5..<7]), (1...12).contains(month)
        else { return nil }
        ordinal = year * 12 + month - 1
    }

    init(ordinal: Int) { self.ordinal = ordinal }

    /// `YYYY-MM`.
    var name: String {
        let year = String(ordinal / 12)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + (month < 10 ? "-0" : "-") + String(month)
    }

    /// January is 1.
    var month: Int { ordinal % 12 + 1 }

    /// The federal fiscal year, which October begins.
    var fiscalYear: Int { ordinal / 12 + (month >= 10 ? 1 : 0) }

    /// October of the fiscal year.
    var firstOfFiscalYear: CalendarMonth { CalendarMonth(ordinal: ordinal - (month + 2) % 12) }

    func advanced(by months: Int) -> CalendarMonth { CalendarMonth(ordinal: ordinal + months) }

    static func < (left: Self, right: Self) -> Bool { left.ordinal < right.ordinal }

    /// Days since 1970-01-01 of a date `YYYY-MM-DD`; nil if there is no such day.
    static func dayNumber(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[7] == UInt8(ascii: "-"), let month = CalendarMonth(String(text.prefix(7))),
            let day = number(bytes[8..<10]), day >= 1, day <= month.days
        else { return nil }
        return month.daysBefore + day - 1
    }

    private var days: Int { advanced(by: 1).daysBefore - daysBefore }

    /// Days from 1970-01-01 to the first of the month.
    private var daysBefore: Int {
        let year = ordinal / 12
        let leapDays = { (year: Int) in year / 4 - year / 100 + year / 400 }
        let beforeYear = (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969)
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return beforeYear + lengths.prefix(month - 1).reduce(0, +)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

/// Division of whole numbers with halves rounded away from zero, as every published quotient is rounded.
enum RoundedQuotient {
    /// `dividend * scale / divisor`; nil over zero, and where the product does not fit.
    static func of(_ dividend: Int, times scale: Int = 1, by divisor: Int) -> Int? {
        let (product, overflow) = dividend.multipliedReportingOverflow(by: scale)
        guard divisor != 0, !overflow, product != .min, divisor != .min else { return nil }
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
        // Twice the rest could overflow; the rest against what is missing cannot.
        let isRoundedUp = rest.magnitude >= divisor.magnitude - rest.magnitude
        guard isRoundedUp else { return quotient }
        return (product < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
    }
}

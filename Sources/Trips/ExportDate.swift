package import Basics

/// The day in the name of an export, as in `trips_2026-03-01.csv.gz`: when the export says it was made.
package struct ExportDate: Sendable, Hashable {
    package var day: CivilDay

    private static let years = 1990...2099

    /// Nil unless the last component of the path holds exactly one date, be it repeated.
    ///
    /// Without a day, exactly one month means its last day: `2026-03`, `2026_03`, `2026.03` or `202603`.
    ///
    /// A date is `2026-03-01`, `20260301`, `2026_03_01` or `2026.03.01`, with no further digit beside it. A time may
    /// follow. What the calendar does not have is none.
    package init?(name: String) {
        var rest = Array(name.utf8)[...]
        if let slash = rest.lastIndex(of: UInt8(ascii: "/")) { rest = rest[(slash + 1)...] }
        var days: Set<CivilDay> = [], lastDays: Set<CivilDay> = []
        while let start = rest.firstIndex(where: Self.isDigit) {
            rest = rest[start...]
            guard let (found, length) = Self.date(at: rest) else {
                if let (last, length) = Self.month(at: rest) {
                    lastDays.insert(last)
                    rest = rest.dropFirst(length)
                    continue
                }
                rest = rest.drop(while: Self.isDigit)
                continue
            }
            days.insert(found)
            rest = rest.dropFirst(length)
            // The digits of a time are skipped: 20:15:03.12 is no day of 2015.
            if let mark = rest.first, mark | 0x20 == UInt8(ascii: "t") {
                rest = rest.dropFirst().drop(while: Self.isDigit)
            }
        }
        if days.isEmpty { days = lastDays }
        guard days.count == 1, let day = days.first else { return nil }
        self.day = day
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The date that a run of digits begins, and how many bytes it is long.
    private static func date(at text: ArraySlice<UInt8>) -> (day: CivilDay, length: Int)? {
        let run = text.prefix(while: isDigit)
        if run.count == 8 {
            return day(run.prefix(4), run.dropFirst(4).prefix(2), run.suffix(2)).map { ($0, 8) }
        }
        let text = text.prefix(11)
        guard run.count == 4, let separator = text.dropFirst(4).first, "-_.".utf8.contains(separator) else {
            return nil
        }
        let parts = text.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].count == 2, parts[1].allSatisfy(isDigit),
            parts[2].prefix(while: isDigit).count == 2
        else { return nil }
        return day(parts[0], parts[1], parts[2].prefix(2)).map { ($0, 10) }
    }

    /// The last day of the month that a run of digits begins, and how many bytes it is long.
    private static func month(at text: ArraySlice<UInt8>) -> (last: CivilDay, length: Int)? {
        let run = text.prefix(while: isDigit)
        var month = run.suffix(2), length = 6
        if run.count == 4 {
            let rest = text.dropFirst(4)
            guard let separator = rest.first, "-_.".utf8.contains(separator) else { return nil }
            month = rest.dropFirst().prefix(while: isDigit)
            length = 7
            // A day follows that is none, or is written otherwise.
            let after = rest.dropFirst(3)
            if let mark = after.first, "-_.".utf8.contains(mark), after.dropFirst().first.map(isDigit) == true {
                return nil
            }
        } else if run.count != 6 {
            return nil
        }
        guard month.count == 2 else { return nil }
        let number = number(month)
        let days = (28...31).reversed().lazy.compactMap { last -> CivilDay? in
            let year = Self.number(run.prefix(4))
            return years.contains(year) ? CivilDay(year: year, month: number, day: last) : nil
        }
        return days.first.map { ($0, length) }
    }

    private static func day(
        _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>
    ) -> CivilDay? {
        let year = number(year)
        return years.contains(year) ? CivilDay(year: year, month: number(month), day: number(day)) : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
}

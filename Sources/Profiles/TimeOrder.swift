import Basics

/// In which order the columns of times nearly always come, by their values.
struct TimeOrder {
    /// By column index: the time of each row in seconds, or nil.
    private let seconds: [Int: [Int?]]

    /// Columns without a time of day are left out.
    init(_ columns: [(index: Int, dates: DateDetection.Finding)], rows: [[String]]) {
        var seconds: [Int: [Int?]] = [:]
        for (index, dates) in columns where dates.hasTime {
            seconds[index] = rows.map { $0.indices.contains(index) ? dates.seconds($0[index]) : nil }
        }
        self.seconds = seconds
    }

    /// Whether, in at least 95 of 100 rows that have both, the first time is not later than the second. Nil if fewer than
    /// five rows have both.
    func isNearlyAlwaysIncreasing(from first: Int, to second: Int) -> Bool? {
        guard let firsts = seconds[first], let seconds = seconds[second] else { return nil }
        var both = 0, increasing = 0
        for case (let start?, let end?) in zip(firsts, seconds) {
            both += 1
            if start <= end { increasing += 1 }
        }
        return both < 5 ? nil : increasing * 100 >= both * 95
    }

    /// Whether the times of a column are nearly always those of another or later, and often later.
    func comes(_ column: Int, after other: Int) -> Bool {
        isNearlyAlwaysIncreasing(from: other, to: column) == true
            && isNearlyAlwaysIncreasing(from: column, to: other) == false
    }
}

extension DateDetection.Finding {
    /// A text as seconds since 1970, in the clock it is written in; nil if it is not written so. Where day and month are in
    /// doubt the month is taken to be first: order within a day is the same.
    func seconds(_ text: String) -> Int? {
        switch self {
        case .none: return nil
        case .iso:
            guard let date = DateDetection.iso(text), let second = date.secondOfDay else { return nil }
            return Int(date.day.daysSince1970) * 86_400 + second
        case .pattern(let pattern), .ambiguous(let pattern, _):
            guard let parts = pattern.read(text), let second = parts.secondOfDay else { return nil }
            return Int(CivilDay.days(year: parts.year, month: parts.month, day: parts.day)) * 86_400 + second
        }
    }
}

/// In which order the columns of times nearly always come, by their values.
struct TimeOrder {
    /// By column index: the time of each row in seconds, or nil.
    private let seconds: [Int: [Int?]]

    /// Columns without a time of day are left out.
    init(_ columns: [(index: Int, dates: DateFinding)], rows: [[String]]) {
        var seconds: [Int: [Int?]] = [:]
        for (index, dates) in columns where dates.isTime {
            // Where day and month are in doubt the month is taken to be first: order within a day is the same.
            let forms = dates.forms()
            seconds[index] = rows.map { row in
                guard row.indices.contains(index), case .time(let time) = forms.reading(row[index]), time.hasTime else {
                    return nil
                }
                return time.localSeconds
            }
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

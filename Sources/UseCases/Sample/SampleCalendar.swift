import Basics

/// Distributes the trips of a sample over days and over the seconds of a day.
struct SampleCalendar {
    let firstDay: Int
    /// Weight of all days up to and including each day.
    private var cumulative: [Int] = []
    /// Sixty-four equally likely hours of the day.
    private let emergencyHours: [Int]
    private let routineHours: [Int]

    /// Trips per day in percent of the mean, January to December: more in winter, a small summer peak.
    private static let monthWeights = [112, 108, 103, 97, 95, 96, 100, 99, 94, 96, 99, 106]
    /// Thursday first, as 1970-01-01 was one.
    private static let weekdayWeights = [106, 105, 84, 78, 109, 108, 107]

    init(plan: SampleOptions) {
        let first = plan.firstMonth, end = plan.firstMonth.advanced(by: plan.months)
        firstDay = Int(CivilDay.days(year: first.year, month: first.month, day: 1))
        let lastDay = Int(CivilDay.days(year: end.year, month: end.month, day: 1)) - 1
        var total = 0
        for day in firstDay...lastDay {
            let month = CivilDay(daysSince1970: Int32(day)).month
            // Growth of three in a thousand a month.
            let growth = 1000 + 3 * Int(month.index - first.index)
            total += Self.monthWeights[month.month - 1] * Self.weekdayWeights[day % 7] * growth / 1000
            cumulative.append(total)
        }
        emergencyHours = Self.hours([
            2, 2, 2, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 3, 3, 3, 2, 2,
        ])
        routineHours = Self.hours([0, 0, 0, 1, 2, 3, 5, 7, 8, 8, 6, 5, 4, 4, 3, 3, 2, 1, 1, 1, 0, 0, 0, 0])
    }

    private static func hours(_ weights: [Int]) -> [Int] {
        let hours = weights.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element) }
        return (0..<64).map { hours[$0 * hours.count / 64] }
    }

    /// The day of the record with this number; days ascend with the number.
    func day(of index: Int, rows: Int) -> Int {
        let total = cumulative[cumulative.count - 1]
        let target = Int(Double(index) / Double(rows) * Double(total))
        var low = 0, high = cumulative.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] > target { high = middle } else { low = middle + 1 }
        }
        return firstDay + low
    }

    func secondOfDay(isEmergency: Bool, _ random: inout SampleRandom) -> Int {
        let hour = isEmergency ? emergencyHours[random.below(64)] : routineHours[random.below(64)]
        return hour * 3600 + random.below(3600)
    }
}

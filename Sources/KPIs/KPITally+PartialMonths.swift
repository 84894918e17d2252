package import Basics

/// Months that lack days: their export began after their beginning or ended before their end, so a part of a month would be
/// compared with whole ones.
extension KPITally {
    /// So many days without any trip are no weekend and no holiday.
    private static let fewestDays = 5
    /// So many trips would be there by chance alone in 999 of 1,000 cases.
    private static let fewestTrips = 7

    /// Months of which the first or the last five days or more have no trip, though by the days between seven trips or more
    /// would be there; ascending.
    ///
    /// A month that is under way lacks its last days, too.
    package var monthsLackingDays: [Month] {
        var days: [Month: (first: Int32, last: Int32, trips: Int)] = [:]
        for (day, trips) in tripsByDay() {
            var month = days[day.month] ?? (day.daysSince1970, day.daysSince1970, 0)
            month.last = day.daysSince1970
            month.trips += trips
            days[day.month] = month
        }
        return days.filter { month, found in
            let first = CivilDay.days(year: month.year, month: month.month, day: 1)
            let next = month.advanced(by: 1)
            let end = CivilDay.days(year: next.year, month: next.month, day: 1)
            let known = Int(found.last - found.first) + 1
            return [Int(found.first - first), Int(end - found.last) - 1].contains { empty in
                empty >= Self.fewestDays && found.trips * empty >= Self.fewestTrips * known
            }
        }.keys.sorted()
    }
}

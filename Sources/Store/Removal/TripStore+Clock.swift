import Basics
import GRDB
import Trips

extension TripStore {
    /// The day of the last run whose clock was believed where trips leave by their age, since 1970; nil: there was none.
    package func clockDay() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT clock_day FROM retention") }
    }

    /// Whether a trip that counts is of one of these days, since 1970.
    package func hasTrip(on days: ClosedRange<Int32>) throws -> Bool {
        let months = [days.lowerBound, days.upperBound].map { CivilDay(daysSince1970: $0).month.index }
        return try read { db in
            try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM trips WHERE month BETWEEN ? AND ? AND day BETWEEN ? AND ?)",
                arguments: [months[0], months[1], days.lowerBound, days.upperBound]) ?? false
        }
    }

    package func remember(clockDay day: Int) throws {
        guard try clockDay() != day else { return }
        try write { try $0.execute(sql: "UPDATE retention SET clock_day = ?", arguments: [day]) }
    }
}

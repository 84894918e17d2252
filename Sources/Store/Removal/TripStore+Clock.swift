import GRDB

extension TripStore {
    /// The day of the last run whose clock was believed where trips leave by their age, since 1970; nil: there was none.
    package func clockDay() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT clock_day FROM retention") }
    }

    package func remember(clockDay day: Int) throws {
        guard try clockDay() != day else { return }
        try write { try $0.execute(sql: "UPDATE retention SET clock_day = ?", arguments: [day]) }
    }
}

import Trips

/// `yyyy-MM-dd HH:mm:ss` for the days of a sample, from a table made once.
struct CalendarText {
    private let firstDay: Int
    private let dayCount: Int
    /// Ten bytes a day.
    private let days: [UInt8]

    init(firstDay: Int, dayCount: Int) {
        self.firstDay = firstDay
        self.dayCount = dayCount
        days = (firstDay..<firstDay + dayCount).flatMap { Array(CivilDay(daysSince1970: Int32($0)).description.utf8) }
    }

    @inline(__always)
    func append(day: Int, to buffer: inout SampleBytes) {
        let place = (day - firstDay) * 10
        guard day >= firstDay, day - firstDay < dayCount else {
            buffer.append(CivilDay(daysSince1970: Int32(truncatingIfNeeded: day)).description)
            return
        }
        buffer.append(days[place..<place + 10])
    }

    @inline(__always)
    func append(seconds: Int, to buffer: inout SampleBytes) {
        let day = seconds / 86_400, second = seconds % 86_400
        append(day: day, to: &buffer)
        buffer.append(0x20)
        buffer.append(twoDigits: second / 3600)
        buffer.append(0x3A)
        buffer.append(twoDigits: second / 60 % 60)
        buffer.append(0x3A)
        buffer.append(twoDigits: second % 60)
    }
}

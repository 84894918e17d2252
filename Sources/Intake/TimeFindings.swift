/// How times were read that can be read in several ways.
struct TimeFindings: Sendable {
    /// Times of 24:00 that mean the midnight which begins their day.
    var beginningMidnights = 0
    /// Times of day with their date in another column, and those of them that are of the day after it, or after that of the event
    /// before them.
    var clocks = 0
    var nextDays = 0
    /// Intervals between a time that states its offset and one that does not, without a zone.
    var mixedIntervals = 0
    /// Dates of trips that are times of UTC, without a zone.
    var datesOfUTC = 0

    mutating func merge(_ other: TimeFindings) {
        beginningMidnights += other.beginningMidnights
        clocks += other.clocks
        nextDays += other.nextDays
        mixedIntervals += other.mixedIntervals
        datesOfUTC += other.datesOfUTC
    }

    /// What must be said though the export is read: a sentence each.
    var remarks: [String] {
        var remarks: [String] = []
        if beginningMidnights > 0 {
            let times = beginningMidnights == 1 ? "1 time of 24:00 is" : "\(beginningMidnights) times of 24:00 are"
            remarks.append(
                "\(times) read as the midnight that begins the day: only that fits the other times of the trip")
        }
        if nextDays > 0 {
            remarks.append(
                "\(nextDays) of \(clocks) times of day are read as times of the next day: they are before the event before them"
            )
        }
        let zone = "state the zone in the profile, such as “dates: {zone: America/New_York}”"
        if mixedIntervals > 0 {
            remarks.append(
                "\(mixedIntervals) intervals are excluded, since one of their times has an offset and the other has none: \(zone)"
            )
        }
        if datesOfUTC > 0 {
            remarks.append("\(datesOfUTC) dates are times of UTC and count as days of UTC: \(zone)")
        }
        return remarks
    }
}

internal import Trips

/// A column that states an interval by its name and values.
struct StatedIntervalSuggestion: Sendable {
    let interval: TripInterval
    /// From 0.
    let column: Int
    let unit: StatedInterval.Unit

    /// Columns whose names are those of intervals and whose values are lengths of time, not times.
    ///
    /// - Parameter mayPrint: whether the name of a column may be shown: of another one it says nothing.
    static func all(
        _ header: [String], _ cells: [[String]], rows: [[String]], dates: [DateFinding], mayPrint: (Int) -> Bool
    ) -> [StatedIntervalSuggestion] {
        header.indices.compactMap { index in
            let words = Set(HeaderName(header[index]).words)
            guard mayPrint(index), dates[index].kind != .times || dates[index].areNumbers,
                dates[index].kind != .dates, let interval = interval(words),
                let unit = unit(words, interval, cells[index]),
                dates[index].kind != .clocks || !areTimesOfDay(index, rows: rows, dates: dates)
            else { return nil }
            return StatedIntervalSuggestion(interval: interval, column: index, unit: unit)
        }
    }

    /// The first for each interval that the proposed times do not give.
    static func needed(
        _ all: [StatedIntervalSuggestion], beside columns: [ProfileSuggestion.Column]
    ) -> [StatedIntervalSuggestion] {
        let proposed = Set(columns.filter(\.isProposed).compactMap(\.field))
        var found: [StatedIntervalSuggestion] = []
        for one in all where !found.contains(where: { $0.interval == one.interval }) {
            let pair = one.interval.standardPair
            if proposed.contains(pair.start.field), proposed.contains(pair.end.field) { continue }
            found.append(one)
        }
        return found
    }

    private static let longestAfterSeconds = 4 * 3600

    /// Whether the values, taken as times of day, come soon after the times of another column in most records: lengths of time do
    /// so by chance only.
    private static func areTimesOfDay(_ column: Int, rows: [[String]], dates: [DateFinding]) -> Bool {
        func seconds(_ index: Int) -> [Int?] {
            let forms = dates[index].forms()
            return rows.map { row in
                guard row.indices.contains(index) else { return nil }
                switch forms.reading(row[index]) {
                case .time(let time), .clock(let time):
                    return time.hasTime ? time.localSeconds - time.localSeconds.dividedDown(by: 86_400) * 86_400 : nil
                case .placeholder, .bad: return nil
                }
            }
        }
        let own = seconds(column)
        return dates.indices.contains { other in
            guard other != column, dates[other].kind == .clocks || dates[other].hasTime else { return false }
            var both = 0, soon = 0
            for case (let own?, let before?) in zip(own, seconds(other)) {
                both += 1
                let after = own - before
                if (after < 0 ? after + 86_400 : after) <= longestAfterSeconds { soon += 1 }
            }
            return both > 0 && soon * 5 >= both * 4
        }
    }

    /// Of what is no interval of one trip.
    private static let otherWords: Set<String> = [
        "goal", "target", "est", "estimated", "estimate", "expected", "planned", "scheduled", "direct", "standard",
        "limit", "average", "avg", "median", "mode", "level", "score", "priority", "type",
        "code",
        "class", "category", "zone", "area", "plan", "status", "reason", "number", "count", "id", "unit", "units",
        "name",
        "cost", "charge", "rate", "miles", "mileage", "distance",
    ]

    /// `On Scene Time` is when a unit came there.
    private static let notOfScene: Set<String> = [
        "to", "travel", "on", "at", "arrived", "arrive", "arrival", "left", "leave", "leaving", "depart", "departed",
        "clear", "cleared",
        "from",
    ]

    private static let lengthWords: Set<String> = [
        "interval", "duration", "elapsed", "time", "clock", "mmss", "hhmmss", "seconds", "second", "secs", "sec",
        "minutes",
        "minute", "mins", "min", "hours", "hour", "hrs", "ms", "milliseconds",
    ]

    /// The interval that a column states by its name; nil: its name does not say so.
    static func interval(named name: String) -> TripInterval? {
        let words = Set(HeaderName(name).words)
        return words.isDisjoint(with: lengthWords) ? nil : interval(words)
    }

    private static func interval(_ words: Set<String>) -> TripInterval? {
        if !words.isDisjoint(with: otherWords) { return nil }
        if words.contains("response") { return .response }
        if !words.isDisjoint(with: ["turnout", "chute"]) { return .turnout }
        if words.contains("turnaround") { return .turnaround }
        if words.contains("transport") { return .transport }
        if words.contains("scene"), words.isDisjoint(with: notOfScene) { return .scene }
        if !words.isDisjoint(with: ["duration", "task"]) { return .duration }
        return nil
    }

    private static let longestSeconds = 3 * 3600
    /// Numbers without a unit are minutes if most are smaller, and seconds if most are larger; between them nothing shows it.
    private static let mostMinutes = 90
    private static let fewestSeconds = 120

    /// By a word of the name for numbers, else by how large they are; for `8:30` by the values. Nil also if by the unit most intervals
    /// would be shorter or longer than those of trips.
    private static func unit(
        _ words: Set<String>, _ interval: TripInterval, _ values: [String]
    ) -> StatedInterval.Unit? {
        let values = values.filter { !DateDetection.isFiller($0) }
        func seconds(_ unit: StatedInterval.Unit) -> [Int] {
            let stated = StatedInterval(column: "", unit: unit)
            return values.compactMap { stated.seconds(Array($0.utf8).span) }
        }
        func read(_ unit: StatedInterval.Unit) -> Bool {
            let seconds = seconds(unit)
            // Times of day go far beyond any interval.
            let isClock = unit == .clock || unit == .hoursMinutes
            let fitting = isClock ? seconds.count { $0 <= longestSeconds } : seconds.count
            let least = interval == .turnout ? 0 : 60
            let plausible = seconds.count { $0 == 0 || least...(4 * 3600) ~= $0 }
            return !values.isEmpty && fitting * 20 >= values.count * 19 && plausible * 2 >= seconds.count
        }
        if !words.isDisjoint(with: ["seconds", "second", "secs", "sec", "s"]), read(.seconds) { return .seconds }
        if !words.isDisjoint(with: ["minutes", "minute", "mins", "min", "m"]), read(.minutes) { return .minutes }
        if !words.isDisjoint(with: ["hours", "hour", "hrs", "hr"]), read(.hours) { return .hours }
        if words.contains("hhmm") || words.isSuperset(of: ["hh", "mm"]) && !words.contains("ss") {
            return read(.hoursMinutes) ? .hoursMinutes : nil
        }
        let isInterval = !words.isDisjoint(with: ["interval", "duration", "elapsed", "time", "clock", "mmss", "hhmmss"])
        guard isInterval else { return nil }
        if read(.clock) { return .clock }
        if read(.hoursMinutes) { return .hoursMinutes }
        // As a spreadsheet stores them.
        if values.count(where: { $0.hasPrefix("0.") || $0.hasPrefix("0,") }) * 20 >= values.count * 19, read(.days) {
            return .days
        }
        let numbers = seconds(.seconds).sorted()
        guard numbers.count * 20 >= values.count * 19, let middle = numbers.dropFirst(numbers.count / 2).first else {
            return nil
        }
        if middle < mostMinutes, read(.minutes) { return .minutes }
        return middle > fewestSeconds && read(.seconds) ? .seconds : nil
    }
}

internal import Trips

/// A column that states an interval by its name and values.
struct StatedIntervalSuggestion: Sendable {
    let interval: TripInterval
    /// From 0.
    let column: Int
    let unit: StatedInterval.Unit

    /// One for each interval that the proposed times do not give.
    static func all(
        _ header: [String], _ cells: [[String]], _ columns: [ProfileSuggestion.Column]
    ) -> [StatedIntervalSuggestion] {
        let proposed = Set(columns.filter(\.isProposed).compactMap(\.field))
        var found: [StatedIntervalSuggestion] = []
        for index in header.indices where !columns[index].isProposed && columns[index].name != nil {
            let words = Set(HeaderName(header[index]).words)
            guard let interval = interval(words), !found.contains(where: { $0.interval == interval }),
                !(proposed.contains(interval.standardPair.start.field)
                    && proposed.contains(interval.standardPair.end.field)),
                let unit = unit(words, interval, cells[index])
            else { continue }
            found.append(StatedIntervalSuggestion(interval: interval, column: index, unit: unit))
        }
        return found
    }

    /// Of what is no interval of one trip.
    private static let otherWords: Set<String> = [
        "goal", "target", "standard", "limit", "average", "avg", "median", "mode", "level", "score", "priority", "type",
        "code",
        "class", "category", "zone", "area", "plan", "status", "reason", "number", "count", "id", "unit", "units",
        "name",
        "cost", "charge", "rate", "miles", "mileage", "distance",
    ]

    private static func interval(_ words: Set<String>) -> TripInterval? {
        if !words.isDisjoint(with: otherWords) { return nil }
        if words.contains("response") { return .response }
        if !words.isDisjoint(with: ["turnout", "chute"]) { return .turnout }
        if words.contains("turnaround") { return .turnaround }
        if words.contains("transport") { return .transport }
        if words.contains("scene"), words.isDisjoint(with: ["to", "travel"]) { return .scene }
        if !words.isDisjoint(with: ["duration", "task"]) { return .duration }
        return nil
    }

    private static let longestSeconds = 3 * 3600

    /// By a word of the name for numbers; for `8:30` by the values. Nil also if by the unit most intervals would be shorter or longer
    /// than those of trips.
    private static func unit(
        _ words: Set<String>, _ interval: TripInterval, _ values: [String]
    ) -> StatedInterval.Unit? {
        let values = values.filter { !DateDetection.isFiller($0) }
        func read(_ unit: StatedInterval.Unit) -> Bool {
            let stated = StatedInterval(column: "", unit: unit)
            let seconds = values.compactMap { stated.seconds(Array($0.utf8).span) }
            // Times of day go far beyond any interval, and `00:08` may be hours and minutes.
            let fitting = unit == .clock ? seconds.count { $0 <= longestSeconds } : seconds.count
            let least = interval == .turnout ? 0 : 60
            let plausible = seconds.count { $0 == 0 || least...(4 * 3600) ~= $0 }
            return !values.isEmpty && fitting * 20 >= values.count * 19 && plausible * 2 >= seconds.count
        }
        if !words.isDisjoint(with: ["seconds", "second", "secs", "sec", "s"]), read(.seconds) { return .seconds }
        if !words.isDisjoint(with: ["minutes", "minute", "mins", "min", "m"]), read(.minutes) { return .minutes }
        if words.contains("hhmm") || words.isSuperset(of: ["hh", "mm"]) && !words.contains("ss") { return nil }
        let isInterval = !words.isDisjoint(with: ["interval", "duration", "elapsed", "time", "clock", "mmss", "hhmmss"])
        return isInterval && read(.clock) ? .clock : nil
    }
}

/// Durations for people, in at most two units.
enum DurationText {
    /// `40 s`, `12 min`, `3 h 5 min`, `2 d 3 h`.
    static func short(seconds: Int) -> String {
        let minutes = seconds / 60, hours = minutes / 60, days = hours / 24
        if minutes == 0 { return "\(seconds) s" }
        if hours == 0 { return "\(minutes) min" }
        if days == 0 { return pair(hours, "h", minutes % 60, "min") }
        return pair(days, "d", hours % 24, "h")
    }

    private static func pair(_ large: Int, _ unit: String, _ small: Int, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }
}

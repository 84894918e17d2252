/// Numbers as people read them. Machines read the contract's canonical text instead.
package enum NumberText {
    /// `2,612`.
    package static func grouped(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(value.magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }

    /// A count with its noun, whose plural ends in s: `1 export`, `2,112 exports`.
    package static func counted(_ count: Int, _ noun: String) -> String {
        "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// `$1,234.50`.
    package static func dollars(cents: Int) -> String {
        (cents < 0 ? "-$" : "$") + decimals(Int(clamping: cents.magnitude), 2)
    }

    /// `58:12`, or `1:02:10` from an hour on.
    package static func clock(seconds: Int) -> String {
        let tail = twoDigits(seconds % 60)
        if seconds < 3600 { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(tail)"
    }

    /// `58 min 12 s`, or `1 h 2 min 10 s`.
    package static func brief(seconds: Int) -> String {
        units(of: seconds).map { "\($0.count) \($0.short)" }.joined(separator: " ")
    }

    /// `58 minutes 12 seconds`, for a screen reader.
    package static func spoken(seconds: Int) -> String {
        units(of: seconds).map { "\($0.count) \($0.long)\($0.count == 1 ? "" : "s")" }.joined(separator: " ")
    }

    /// Tenths of a second to whole seconds, halves up.
    package static func seconds(tenths: Int) -> Int {
        let (quotient, rest) = tenths.quotientAndRemainder(dividingBy: 10)
        return quotient + (rest >= 5 ? 1 : rest <= -5 ? -1 : 0)
    }

    /// `1,234.5` for a count of units of `10^-places`.
    package static func decimals(_ units: Int, _ places: Int) -> String {
        let scale = (0..<places).reduce(1) { power, _ in power * 10 }
        let fraction = String(units.magnitude % UInt(scale))
        let padding = String(repeating: "0", count: places - fraction.count)
        return (units < 0 ? "-" : "") + grouped(Int(units.magnitude / UInt(scale))) + "." + padding + fraction
    }

    private static func twoDigits(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }

    private static func units(of seconds: Int) -> [(count: Int, short: String, long: String)] {
        let all = [
            (seconds / 3600, "h", "hour"), (seconds / 60 % 60, "min", "minute"), (seconds % 60, "s", "second"),
        ]
        let present = all.filter { $0.0 > 0 }
        return present.isEmpty ? [(0, "s", "second")] : present
    }
}

import TestSupport

/// Random patterns of dates and times as profiles write them, and random values that mostly fit one.
struct RandomTimePattern {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    /// Not every one is a pattern: digits may follow digits whose number is not known.
    mutating func pattern() -> String {
        if chance(8) { return time() }
        let separator = pick(["/", "-", ".", " ", "", ", ", "'of'"])
        var parts = [
            chance(3) ? "yy" : "yyyy", pick(["M", "MM", "MM", "MMM", "MMMM"]), pick(["d", "dd", "dd"]),
        ]
        parts.shuffle(using: &random)
        var text = (chance(6) ? pick(["EEE, ", "EEEE ", "E. "]) : "") + parts.joined(separator: separator)
        if !chance(3) { text += pick([" ", " ", "'T'", "  ", " 'at' ", "-", ""]) + time() }
        return text
    }

    private mutating func time() -> String {
        let isTwelve = chance(3)
        let colon = pick([":", ":", ":", "", "."])
        var text = (isTwelve ? pick(["h", "hh"]) : pick(["H", "HH"])) + colon + pick(["mm", "mm", "m"])
        if chance(2) {
            text += colon + pick(["ss", "ss", "s"])
            if chance(3) { text += pick([".SSS", ".S", ",SS"]) }
        }
        if isTwelve { text += pick([" a", "a", " a", "'/'a"]) }
        if chance(4) { text += pick([" z", "z", "xxx", " Z"]) }
        return text
    }

    /// A value of a pattern, perhaps with a slip.
    mutating func value(_ pattern: String) -> String {
        var text = ""
        for (letter, run) in PlainTimePattern.runs(of: pattern) {
            guard run > 0 || letter == " " else {
                text.append(letter)
                continue
            }
            switch letter {
            case "y": text += number(run == 2 ? 0...99 : chance(20) ? 0...9999 : 1895...2205, run)
            case "M" where run > 2: text += name(PlainTimePattern.months, least: 3)
            case "E": text += name(PlainTimePattern.weekdays, least: 2)
            case "M": text += number(chance(8) ? 0...14 : 1...12, run)
            case "d": text += number(chance(8) ? 0...33 : 1...28, run)
            case "H": text += number(chance(8) ? 0...26 : 0...23, run)
            case "h": text += number(chance(8) ? 0...24 : 1...12, run)
            case "m", "s": text += number(chance(8) ? 0...62 : 0...59, run)
            case "S": text += number(0...999_999_999, 1).prefix(Int.random(in: 1...9, using: &random))
            case "a":
                text += pick(["", " ", "\u{A0}"]) + pick(["AM", "PM", "am", "p.m.", "a. m.", "P", "a.", "Pm", "AMX"])
            case "z", "Z", "x":
                text += pick(["", " "])
                text += pick([
                    "UTC", "GMT", "Z", "EST", "EDT", "cst", "PDT", "XYZ", "+05:30", "-0500", "+14", "GMT+2",
                    "UTC-03:00",
                    "GMT-530", "-05:00 (Eastern Time)", "EST (", "+19:00", "EST+1",
                ])
            case " ": text += pick([" ", " ", " ", "  ", "\t", "\u{A0}", "\u{202F}"])
            default: break
            }
        }
        return chance(3) ? damaged(text) : text
    }

    private mutating func number(_ range: ClosedRange<Int>, _ width: Int) -> String {
        let digits = String(Int.random(in: range, using: &random))
        return String(repeating: "0", count: max(0, (chance(30) ? 1 : width) - digits.count)) + digits
    }

    private mutating func name(_ names: [String], least: Int) -> String {
        let name = pick(names)
        let length = Int.random(in: chance(20) ? 1...2 : least...name.count, using: &random)
        let beginning = String(name.prefix(length)) + (chance(15) ? "x" : "")
        return pick([beginning, beginning.uppercased(), beginning.prefix(1).uppercased() + beginning.dropFirst()])
            + (chance(6) ? "." : "")
    }

    private mutating func damaged(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { return text }
        let at = Int.random(in: 0..<scalars.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: scalars[at] = Array("0123456789/:. apmTZ+-,(".unicodeScalars).randomElement(using: &random) ?? "0"
        case 1: scalars.remove(at: at)
        case 2: scalars.insert(scalars[at], at: at)
        default: scalars.removeSubrange(at...)
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

import Basics
import Trips

/// Finds how the values of a column write times.
package enum DateDetection {
    /// Slips count as long as they are at most one value in twenty: values that are no date in any way of writing.
    private static let slipDivisor = 20
    private static let mostZones = 4
    /// Values that decide whether a column is looked at further: most columns hold no dates at all.
    private static let fewValues = 40

    /// Takes values that are not blank. Texts that stand for no value, such as `N/A`, do not count.
    static func finding(_ values: [String]) -> DateFinding {
        let values = values.filter { !isFiller($0) }
        guard !values.isEmpty else { return .none }
        if let numbers = numbers(values) { return numbers }
        guard mayBeTimes(values.prefix(fewValues)) else { return .none }
        return finding(values, names: .english) ?? inOtherLanguage(values) ?? .none
    }

    /// What is in doubt of one column is read in the order that other columns of the file with the same separator are proven to
    /// have. A person must check it.
    static func settled(_ findings: [DateFinding]) -> [DateFinding] {
        let proven = findings.flatMap(\.patterns)
        return findings.map { finding in
            var finding = finding
            finding.settle(by: proven, .otherColumns)
            return finding
        }
    }

    /// Whether a text means that there is no date: no letter or digit, no digit but 0 (`0000-00-00`), or words for "nothing".
    static func isFiller(_ text: String) -> Bool {
        guard text.utf8.count <= 24, let first = text.utf8.first, !(0x31...0x39).contains(first) else { return false }
        let marks = text.utf8.filter { !TextShape.isDigit($0) }
        if marks.count < text.utf8.count { return text.utf8.allSatisfy { $0 == 0x30 || fillerMarks.contains($0) } }
        let letters = marks.filter { (0x61...0x7A).contains($0 | 0x20) }
        guard letters.count < 12, marks.allSatisfy({ $0 < 0x80 }) else { return false }
        return letters.isEmpty || fillers.contains(String(decoding: letters, as: UTF8.self).lowercased())
    }

    private static let fillerMarks = Set("-/:. T".utf8)
    private static let fillers: Set<String> = ["na", "nan", "nil", "none", "null", "unk", "unknown", "tbd", "blank"]

    /// Whether a text is a time of ISO 8601 that states its offset.
    package static func hasOffset(_ text: String) -> Bool {
        if case .time(let time) = iso(text) { time.offsetSeconds != nil } else { false }
    }

    /// Whether a text is a date or a time of ISO 8601.
    package static func isISO(_ text: String) -> Bool { iso(text) != .bad }

    private static func iso(_ text: String, readsClocks: Bool = false) -> TimeForms.Outcome {
        ISOTime.reading(Array(text.trimmingBlanks().utf8).span, readsClocks: readsClocks)
    }

    // MARK: - Texts

    private static func mayBeTimes(_ values: ArraySlice<String>) -> Bool {
        let likely = values.count { value in
            let digits = TextShape.digitCount(value)
            return digits >= 3 && digits * 4 >= value.utf8.count && value.utf8.count <= 64
        }
        return likely * slipDivisor >= values.count * (slipDivisor - 1)
    }

    /// Nil: too many values are no time.
    private static func finding(_ values: [String], names: CalendarNames) -> DateFinding? {
        var groups: [[TimeTemplate.Element]: TimeTemplateGroup] = [:]
        var found = DateFinding()
        found.languages = names.languages
        var slips = 0, clocks = 0, dates = 0, isos = 0
        for value in values {
            switch iso(value, readsClocks: true) {
            case .time(let time):
                isos += 1
                if !time.hasTime { dates += 1 }
                continue
            case .clock:
                clocks += 1
                continue
            case .placeholder: continue
            case .bad: break
            }
            guard let template = TimeTemplate(value, names: names, zones: .standard) else {
                slips += 1
                continue
            }
            if let zone = template.unknownZone { found.unknownZones.insert(zone) }
            if !template.hasDate { clocks += 1 } else if !template.hasTime { dates += 1 }
            groups[template.elements, default: TimeTemplateGroup(template)].add(template, value)
        }
        guard slips * slipDivisor <= values.count, found.unknownZones.count <= mostZones else { return nil }
        found.hasISO = isos > 0
        // Of times of day ISO 8601 needs no pattern either.
        let areClocks = clocks * slipDivisor > values.count * (slipDivisor - 1)
        found.kind =
            areClocks ? .clocks : (dates + clocks) * slipDivisor > values.count ? .dates : .times
        if !areClocks, clocks * slipDivisor > values.count { return nil }
        slips += add(groups, to: &found, of: values.count, areClocks: areClocks)
        guard slips * slipDivisor <= values.count else {
            return found.isMixedOrder ? DateFinding(isMixedOrder: true) : nil
        }
        found.settle(by: found.patterns, .otherForm)
        return found
    }

    /// Adds the patterns of the groups, the largest first.
    ///
    /// - Returns: how many values none of them reads.
    private static func add(
        _ groups: [[TimeTemplate.Element]: TimeTemplateGroup], to found: inout DateFinding, of count: Int,
        areClocks: Bool
    ) -> Int {
        var slips = 0
        let sorted = groups.values.sorted { ($1.count, $0.values[0]) < ($0.count, $1.values[0]) }
        for group in sorted {
            let candidates = group.patterns
            guard let pattern = candidates.first, pattern.isClock == areClocks else {
                if !areClocks, group.isOfDate { found.isMixedOrder = true }
                slips += group.count
                continue
            }
            if candidates.count > 1 {
                found.doubts.append(DateFinding.Doubt(candidates: candidates))
            } else if !areClocks || !isPlainClock(pattern) {
                found.patterns.append(pattern)
            }
            // What a pattern does not read after all, such as an hour 13 beside PM.
            let forms = DateFinding(
                kind: found.kind, patterns: [pattern], languages: found.languages, unknownZones: found.unknownZones
            ).forms()
            slips += group.values.count { forms.reading($0) == .bad }
        }
        return slips
    }

    /// Times of day that are read without a pattern.
    private static func isPlainClock(_ pattern: DatePattern) -> Bool {
        ["HH:mm", "H:mm", "HH:mm:ss", "H:mm:ss", "HH:mm:ss.SSS", "H:mm:ss.SSS"].contains(pattern.text)
    }

    /// With the language that reads most, if one reads nearly all.
    private static func inOtherLanguage(_ values: [String]) -> DateFinding? {
        let worded = values.filter(hasWord)
        guard !worded.isEmpty else { return nil }
        let languages = CalendarNames.knownLanguages.map { language in
            let names = CalendarNames(adding: [language])
            return (language, worded.count { TimeTemplate($0, names: names, zones: .standard) != nil })
        }
        guard let best = languages.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }), best.1 > 0 else { return nil }
        return finding(values, names: CalendarNames(adding: [best.0]))
    }

    private static func hasWord(_ value: String) -> Bool {
        value.utf8.contains { (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80 }
    }

    // MARK: - Numbers

    /// Times that are numbers; nil if the values are none.
    private static func numbers(_ values: [String]) -> DateFinding? {
        guard
            values.prefix(fewValues).count(where: isNumber) * slipDivisor >= min(values.count, fewValues)
                * (slipDivisor - 1)
        else { return nil }
        if areDayFractions(values) {
            return DateFinding(kind: .clocks, patterns: [DatePattern(.serial)], areNumbers: true)
        }
        for number in [DatePattern.Number.epoch, .serial, .clockMinutes, .clockSeconds] {
            let pattern = DatePattern(number)
            let forms = TimeForms([pattern], readsClocks: pattern.isClock)
            let commas = TimeForms([pattern], decimalMark: .comma, readsClocks: pattern.isClock)
            var fitting = 0, dates = 0, placeholders = 0
            for value in values where isNumber(value) {
                switch value.contains(",") ? commas.reading(value) : forms.reading(value) {
                case .time(let time):
                    // Of eight digits ISO 8601 is a date.
                    guard years.contains(time.localDay.components.year), value.utf8.count != 8 else { continue }
                    fitting += 1
                    if time.localSeconds % 86_400 == 0 { dates += 1 }
                case .clock: fitting += 1
                case .placeholder: (fitting, placeholders) = (fitting + 1, placeholders + 1)
                case .bad: break
                }
            }
            guard fitting > placeholders, fitting * slipDivisor >= values.count * (slipDivisor - 1) else { continue }
            if pattern.isClock, !values.contains(where: { $0.utf8.count >= (number == .clockMinutes ? 3 : 5) }) {
                continue
            }
            return DateFinding(
                kind: pattern.isClock ? .clocks : number == .serial && dates == fitting ? .dates : .times,
                patterns: [pattern], areNumbers: true)
        }
        return nil
    }

    /// Whether the values are times of day as a spreadsheet stores them: 0.395833 is 9:30. Most of them need many places.
    private static func areDayFractions(_ values: [String]) -> Bool {
        let fractions = values.filter { $0 == "0" || $0.hasPrefix("0.") || $0.hasPrefix("0,") }
        let long = fractions.count { $0.utf8.count >= 6 }
        return fractions.count * slipDivisor >= values.count * (slipDivisor - 1) && long * 2 > values.count
            && fractions.allSatisfy(isNumber)
    }

    /// Trips of these years are exported; other numbers are no times.
    private static let years = 1990...2079

    private static func isNumber(_ text: String) -> Bool {
        let digits = TextShape.digitCount(text)
        return digits > 0 && digits + 1 >= text.utf8.count && text.utf8.count <= 24
            && text.utf8.allSatisfy { TextShape.isDigit($0) || $0 == 0x2E || $0 == 0x2C || $0 == 0x2D }
    }
}

extension DateFinding {
    /// Settles what is in doubt in the order of other patterns.
    fileprivate mutating func settle(by proven: [DatePattern], _ source: OrderSource) {
        let open = doubts
        doubts = []
        for doubt in open {
            guard let pattern = doubt.candidate(inOrderOf: proven) else {
                doubts.append(doubt)
                continue
            }
            patterns.append(pattern)
            orderSource = source
        }
    }
}

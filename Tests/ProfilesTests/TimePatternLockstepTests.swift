import Basics
import Profiles
import TestSupport
import Testing

/// Random patterns beside a plain reference, over values that fit them and damaged ones: the same reading, or both refuse.
@Suite struct TimePatternLockstepTests {
    private static func plain(_ outcome: TimeForms.Outcome) -> PlainTimePattern.Answer {
        func reading(_ time: TimeForms.Reading) -> PlainTimePattern.Reading {
            PlainTimePattern.Reading(
                localSeconds: time.localSeconds, offsetSeconds: time.offsetSeconds, microseconds: time.microseconds,
                hasTime: time.hasTime, isEndOfDay: time.isEndOfDay)
        }
        return switch outcome {
        case .time(let time): .time(reading(time))
        case .clock(let time): .clock(reading(time))
        case .placeholder: .dayOfNoDate
        case .bad: .bad
        }
    }

    @Test func randomPatternsReadWhatThePlainReferenceReads() throws {
        var maker = RandomTimePattern(seed: FuzzPlan.seed(0x71E5))
        var count = FuzzCount("time patterns")
        let values = 20
        while count.inputs < FuzzPlan.iterations(3000) {
            var patterns: [(text: String, compiled: DatePattern, plain: PlainTimePattern)] = []
            while patterns.isEmpty || maker.chance(2) && patterns.count < 3 {
                let text = maker.pattern()
                guard let compiled = try? DatePattern(parsing: text) else { continue }
                // Numbers such as `HHmm` have tests of their own.
                guard compiled.number == nil else { continue }
                patterns.append((text, compiled, try PlainTimePattern(text)))
            }
            let readsClocks = maker.chance(2)
            let forms = TimeForms(patterns.map(\.compiled), readsClocks: readsClocks)
            let iso = TimeForms([], readsClocks: readsClocks)
            var sequential = forms
            for _ in 0..<values {
                let value = maker.value(patterns[Int.random(in: 0..<patterns.count, using: &maker.random)].text)
                let bytes = Array(value.utf8)
                let shown = "\(value.debugDescription) by \(patterns.map(\.text)), clocks \(readsClocks)"
                let outcome = forms.reading(bytes.span), next = sequential.nextReading(bytes.span)
                guard next == outcome else {
                    Issue.record("\(shown): \(next) after other values, \(outcome) alone")
                    return
                }
                // ISO 8601 is always read, and read first.
                guard iso.reading(bytes.span) == .bad else {
                    count.add("ISO 8601")
                    continue
                }
                let answers = patterns.map { $0.plain.answer(value, readsClocks: readsClocks) }
                let expected = answers.first { $0 != .bad } ?? .bad
                guard expected != .dayOfNoDate, !answers.contains(.dayOfNoDate) else {
                    count.add("no date")
                    continue
                }
                guard Self.plain(outcome) == expected else {
                    Issue.record("\(shown): \(outcome), not \(expected)")
                    return
                }
                count.add(expected == .bad ? "refused by both" : "read as the reference")
            }
        }
        count.report()
        #expect(count["read as the reference"] * 4 > count.inputs, "\(count)")
    }
}

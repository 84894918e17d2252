import Basics
import Foundation
import Intake
import Profiles
import TestSupport
import Testing
import Trips

/// Times read from bytes beside plain reading, and zones beside Foundation.
@Suite struct TimeReaderTests {
    /// The fast form, as the decoder calls it: with readable bytes beyond the value.
    private static func plain(_ text: String, _ reader: TimeReader) -> Int {
        (Array(text.utf8) + Array(repeating: 0x39, count: 32)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { reader.plain($0) } ?? TimeReader.bad
        }
    }

    private static func padded(_ value: Int, _ width: Int = 2) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    @Test func everyDayOfTheCalendarAndNoOther() {
        let reader = TimeReader(patterns: [])
        for year in 1890...2210 {
            for month in 0...13 {
                for day in 0...32 {
                    let civil = CivilDay(year: year, month: month, day: day)
                    let expected =
                        TimeReader.years.contains(year)
                        ? civil.map { Int($0.daysSince1970) * 86_400 + 86_399 } ?? TimeReader.bad : TimeReader.bad
                    let text = "\(year)-\(Self.padded(month))-\(Self.padded(day)) 23:59:59"
                    // On these days a time may be a placeholder: the slow reader decides.
                    let isForSlow = ["1969-12-31", "1970-01-01", "2000-01-01", "2079-06-06"].contains(text.prefix(10))
                    if Self.plain(text, reader) != (isForSlow ? TimeReader.bad : expected) {
                        Issue.record("\(text) is not \(expected)")
                    }
                }
            }
        }
    }

    /// Where the fast form gives a time, the slow one gives the same; where it gives none, it may be another form.
    @Test func theFastFormAgreesWithTheSlowOneOnDamagedTimes() {
        let reader = TimeReader(patterns: [])
        var random = SplitMix64(seed: 0x71E), read = 0, refused = 0
        for round in 0..<FuzzPlan.iterations(60_000) {
            let year = Int.random(in: 1895...2205, using: &random)
            let parts = (0..<5).map { _ in Self.padded(Int.random(in: 0...63, using: &random)) }
            var text = Array("\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])".utf8)
            if round % 2 == 0 {
                text[4 + Int.random(in: 0...14, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let fast = text.withUnsafeBufferPointer { _ in
                (text + Array(repeating: 0x30, count: 32)).withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { reader.plain($0) } ?? TimeReader.bad
                }
            }
            let slow = reader.read(text[...])
            let expected = slow.flatMap { $0.hasTime && $0.offsetSeconds == nil ? $0.localSeconds : nil }
            // Lower-case `t` and a decimal comma or point are for the slow reader alone.
            let isPlain = text[10] != 0x74 && text[10] != 0x2D && text[10] != 0x2B
            if fast != TimeReader.bad {
                #expect(fast == expected)
                read += 1
            } else if isPlain, !text.suffix(8).elementsEqual("24:00:00".utf8), text.suffix(2) != [0x36, 0x30] {
                #expect(expected == nil)
                refused += 1
            }
        }
        #expect(read > 100 && refused > 1000, "\(read), \(refused)")
    }

    @Test func patternsReadWhatTheirPlainReferenceReads() throws {
        let patterns = [
            "MM/dd/yyyy HH:mm", "M/d/yy h:mm a", "dd.MM.yyyy", "yyyyMMddHHmmss", "d/M/yyyy H:m:s",
            "MM-dd-yyyy hh:mm:ss a",
        ]
        var random = SplitMix64(seed: 0xDA7E)
        withEvery("pattern", in: patterns) { text in
            let pattern = try DatePattern(parsing: text)
            let reader = TimeReader(patterns: [pattern])
            for _ in 0..<FuzzPlan.iterations(3000) {
                var value = Self.sample(of: text, &random)
                if Int.random(in: 0..<3, using: &random) == 0, !value.isEmpty {
                    let at = Int.random(in: 0..<value.count, using: &random)
                    value[at] = Array("0123456789/:. apmAPM-".utf8).randomElement(using: &random) ?? 0
                }
                let string = String(decoding: value, as: UTF8.self)
                // ISO 8601 is always understood, pattern or not.
                if TimeReader(patterns: []).reading(value.trimmingBlanks()) != .bad { continue }
                if reader.reading(value.trimmingBlanks()) == .placeholder { continue }
                let expected = PlainDatePattern.read(string, by: pattern).flatMap { found -> Int? in
                    guard TimeReader.years.contains(found.year) else { return nil }
                    let day = CivilDay.days(year: found.year, month: found.month, day: found.day)
                    return Int(day) * 86_400 + (found.secondOfDay ?? 0)
                }
                #expect(reader.read(value.trimmingBlanks())?.localSeconds == expected, "\(string)")
            }
        }
    }

    private static func sample(of pattern: String, _ random: inout SplitMix64) -> [UInt8] {
        var text = ""
        var rest = pattern[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }.count
            rest = rest.dropFirst(run)
            switch letter {
            case "y": text += padded(Int.random(in: run == 2 ? 0...99 : 1960...2040, using: &random), run)
            case "M", "d", "H", "h": text += padded(Int.random(in: 0...(letter == "M" ? 13 : 24), using: &random), run)
            case "m", "s": text += padded(Int.random(in: 0...61, using: &random), run)
            case "a": text += ["AM", "pm", "Pm"].randomElement(using: &random) ?? ""
            default: text += String(repeating: letter, count: run)
            }
        }
        return Array(text.utf8)
    }

    @Test(arguments: [
        "America/New_York", "America/Phoenix", "America/Sao_Paulo", "Australia/Lord_Howe", "Africa/Casablanca",
        "America/Recife", "Asia/Kolkata", "Europe/Dublin", "Pacific/Apia", "UTC",
    ])
    func zonesGiveWhatFoundationGives(identifier: String) throws {
        let table = try #require(ZoneTable(identifier: identifier))
        let zone = try #require(TimeZone(identifier: identifier))
        func offset(_ instant: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))) }
        var random = SplitMix64(seed: 0x2013)
        var instants = (0..<4000).map { _ in Int.random(in: 0...4_000_000_000, using: &random) }
        var at = Date(timeIntervalSince1970: 0)
        while let next = zone.nextDaylightSavingTimeTransition(after: at), next.timeIntervalSince1970 < 4_000_000_000 {
            let second = Int(next.timeIntervalSince1970)
            instants += [-7201, -3600, -1800, -1, 0, 1, 1799, 1800, 3600, 7200].map { second + $0 }
            at = next
        }
        for instant in instants {
            let local = instant + offset(instant)
            #expect(table.local(instant: instant) == local)
            // All instants around that show this local time.
            let shown = Set((-4...4).map { local - offset(instant + $0 * 5400) }).filter { $0 + offset($0) == local }
            switch table.resolve(local: local) {
            case .instant(let found): #expect(shown == [found])
            case .repeated(let earlier, let later):
                #expect(earlier < later && shown == [earlier, later])
            case .skipped: Issue.record("\(instant) in \(identifier) is shown by a clock")
            }
        }
    }

    @Test(arguments: [
        ("2025-03-31 24:00", "2025-04-01 00:00:00"), ("2025-12-31T24:00:00Z", "2026-01-01 00:00:00"),
        ("2025-06-30 23:59:60", "2025-07-01 00:00:00"), ("2025-06-30 10:15:60", "2025-06-30 10:16:00"),
        ("3/31/2025 24:00", "2025-04-01 00:00:00"),
    ])
    func twentyFourOClockIsTheNextMidnightAndSecondSixtyTheNextSecond(text: String, same: String) throws {
        let reader = TimeReader(patterns: [try DatePattern(parsing: "M/d/yyyy H:mm")])
        #expect(reader.read(Array(text.utf8)[...])?.localSeconds == Self.plain(same, reader))
    }

    @Test(arguments: ["2025-03-31 24:01", "2025-03-31 24:00:01", "2025-03-31 25:00", "2025-03-31 23:59:61"])
    func otherTimesBeyondTheDayAreBad(text: String) {
        #expect(TimeReader(patterns: []).reading(Array(text.utf8)[...]) == .bad)
    }

    @Test(arguments: [
        "1900-01-01", "1900-01-01 00:00:00", "1970-01-01 00:00", "1970-01-01T00:00:00Z", "2000-01-01 00:00:00",
        "2000-01-01T00:00:00.000Z", "9999-12-31 23:59:59", "0001-01-01T00:00:00", "0000-00-00 00:00:00",
        "1899-12-30 00:00:00",
        "1753-01-01", "2079-06-06 23:59:00", "1/1/1900 0:00",
    ])
    func placeholdersAreNoTime(text: String) throws {
        let reader = TimeReader(patterns: [try DatePattern(parsing: "M/d/yyyy H:mm")])
        #expect(reader.reading(Array(text.utf8)[...]) == .placeholder)
        #expect(Self.plain(text + "                   ", reader) == TimeReader.bad)
    }

    /// A time of day is written with such a day where it has no date: no trip is of 1970, and of 2000-01-01 hardly one.
    @Test(arguments: [
        ("2000-01-01 00:00:01", 1), ("1970-01-01 08:30:00", 30_600), ("1899-12-30 08:30", 30_600),
        ("1970-01-01T08:00:00", 28_800), ("1/1/1900 8:30", 30_600),
    ])
    func otherTimesOfThoseDaysAreTimesOfDay(text: String, second: Int) throws {
        let patterns = [try DatePattern(parsing: "M/d/yyyy H:mm")]
        let clocks = TimeReader(TimeForms(patterns, readsClocks: true)).reading(Array(text.utf8)[...])
        guard case .clock(let clock) = clocks else {
            Issue.record("\(clocks)")
            return
        }
        #expect(clock.localSeconds == second)
        #expect(TimeReader(patterns: patterns).read(Array(text.utf8)[...]) == nil)
        #expect(TimeReader(patterns: patterns).read(Array("2000-01-01".utf8)[...]) != nil)
    }
}

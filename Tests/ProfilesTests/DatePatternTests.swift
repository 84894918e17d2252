import Basics
import Profiles
import TestSupport
import Testing
import Trips

struct DatePatternTests {
    /// What the pattern reads. A placeholder is none.
    private static func read(
        _ text: String, by pattern: DatePattern
    ) -> (year: Int, month: Int, day: Int, secondOfDay: Int?)? {
        guard case .time(let time) = TimeForms([pattern]).reading(text) else { return nil }
        let date = time.localDay.components
        let second = time.localSeconds - Int(time.localDay.daysSince1970) * 86_400
        return (date.year, date.month, date.day, time.hasTime ? second : nil)
    }

    private static let patterns = [
        "MM/dd/yyyy hh:mm:ss a", "M/d/yyyy h:mm a", "yyyy-MM-dd'T'HH:mm", "dd.MM.yy H:m:s", "yyyyMMdd HHmmss",
        "'on' d/M/yyyy 'at' HH", "yyyyMMdd", "d-M-yy", "hh 'o''clock' a, MM/dd/yyyy",
    ]

    @Test func readsBackWhatWasWrittenByThePattern() throws {
        var random = SplitMix64(seed: 20)
        for text in Self.patterns {
            let pattern = try DatePattern(parsing: text)
            for _ in 0..<500 {
                let year = Int.random(in: 1971...2068, using: &random)
                let month = Int.random(in: 1...12, using: &random)
                let day = Int.random(in: 1...CivilDay.daysInMonth(year: year, month: month), using: &random)
                let seconds = Int.random(in: 0..<86_400, using: &random)
                let written = Self.write(pattern, year, month, day, seconds)
                let read = try #require(Self.read(written, by: pattern), "\(text): \(written)")
                #expect((read.year, read.month, read.day) == (year, month, day), "\(text): \(written)")
                let kept = Self.kept(seconds, by: pattern)
                #expect(read.secondOfDay == (pattern.hasTime ? kept : nil), "\(text): \(written)")
            }
        }
    }

    @Test func anyTextIsReadOrRefusedWithoutHarm() throws {
        var random = SplitMix64(seed: 21)
        let pattern = try DatePattern(parsing: "M/d/yyyy h:mm a")
        let letters = Array("0123456789/: APMapm")
        var dates = 0, others = 0
        for _ in 0..<5_000 {
            var text = Array("1/31/2026 11:59 PM")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                text[place] = letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            guard let read = Self.read(String(text), by: pattern) else {
                others += 1
                continue
            }
            dates += 1
            #expect(CivilDay(year: read.year, month: read.month, day: read.day) != nil)
            #expect((0..<86_400).contains(read.secondOfDay ?? -1))
        }
        #expect(dates > 300 && others > 300, "\(dates), \(others)")
    }

    @Test(arguments: [
        ("04/07/2020 11:53:08 PM", 23 * 3600 + 53 * 60 + 8), ("04/07/2020 12:00:00 AM", 0),
        ("04/07/2020 12:30:00 pm", 12 * 3600 + 1800), (" 04/07/2020 01:00:00 AM ", 3600),
    ]) func readsTwelveHourTimes(text: String, seconds: Int) throws {
        let read = Self.read(text, by: try DatePattern(parsing: "MM/dd/yyyy hh:mm:ss a"))
        #expect(read?.secondOfDay == seconds)
    }

    @Test(arguments: [
        "4/07/2020 11:53:08 PM", "04/07/2020 13:53:08 AM", "04/07/2020 00:53:08 PM", "04/07/2020 11:60:08 PM",
        "02/30/2020 11:53:08 PM", "04/07/2020 11:53:08 PM x", "04/07/2020", "", "13/07/2020 11:53:08 PM",
        "04/07/2020 11:53:08 XM",
    ]) func refusesWhatDoesNotFit(text: String) throws {
        #expect(Self.read(text, by: try DatePattern(parsing: "MM/dd/yyyy hh:mm:ss a")) == nil)
    }

    @Test func twoDigitYearsFollowPOSIX() throws {
        let pattern = try DatePattern(parsing: "MM/dd/yy")
        #expect(Self.read("01/01/68", by: pattern)?.year == 2068)
        #expect(Self.read("01/01/69", by: pattern)?.year == 1969)
    }

    @Test(arguments: [
        ("", "the date pattern is empty"), ("MM/dd", "has no year"),
        ("yyyy-MM", "has no day"), ("yyyy-MM-dd hh:mm", "12-hour 'h' without 'a'"),
        ("yyyy-MM-dd HH:mm a", "'a' (AM or PM) at 18 without"), ("Mddyyyy", "at 2 of the date pattern digits"),
        ("yyyy-MM-d0", "at 10 of the date pattern digits"), ("yyyy-MMMMM-dd", "'MMMMM' at 6 has no meaning"),
        ("yyyy-MM-dd z", "has the zone without the hour"),
        ("MMM d", "has no year"),
        ("yyyy-MM-ddTHH:mm", "the letter 'T' at 11"), ("yyyy-MM-dd 'at", "the quote at 12"),
        ("yyyy-MM-dd ss", "has the second without the minute"), ("yyyy-MM-dd mm", "has the minute without the hour"),
        ("yyyy-mm-dd mm", "has the minute a second time at 12"), ("yyyy-MM-dd\n", "control character at 11"),
        (String(repeating: " ", count: 65), "longer than 64 characters"),
    ]) func refusesAPatternThatLeavesDoubt(text: String, expected: String) {
        let error = #expect(throws: DatePatternError.self) { try DatePattern(parsing: text) }
        #expect(error?.message.contains(expected) == true && error?.hint.isEmpty == false)
    }

    @Test func anyPatternTextIsParsedOrRefusedWithoutHarm() {
        var random = SplitMix64(seed: 22)
        let letters = Array("yMdHhmsaST'/-: é\u{0}1")
        var patterns = 0, others = 0
        for _ in 0..<5_000 {
            var text = Array("M/d/yyyy h:mm a")
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                text[place] = letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            guard let pattern = try? DatePattern(parsing: String(text)) else {
                others += 1
                continue
            }
            patterns += 1
            #expect(pattern.text == String(text))
        }
        #expect(patterns > 100 && others > 100, "\(patterns), \(others)")
    }

    /// A text as the pattern writes it: one digit where it may.
    private static func write(_ pattern: DatePattern, _ year: Int, _ month: Int, _ day: Int, _ seconds: Int) -> String {
        var bytes: [UInt8] = []
        func put(_ number: Int, _ digits: Int) {
            let text = String(number)
            bytes += Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
        }
        let hour = seconds / 3600
        for piece in pattern.pieces {
            switch piece {
            case .year4: put(year, 4)
            case .year2: put(year % 100, 2)
            case .month(let digits): put(month, digits)
            case .day(let digits): put(day, digits)
            case .hour24(let digits): put(hour, digits)
            case .hour12(let digits): put((hour + 11) % 12 + 1, digits)
            case .minute(let digits): put(seconds / 60 % 60, digits)
            case .second(let digits): put(seconds % 60, digits)
            case .dayPeriod: bytes += Array((hour < 12 ? "AM" : "PM").utf8)
            case .literal(let byte): bytes.append(byte)
            case .blank: bytes.append(0x20)
            case .monthName, .weekday, .fraction, .zone: break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the pattern keeps of a time of day.
    private static func kept(_ seconds: Int, by pattern: DatePattern) -> Int {
        let hasSecond = pattern.pieces.contains { if case .second = $0 { true } else { false } }
        let hasMinute = pattern.pieces.contains { if case .minute = $0 { true } else { false } }
        return seconds / (hasSecond ? 1 : hasMinute ? 60 : 3600) * (hasSecond ? 1 : hasMinute ? 60 : 3600)
    }
}

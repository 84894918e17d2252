import Basics
import Profiles
import TestSupport
import Testing
import Trips

/// Times as systems write them, beside what they mean.
struct TimeFormsTests {
    /// `2025-01-05 10:00:00`, with the offset behind it if the value has one; nil: no time.
    private static func read(
        _ text: String, _ patterns: [String] = [], languages: [String] = [], zones: [String: Int] = [:],
        decimalMark: DecimalMark = .point
    ) throws -> String? {
        var forms = TimeForms(
            try patterns.map { try DatePattern(parsing: $0) }, names: CalendarNames(adding: languages),
            zones: ZoneAbbreviations(adding: zones), decimalMark: decimalMark)
        let outcome = forms.reading(text)
        #expect(forms.nextReading(Array(text.trimmingBlanks().utf8).span) == outcome)
        guard case .time(let time) = outcome else { return outcome == .placeholder ? "placeholder" : nil }
        let second = time.localSeconds - Int(time.localDay.daysSince1970) * 86_400
        let clock = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let offset = time.offsetSeconds.map { $0 % 3600 == 0 ? " \($0 / 3600)" : " \($0 / 3600):\(abs($0) / 60 % 60)" }
        return "\(time.localDay) " + (time.hasTime ? clock.joined(separator: ":") : "date") + (offset ?? "")
    }

    @Test(arguments: [
        ("2025-01-05T10:00:07", "2025-01-05 10:00:07"), ("2025-01-05 10:00", "2025-01-05 10:00:00"),
        ("20250105T100007Z", "2025-01-05 10:00:07 0"), ("20250105T1000", "2025-01-05 10:00:00"),
        ("20250105 10:00:07", "2025-01-05 10:00:07"), ("20250105", "2025-01-05 date"),
        ("20250105T100007.25-0500", "2025-01-05 10:00:07 -5"),
        ("2025-01-05t10:00:07+05:30", "2025-01-05 10:00:07 5:30"),
        ("2025-005T10:00:07", "2025-01-05 10:00:07"), ("2024-366", "2024-12-31 date"),
        ("2025-W01-7T10:00", "2025-01-05 10:00:00"), ("2020W537", "2021-01-03 date"),
        ("2024-02-29T23:59:60Z", "2024-03-01 00:00:00 0"), ("20250131T240000", "2025-02-01 00:00:00"),
        ("/Date(1736071207000)/", "2025-01-05 10:00:07 0"), ("/Date(1736071207123-0500)/", "2025-01-05 05:00:07 -5"),
        ("\\/Date(1736071207000)\\/", "2025-01-05 10:00:07 0"), ("/Date(-62135596800000)/", "placeholder"),
    ]) func isoAndNetDatesNeedNoPattern(text: String, expected: String) throws {
        #expect(try Self.read(text) == expected)
    }

    @Test(arguments: [
        "2025-02-29", "2023-366", "2025-000", "2025-W53-1", "2025-W00-1", "2025-W01-8", "20250105T1000Z0", "2025005",
        "2025-1-5", "20250105T10", "2025-01-05T", "/Date(17360712x7000)/", "/Date(1736071207000/", "1736071207",
        "45658.5",
        "10:00", "2025-01-05 10:00:00 EST", "20250105100007", "", "-", "2025-01-05T10:00:07+25:00",
    ]) func otherTextsNeedAPattern(text: String) throws {
        #expect(try Self.read(text) == nil)
    }

    @Test(arguments: [
        "10:05:09 PM", "10:05:09 pm", "10:05:09 p.m.", "10:05:09P.M.", "10:05:09 P.M", "10:05:09 p m", "10:05:09 p. m.",
        "10:05:09PM", "10:05:09\u{202F}PM", "10:05:09\u{A0}p.m.", "10:05:09 P", "10:05:09p", "10:05:09  pm",
    ]) func theAfternoonIsWrittenInManyWays(clock: String) throws {
        #expect(try Self.read("1/5/2025 " + clock, ["M/d/yyyy h:mm:ss a"]) == "2025-01-05 22:05:09")
        #expect(try Self.read("1/5/2025 " + clock, ["M/d/yyyy h:mm:ssa"]) == "2025-01-05 22:05:09")
    }

    @Test(arguments: [
        ("12:00 AM", "00:00:00"), ("12:59 a.m.", "00:59:00"), ("12:00 PM", "12:00:00"), ("1:00 AM", "01:00:00"),
        ("0:05 AM", "00:05:00"), ("13:05 PM", "13:05:00"), ("23:59 pm", "23:59:00"),
    ])
    func twelveComesBeforeOne(clock: String, expected: String) throws {
        #expect(try Self.read("1/5/2025 " + clock, ["M/d/yyyy h:mm a"]) == "2025-01-05 " + expected)
    }

    @Test(arguments: ["13:05 AM", "0:05 PM", "24:00 PM", "10:05 XM", "10:05 pmx", "10:05 apm", "10:05 march", "10:05 "])
    func otherHoursAndWordsAreBad(clock: String) throws {
        #expect(try Self.read("1/5/2025 " + clock, ["M/d/yyyy h:mm a"]) == nil)
    }

    @Test(arguments: [
        ("05-JAN-2025 10:00:07", "dd-MMM-yyyy HH:mm:ss"), ("5 january 2025 10:00:07", "d MMM yyyy HH:mm:ss"),
        ("Jan. 5, 2025 10:00:07", "MMM d, yyyy HH:mm:ss"), ("Sun, 5 Jan 2025 10:00:07", "EEE, d MMM yyyy HH:mm:ss"),
        ("Sunday 1/5/2025 10:00:07", "EEEE M/d/yyyy H:mm:ss"), ("Sun Jan  5 10:00:07 2025", "EEE MMM d HH:mm:ss yyyy"),
        ("5.Jan.2025 10:00:07", "d.MMM.yyyy HH:mm:ss"), ("05Jan25 100007", "ddMMMyy HHmmss"),
    ]) func namesOfMonthsAndDaysAreRead(text: String, pattern: String) throws {
        #expect(try Self.read(text, [pattern]) == "2025-01-05 10:00:07")
    }

    @Test(arguments: [
        "5 Ja 2025", "5 Foo 2025", "5 januarya 2025", "5 ma 2025", "5 \(String(repeating: "j", count: 60)) 2025",
    ])
    func otherNamesAreBad(text: String) throws {
        #expect(try Self.read(text, ["d MMM yyyy"]) == nil)
    }

    /// Every name of every language, whole and as usual abbreviations.
    @Test func namesOfOtherLanguagesAreThoseOfTheirMonths() throws {
        let names: [String: [String]] = [
            "de": [
                "Jan.", "FEBRUAR", "März", "Apr", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt", "November", "Dez.",
            ],
            "fr": ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
            "es": ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
            "pt": ["jan", "fev", "março", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
            "it": ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
            "nl": ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
            "pl": ["sty", "lut", "mar", "kwi", "maja", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"],
            "sv": ["jan", "feb", "mars", "apr", "maj", "juni", "juli", "aug", "sep", "okt", "nov", "dec"],
        ]
        for (language, months) in names {
            for (index, name) in months.enumerated() {
                let found = try Self.read("5 \(name) 2025", ["d MMM yyyy"], languages: [language])
                let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
                #expect(found == "2025-\(month)-05 date", "\(language) \(name)")
            }
        }
        #expect(try Self.read("5 févr. 2025", ["d MMM yyyy"]) == nil)
        #expect(try Self.read("5 jui 2025", ["d MMM yyyy"], languages: ["fr"]) == nil)
        #expect(try Self.read("5 FÉVRIER 2025", ["d MMM yyyy"], languages: ["fr"]) == "2025-02-05 date")
        #expect(try Self.read("5 fe\u{301}vr 2025", ["d MMM yyyy"], languages: ["fr"]) == "2025-02-05 date")
    }

    @Test(arguments: [
        ("EST", -5), ("edt", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7),
        ("AKST", -9), ("AKDT", -8), ("HST", -10), ("UTC", 0), ("GMT", 0), ("Z", 0), ("-0500", -5), ("+02:00", 2),
        ("GMT-5", -5), ("UTC+03:00", 3), ("GMT-0500 (Eastern Standard Time)", -5),
    ]) func zonesOfTheUnitedStatesAreKnown(zone: String, hours: Int) throws {
        for value in ["2025-01-05 10:00:07 " + zone, "2025-01-05 10:00:07" + zone]
        where !zone.contains("(") || value.contains(" G") {
            #expect(try Self.read(value, ["yyyy-MM-dd HH:mm:ss z"]) == "2025-01-05 10:00:07 \(hours)", "\(value)")
        }
    }

    @Test(arguments: ["IST", "BST", "AST", "XYZ", "EST5", "EST-5", "GMT(", "E"])
    func aZoneOfSeveralMeaningsIsNotGuessed(zone: String) throws {
        #expect(try Self.read("2025-01-05 10:00:07 " + zone, ["yyyy-MM-dd HH:mm:ss z"]) == nil)
    }

    @Test func aProfileSaysWhatAZoneMeans() throws {
        let text = "2025-01-05 10:00:07 AST"
        #expect(
            try Self.read(text, ["yyyy-MM-dd HH:mm:ss z"], zones: ["ast": -4 * 3600]) == "2025-01-05 10:00:07 -4")
        #expect(
            try Self.read("2025-01-05 10:00 CST", ["yyyy-MM-dd HH:mm z"], zones: ["CST": 8 * 3600])
                == "2025-01-05 10:00:00 8")
    }

    @Test(arguments: [
        ("1736071207", "2025-01-05 10:00:07 0"), ("1736071207.0", "2025-01-05 10:00:07 0"),
        ("1736071207.999", "2025-01-05 10:00:07 0"), ("1736071207123", "2025-01-05 10:00:07 0"),
        ("1736071207123456", "2025-01-05 10:00:07 0"), ("1736071207123456789", "2025-01-05 10:00:07 0"),
        ("1.736071207E+09", "2025-01-05 10:00:07 0"), ("1.7360712070e9", "2025-01-05 10:00:07 0"),
        ("-1000000000", "1938-04-24 22:13:20 0"), ("-1000000000.5", "1938-04-24 22:13:19 0"),
        ("-1000000000500", "1938-04-24 22:13:19 0"), ("0", "placeholder"), ("-1", "placeholder"),
        ("0.0", "placeholder"),
        ("100000000", "1973-03-03 09:46:40 0"), ("4102444800", "2100-01-01 00:00:00 0"),
    ]) func secondsSince1970AreFoundByTheirSize(text: String, expected: String) throws {
        #expect(try Self.read(text, ["epoch"]) == expected)
    }

    @Test(arguments: [
        "12345", "19999999", "1.7361E+09", "1,736,071,207", "17360712O7", "17360712071736071207", "9999999999", "1e9",
        "999999999999999999999999999999999999", "9223372036854775808", "-", "+", ".5", "1736071207x", "\u{FEFF}",
    ]) func numbersThatAreNoTimeAreBad(text: String) throws {
        #expect(try Self.read(text, ["epoch"]) == nil)
    }

    @Test(arguments: [
        ("45662", "2025-01-05 00:00:00"), ("45662.4166667", "2025-01-05 10:00:00"),
        ("45662.416748", "2025-01-05 10:00:07"),
        ("45662.999999", "2025-01-06 00:00:00"), ("36527.5", "2000-01-02 12:00:00"), ("0", "placeholder"),
        ("1", "placeholder"), ("45351.25", "2024-02-29 06:00:00"), ("367", "1901-01-01 00:00:00"),
    ]) func serialsAreDaysOfASpreadsheet(text: String, expected: String) throws {
        #expect(try Self.read(text, ["serial"]) == expected)
    }

    @Test(arguments: ["60", "60.5", "59", "61", "-45662", "4.5662E+04", "109300", "45.662,5", "45662,5", "9999999"])
    func daysThatNoTripHasAreBad(text: String) throws {
        #expect(try Self.read(text, ["serial"]) == nil)
    }

    @Test func serialsMayCountFrom1904AndHaveADecimalComma() throws {
        #expect(try Self.read("44200.5", ["serial-1904"]) == "2025-01-05 12:00:00")
        #expect(try Self.read("45662,5", ["serial"], decimalMark: .comma) == "2025-01-05 12:00:00")
    }

    /// The order of patterns decides where a text fits two of them, whatever was read before.
    @Test func whatWasReadBeforeChangesNothing() throws {
        var random = SplitMix64(seed: 0x0F0)
        let lists = [
            ["MM/dd/yy", "yy/MM/dd"], ["M/d/yyyy H:mm", "dd-MMM-yyyy HH:mm", "epoch"], ["epoch", "yyyyMMddHHmm"],
            ["MM/dd/yyyy HH:mm:ss", "yyyyMMddHHmmss"], ["serial", "yyMMdd"],
        ]
        let values = [
            "03/04/05", "12/31/99", "99/12/31", "1/5/2025 9:30", "05-JAN-2025 09:30", "1736071207", "202501051000",
            "45662.5",
            "250105", "2025-01-05 10:00:07", "01/05/2025 10:00:07", "20250105100007", "20250105", "x", "", "3/4/5",
        ].map { Array($0.utf8) }
        for list in lists {
            let forms = TimeForms(try list.map { try DatePattern(parsing: $0) })
            var next = forms
            for _ in 0..<2000 {
                let value = values[Int.random(in: 0..<values.count, using: &random)]
                #expect(next.nextReading(value.span) == forms.reading(value.span), "\(list)")
            }
        }
    }

    @Test func anyBytesAreReadOrRefusedWithoutHarm() throws {
        let patterns = try [
            "EEE, d MMM yyyy h:mm:ss.SSS a z", "epoch", "serial", "MM/dd/yyyy HH:mm:ss z", "d. MMM yyyy",
        ].map { try DatePattern(parsing: $0) }
        var forms = TimeForms(patterns, names: CalendarNames(adding: ["fr", "pl"]))
        let seeds = [
            "Sun, 5 Jan 2025 10:00:07.25 p.m. GMT-0500 (EST)", "1736071207.5", "45662.5", "01/05/2025 10:00:07 EST",
            "5. févr. 2025", "2025-W01-7T10:00", "/Date(1736071207123-0500)/",
        ].map { Array($0.utf8) }
        var random = SplitMix64(seed: 0x7E57)
        for _ in 0..<FuzzPlan.iterations(30_000) {
            var value = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 0...3, using: &random) where !value.isEmpty {
                let at = Int.random(in: 0..<value.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: value.remove(at: at)
                case 1: value.insert(UInt8.random(in: 0...255, using: &random), at: at)
                default: value[at] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let outcome = forms.reading(value.span)
            #expect(forms.nextReading(value.span) == outcome)
            if case .time(let time) = outcome { #expect(TimeForms.years.contains(time.localDay.components.year)) }
        }
        let long = Array(String(repeating: "1", count: 100_000).utf8)
        #expect(forms.reading(long.span) == .bad)
    }
}

import Basics
import Privacy
import Testing
import Trips

@Suite struct WithheldMonthsTests {
    private static let october = Month(year: 2026, month: 10), november = Month(year: 2026, month: 11)

    private func open(_ begun: [Month], newest: String?, on today: String) throws -> Month? {
        let day = try #require(CivilDay(today))
        return WithheldMonths.firstOpen(after: begun, newestDay: { _ in newest.flatMap { CivilDay($0) } }, on: day)
    }

    @Test("A month is closed once a later one has begun")
    func later() throws {
        #expect(try open([Self.october, Self.november], newest: "2026-11-02", on: "2026-11-03") == Self.november)
    }

    @Test("Or once its end is past and trips of its last two days are there, or 31 days have gone")
    func past() throws {
        #expect(try open([Self.october], newest: "2026-10-30", on: "2026-11-01") == Self.november)
        #expect(try open([Self.october], newest: "2026-10-29", on: "2026-11-01") == Self.october)
        #expect(try open([Self.october], newest: "2026-10-12", on: "2026-12-02") == Self.november)
        #expect(try open([Self.october], newest: "2026-10-31", on: "2026-10-31") == Self.october)
    }

    @Test("A month of the future closes none; without any month none is open")
    func future() throws {
        let slip = Month(year: 2031, month: 1)
        #expect(try open([Self.october, slip], newest: nil, on: "2026-10-20") == Self.october)
        #expect(try open([slip], newest: nil, on: "2026-10-20") == slip)
        #expect(try open([], newest: nil, on: "2026-10-20") == nil)
    }
}

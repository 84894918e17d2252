import Foundation
import KPIContract
import Publishing
import TestSupport
import Testing

@Suite struct TripPagesTests {
    private static func trips(_ count: Int, _ random: inout SplitMix64) -> [TripDetail] {
        (0..<count).map { number in
            let hex = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            let id = String(repeating: "0", count: 32 - hex.count) + hex
            let type = ["Emergency", "Routine", "Unassigned"][Int.random(in: 0...2, using: &random)]
            let region = ["North", "South", nil][Int.random(in: 0...2, using: &random)]
            let month = Int.random(in: 1...4, using: &random), day = Int.random(in: 10...28, using: &random)
            let trip = Trip(
                id: id, title: [type, region].compactMap(\.self).joined(separator: ", "),
                duration: Double(Int.random(in: 0...9_000, using: &random)), date: "2026-0\(month)-\(day)",
                provider: ["", "Northside \"A\"", "Ünï"][number % 3],
                distance: Hundredths(units: Int.random(in: 0...9_999, using: &random)))
            return TripDetail(
                trip, cost: number % 5 == 0 ? nil : Cents(cents: number * 7), privacy: "limited-data-set",
                tripType: type,
                region: region, sourcing: ["inHouse", "contracted"][number % 2],
                response: number % 7 == 0 ? nil : number)
        }
    }

    private static func written(_ trips: [TripDetail], in folder: TemporaryFolder, as name: String = "trips.sqlite")
        throws
        -> TripPages
    {
        let writer = try TripPagesWriter(path: folder.path(of: name))
        for trip in trips { try writer.add(trip) }
        try writer.finish()
        return try TripPages(path: folder.path(of: name), connections: 2)
    }

    private static func inOrder(_ trips: [TripDetail]) -> [TripDetail] {
        trips.sorted { ($1.trip.date, $0.id) < ($0.trip.date, $1.id) }
    }

    @Test("pages of any filter and size are the rows in their order, each once")
    func pages() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 3)
            let trips = Self.trips(1_200, &random), pages = try Self.written(trips, in: folder)
            for month in [nil, "2026-01", "2026-03", "2026-09"] {
                for type in [nil, "Emergency", "Unassigned", "Other"] {
                    for region in [nil, "North", "South"] {
                        let filter = TripPages.Filter(month: month, tripType: type, region: region)
                        let wanted = Self.inOrder(trips).filter { trip in
                            (month.map(trip.trip.date.hasPrefix) ?? true) && (type ?? trip.tripType) == trip.tripType
                                && (region == nil || region == trip.region)
                        }
                        for limit in [1, 7, 100, 5_000] where limit > 1 || wanted.count < 150 {
                            var found: [TripDetail] = [], hasMore = true
                            while hasMore {
                                let page = try #require(try pages.page(filter, after: found.last?.id, limit: limit))
                                #expect(page.trips.count == limit || !page.hasMore)
                                found += page.trips
                                hasMore = page.hasMore
                            }
                            #expect(found == wanted, "\(filter), pages of \(limit)")
                        }
                    }
                }
            }
        }
    }

    @Test("a trip is found by its id, and no other; a page after a trip that is not there is none")
    func single() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 4)
            let trips = Self.trips(300, &random), pages = try Self.written(trips, in: folder)
            for trip in trips { #expect(try pages.trip(trip.id) == trip) }
            for id in ["", "x", String(repeating: "f", count: 32), "' OR 1=1 --"] {
                #expect(try pages.trip(id) == nil && pages.page(after: id, limit: 10) == nil)
            }
        }
    }

    @Test("the same rows in the same order are the same bytes; none are a file too")
    func bytes() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 5)
            let trips = Self.trips(500, &random)
            _ = try Self.written(trips, in: folder, as: "a")
            _ = try Self.written(trips, in: folder, as: "b")
            #expect(try folder.read("a") == folder.read("b"))
            let none = try Self.written([], in: folder)
            #expect(try none.page(limit: 5)?.trips == [] && none.page(limit: 5)?.hasMore == false)
        }
    }

    @Test("a file that is no such file, or is cut, is not read")
    func damage() throws {
        try TemporaryFolder.with { folder in
            try folder.write("no database", to: "text")
            #expect(throws: TripPagesError.unreadable) { try TripPages(path: folder.path(of: "text")) }
            #expect(throws: TripPagesError.unreadable) { try TripPages(path: folder.path(of: "missing")) }
            #expect(throws: TripPagesError.notWritten) { try TripPagesWriter(path: folder.path(of: "no/folder/x")) }
        }
    }
}

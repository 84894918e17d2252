import Cluster
import Foundation
import Intake
import KPIContract
import KPIs
import Keys
import Profiles
import Reporting
import Rules
import Settings
import TestSupport
import Testing
import Trips
import UseCases

/// Random trips, written as versions, as charge lines, as units and as status changes: the figures are those of the trips,
/// whatever the order of the records, the size of the blocks and the number of workers.
@Suite struct RecordKindLawTests {
    private struct Trip {
        var number: Int
        var vehicle: Int
        var isEmergency: Bool
        var region: Int
        /// Minutes after midnight of 2026-03-05 of: notified, en route, on scene, left, arrived, completed.
        var minutes: [Int]
        /// Cents by line: the base rate, then mileage.
        var cents: [Int]
        /// Tenths of a mile, by mileage line.
        var tenths: [Int]
        var isContracted: Bool

        var start: Int { minutes[0] }
    }

    private struct Figures: Equatable {
        var trips = 0, cents = 0, costed = 0, hundredths = 0, contracted = 0
        var responses = 0, responseSeconds = 0
        var responseP90: Int?
        var tripsByRegion: [Int: Int] = [:]
    }

    private static let regions = ["North", "South", "East", "West"]
    private static let events = ["DISP", "ENR", "ONS", "LEFT", "ARR", "CLR"]
    private static let eventFields = [
        "unit_notified_at", "en_route_at", "on_scene_at", "left_scene_at", "arrived_at", "completed_at",
    ]

    @Test func figuresAreThoseOfTheTrips() throws {
        let rules = try ShippedRules.sample()
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0x11E5)
            for round in 0..<FuzzPlan.iterations(30) {
                let trips = Self.trips(Int.random(in: 1...(round % 5 == 0 ? 3000 : 60), using: &random), &random)
                let lines = Self.figures(trips)
                for kind in RecordKind.allCases {
                    let rows = Self.rows(trips, kind, &random)
                    let form = Kind.allCases.randomElement(using: &random) ?? .csv
                    let path = try form.write(rows, name: "\(kind.rawValue)", to: folder)
                    for workers in [1, 3] {
                        var plan = ScanRequest(
                            inputs: [path], profile: try Self.profile(kind), rules: rules, workers: workers,
                            blockBytes: [64, 300, 4096, 1 << 18].randomElement(using: &random) ?? 64)
                        plan.temporaryFolder = folder.path
                        let result = try ScanRun(plan).run()
                        var expected = lines
                        if kind == .units || kind == .events { expected = Self.withoutCosts(expected) }
                        #expect(Self.figures(result) == expected, "round \(round), \(kind), \(form), \(workers)")
                        #expect(result.counts.isReconciled)
                        #expect(result.counts.read == rows.count - 1)
                        #expect(result.counts.added == trips.count)
                        #expect(result.counts.merged == (kind.isComposed ? rows.count - 1 - trips.count : 0))
                    }
                }
            }
        }
    }

    /// A claim that comes again in a later export replaces all of its lines, in any order of loading.
    @Test func theLinesOfALaterExportReplaceAllEarlierOnes() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,hcpcs_code,units,cost\n"
            let first = try folder.write(
                head + "1,2026-03-05,A0429,1,400.00\n1,2026-03-05,A0425,10,80.00\n2,2026-03-05,A0429,1,400.00\n",
                to: "claims_20260401.csv")
            let second = try folder.write(
                head + "1,2026-03-05,A0428,1,250.00\n", to: "claims_20260402.csv")
            let profile = try Self.profile(.lines)
            let scanned = try ScanRun(
                ScanRequest(inputs: [first, second], profile: profile, rules: try ShippedRules.sample(), workers: 2)
            ).run()
            let cell = try #require(scanned.table.cells.first { $0.scope.month == nil && $0.scope.region == nil })
            #expect(cell.sums.completed.costCents == 65_000)
            #expect(cell.sums.trips == 2)
            #expect(scanned.counts.merged == 1)
            #expect(scanned.counts.superseded == 1)
        }
    }

    /// Lines that take back what was billed are added up too; the base rate that stands gives the level of service.
    @Test func reversedLinesAddUp() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                """
                trip_id,service_date,hcpcs_code,hcpcs_modifiers,units,cost
                1,2026-03-05,A0427,QM,1,900.00
                1,2026-03-05,A0425,QM,12.5,106.25
                1,2026-03-05,A0427,QM,-1,(900.00)
                1,2026-03-05,A0425,QM,-2.5,(21.25)
                1,2026-03-05,A0425,QM,1,8.50
                1,2026-03-05,A0425,QM,1,-8.50
                1,2026-03-05,A0429,QN,1,600.00

                """, to: "claims.csv")
            let result = try ScanRun(
                ScanRequest(
                    inputs: [path], profile: try Self.profile(.lines), rules: try ShippedRules.sample(), workers: 1)
            ).run()
            let cell = try #require(result.table.cells.first { $0.scope.month == nil && $0.scope.region == nil })
            #expect(cell.sums.completed.costCents == 68_500)
            #expect(cell.sums.completed.loadedHundredths == 1000)
            #expect(cell.sums.inHouse.trips == 1)
        }
    }

    /// A line whose amount cannot be read makes the cost of its trip unknown: a sum never lacks a part in silence.
    @Test func aTripWithAnUnreadableLineHasNoCost() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                """
                trip_id,service_date,hcpcs_code,units,cost
                1,2026-03-05,A0429,1,400.00
                1,2026-03-05,A0425,10,see invoice
                2,2026-03-05,A0429,1,300.00

                """, to: "claims.csv")
            var profile = try Self.profile(.lines)
            profile.maximumRejectPerMillion = 1_000_000
            let result = try ScanRun(
                ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 1)
            ).run()
            let cell = try #require(result.table.cells.first { $0.scope.month == nil && $0.scope.region == nil })
            #expect(cell.sums.completed.costCents == 30_000)
            #expect(cell.sums.costedTrips == 1)
            #expect(result.tally.warningCounts[.badCost] == 1)
        }
    }

    // MARK: - Trips and their records

    private static func trips(_ count: Int, _ random: inout SplitMix64) -> [Trip] {
        (0..<count).map { number in
            var minutes = [Int.random(in: 0..<1000, using: &random)]
            for _ in 1..<6 { minutes.append((minutes.last ?? 0) + Int.random(in: 0...40, using: &random)) }
            let mileages = Int.random(in: 1...3, using: &random)
            return Trip(
                number: number, vehicle: number % 3, isEmergency: Bool.random(using: &random),
                region: Int.random(in: 0..<4, using: &random), minutes: minutes,
                // The miles of a line with a negative cost are taken back: see `reversedLinesAddUp`.
                cents: (0...mileages).map { _ in Int.random(in: 0...90_000, using: &random) },
                tenths: (0..<mileages).map { _ in Int.random(in: 0...400, using: &random) },
                isContracted: Bool.random(using: &random))
        }
    }

    private static func time(_ minutes: Int) -> String {
        String(format: "2026-03-%02d %02d:%02d:00", 5 + minutes / 1440, minutes / 60 % 24, minutes % 60)
    }

    private static func dollars(_ cents: Int) -> String {
        "\(cents < 0 ? "-" : "")\(cents.magnitude / 100)." + String(format: "%02d", cents.magnitude % 100)
    }

    private static func tenths(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }

    /// Rows of text, header first; the records in random order.
    private static func rows(_ trips: [Trip], _ kind: RecordKind, _ random: inout SplitMix64) -> [[String]] {
        var rows = trips.flatMap { trip -> [[String]] in
            let common = [
                "T\(trip.number)", trip.isEmergency ? "Emergency" : "Routine", regions[trip.region],
                trip.isContracted ? "C1" : "",
            ]
            let times = trip.minutes.map(time)
            switch kind {
            case .versions:
                return [
                    common + times
                        + [dollars(trip.cents.reduce(0, +)), tenths(trip.tenths.reduce(0, +))]
                ]
            case .units:
                // The vehicles of one incident, as trips of one number.
                return [["T\(trip.number / 3)"] + common.dropFirst() + times + ["V\(trip.vehicle)"]]
            case .lines:
                return trip.cents.enumerated().map { index, cents in
                    common + times + [dollars(cents)]
                        + (index == 0 ? ["A0429", "1"] : ["A0425", tenths(trip.tenths[index - 1])])
                }
            case .events:
                // Some statuses are sent twice; the first counts.
                return zip(events, trip.minutes).flatMap { code, minute -> [[String]] in
                    let row = common + [code, time(minute)]
                    return (minute + trip.number) % 5 == 0 ? [row, common + [code, time(minute + 7)]] : [row]
                }
            }
        }
        if kind != .units || trips.count < 4 { rows.shuffle(using: &random) }
        let head = ["trip_id", "trip_type", "region", "contract_number"]
        return [
            head
                + {
                    switch kind {
                    case .versions: eventFields + ["cost", "loaded_miles"]
                    case .units: eventFields + ["vehicle_id"]
                    case .lines: eventFields + ["cost", "hcpcs_code", "units"]
                    case .events: ["event_code", "event_at"]
                    }
                }()
        ] + rows
    }

    private static func profile(_ kind: RecordKind) throws -> Profile {
        var profile = Profile(source: "law")
        profile.records = kind
        for field in CanonicalField.allCases { profile.columns[field] = [field.rawValue] }
        profile.columns[.legID] = nil
        if kind == .events {
            profile.valueMaps[.eventCode] = ValueMap(
                entries: Dictionary(uniqueKeysWithValues: zip(events.map { $0.lowercased() }, eventFields)))
        }
        return profile
    }

    // MARK: - Figures

    private static func figures(_ trips: [Trip]) -> Figures {
        var figures = Figures()
        for trip in trips {
            figures.trips += 1
            figures.cents += trip.cents.reduce(0, +)
            figures.costed += 1
            figures.hundredths += trip.tenths.reduce(0, +) * 10
            figures.contracted += trip.isContracted ? 1 : 0
            figures.tripsByRegion[trip.region + 1, default: 0] += 1
        }
        let responses = trips.map { ($0.minutes[2] - $0.minutes[0]) * 60 }.sorted()
        figures.responses = responses.count
        figures.responseSeconds = responses.reduce(0, +)
        figures.responseP90 = responses[(responses.count * 9 + 9) / 10 - 1]
        return figures
    }

    private static func withoutCosts(_ figures: Figures) -> Figures {
        var figures = figures
        (figures.cents, figures.costed, figures.hundredths) = (0, 0, 0)
        return figures
    }

    private static func figures(_ result: TrueFigures) -> Figures {
        var figures = Figures()
        for cell in result.table.cells where cell.scope.month == nil && cell.scope.tripType == nil {
            if let region = cell.scope.region {
                if cell.sums.trips > 0 { figures.tripsByRegion[Int(region)] = cell.sums.trips }
            } else {
                figures.trips = cell.sums.trips
                figures.cents = cell.sums.completed.costCents
                figures.costed = cell.sums.costedTrips
                figures.hundredths = cell.sums.completed.loadedHundredths
                figures.contracted = cell.sums.contracted.trips
                let response = cell.intervals[TripInterval.response.rawValue]
                figures.responses = response.used
                figures.responseSeconds = response.sumSeconds
                figures.responseP90 = response[.p90]
            }
        }
        return figures
    }
}

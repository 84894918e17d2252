import ExportBytes
import Foundation
import Intake
import KPIs
import Profiles
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// A profile that says `records: lines` or `events` of an export that has something else: what does not fit is refused, or said.
@Suite struct StatedRecordsTests {
    private static func scan(
        _ rows: [String], _ records: RecordKind, hasLegs: Bool = false, _ folder: TemporaryFolder
    ) throws -> TrueFigures {
        let head =
            records == .events
            ? "trip_id,vehicle_id,event_code,event_at" : "trip_id,service_date,hcpcs_code,cost,units,status,vehicle_id"
        let path = try folder.write(([head] + rows).joined(separator: "\n") + "\n", to: "\(UUID().uuidString).csv")
        var profile = Profile.stated(records)
        if hasLegs { profile.columns[.legID] = ["vehicle_id"] }
        profile.valueMaps[.eventCode] = ValueMap(entries: [
            "disp": "unit_notified_at", "onsc": "on_scene_at", "clr": "completed_at",
        ])
        return try ScanRun(
            ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 2)
        ).run()
    }

    private static func refusal(_ rows: [String], _ records: RecordKind, _ folder: TemporaryFolder) -> String? {
        do {
            _ = try scan(rows, records, folder)
            return nil
        } catch {
            return (error as? ExportError)?.kind == .unclearRecords ? "\(error)" : "another error: \(error)"
        }
    }

    private static func cost(_ result: TrueFigures) -> (trips: Int, cents: Int) {
        let cell = result.table.cells.first {
            $0.scope.month == nil && $0.scope.region == nil && $0.scope.tripType == nil
        }
        return (cell?.sums.trips ?? -1, cell?.sums.completed.costCents ?? -1)
    }

    private static func bill(_ trip: Int, day: Int = 5, base: Int = 400, vehicle: String = "") -> [String] {
        [
            "\(trip),2026-03-0\(day),A0429,\(base).00,1,,\(vehicle)",
            "\(trip),2026-03-0\(day),A0425,80.00,8,,\(vehicle)",
        ]
    }

    /// A line that is void is not charged; a trip all of whose lines are void is none.
    @Test func voidLinesAreNotCharged() throws {
        try TemporaryFolder.with { folder in
            let rows = [
                "1,2026-03-05,A0429,400,1,,", "1,2026-03-05,A0425,80,8,void,", "2,2026-03-05,A0429,400,1,completed,",
                "2,2026-03-05,A0425,70,8,void,", "2,2026-03-05,A0425,70,8,,", "3,2026-03-05,A0429,400,1,void,",
            ]
            let found = try Self.scan(rows, .lines, folder)
            #expect(Self.cost(found).trips == 2 && Self.cost(found).cents == 87_000)
            #expect(found.files[0].findings.notes.isEmpty, "\(found.files[0].findings.notes)")
        }
    }

    /// The miles of a trip on each of its mileage lines would be added up; the units of the lines are.
    @Test(arguments: ["loaded_miles", "units"]) func milesOfTheTripOnEachLineAreRefused(column: String) throws {
        try TemporaryFolder.with { folder in
            func export(_ second: Int) throws -> String {
                let rows = (0..<20).flatMap { trip in
                    [("A0429", 400, ""), ("A0425", 40, "12"), ("A0425", 30, "\(second)")].map {
                        "\(trip),2026-03-05,\($0.0),\($0.1).00,\($0.2)"
                    }
                }
                let head = "trip_id,service_date,hcpcs_code,cost,\(column)"
                return try folder.write(([head] + rows).joined(separator: "\n") + "\n", to: "\(second).csv")
            }
            let profile = Profile.stated(.lines)
            func scan(_ path: String) throws -> TrueFigures {
                try ScanRun(
                    ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 1)
                ).run()
            }
            func miles(_ result: TrueFigures) -> Int? {
                result.table.cells.first {
                    $0.scope.month == nil && $0.scope.region == nil && $0.scope.tripType == nil
                }?
                .sums.completed.loadedHundredths
            }
            #expect(miles(try scan(try export(3))) == 20 * 1500)
            let same = try export(12)
            if column == "units" { return #expect(miles(try scan(same)) == 20 * 2400) }
            let error = #expect(throws: ExportError.self) { try scan(same) }
            #expect(error?.problem.contains("20 trips with the same loaded miles on several mileage lines") == true)
        }
    }

    /// There and back are equally long; what was taken back and billed again is no repeat; an adjustment is no part of a bill.
    @Test func billsWithSeveralMileageLinesAreRead() throws {
        try TemporaryFolder.with { folder in
            let profile = Profile.stated(.lines)
            func miles(_ lines: [String]) throws -> Int? {
                let rows = (0..<20).flatMap { trip in lines.map { "\(trip),2026-03-05,\($0)\n" } }
                let head = "trip_id,service_date,hcpcs_code,hcpcs_modifiers,cost,loaded_miles\n"
                let path = try folder.write(head + rows.joined(), to: "\(UUID().uuidString).csv")
                let result = try ScanRun(
                    ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 1)
                ).run()
                return result.table.cells.first {
                    $0.scope.month == nil && $0.scope.region == nil && $0.scope.tripType == nil
                }?.sums.completed.loadedHundredths
            }
            let roundTrip = ["A0428,RJ,300,", "A0425,RJ,80,12", "A0428,JR,300,", "A0425,JR,80,12"]
            let rebilled = [
                "A0428,,300,", "A0425,,80,12", "A0428,,-300,", "A0425,,-80,12", "A0428,,280,", "A0425,,75,12.0",
            ]
            let adjusted = ["A0428,,300,", "A0425,,80,12", ",,-50,", "CO45,,-20,"]
            let wheelchair = ["A0130,,40,", "S0209,,20,9"]
            let found = try [roundTrip, rebilled, adjusted, wheelchair].map(miles)
            #expect(found == [48_000, 24_000, 24_000, 18_000])
            #expect(throws: ExportError.self) { try miles(["A0422,,40,"]) }
        }
    }

    /// The end of a trip in a later export would replace its beginning.
    @Test func changesOfTwoExportsAreRefused() throws {
        try TemporaryFolder.with { folder in
            let begun = (0..<40).flatMap {
                ["\($0),M1,DISP,2026-03-05 23:40:00", "\($0),M1,ONSC,2026-03-05 23:50:00"]
            }
            let ended = (0..<40).map { "\($0),M1,CLR,2026-03-06 00:20:00" }
            #expect(Self.refusal(begun, .events, folder) == nil)
            let refusal = Self.refusal(ended, .events, folder)
            #expect(refusal?.contains("40 trips with only the end of the status changes") == true)
        }
    }

    /// Random bills, and what looks like them: whatever would give another total is refused.
    @Test func whatIsNoBillIsRefused() throws {
        var random = SplitMix64(seed: 0xB111)
        try TemporaryFolder.with { folder in
            for round in 0..<FuzzPlan.iterations(60) {
                let trips = Int.random(in: 20...80, using: &random)
                let bills = (0..<trips).flatMap { Self.bill($0, vehicle: "M1") }
                #expect(Self.refusal(bills.shuffled(using: &random), .lines, folder) == nil, "round \(round)")
                let more = max(3, trips / 9 + 1)
                let wrong: [(String, [String])] = [
                    ("corrected", (0..<more).flatMap { Self.bill($0, base: 380) }),
                    ("copied", Array(bills.prefix(bills.count / 8 + 3))),
                    ("another vehicle", (0..<more).flatMap { Self.bill($0, base: 500, vehicle: "E2") }),
                    ("a month later", (0..<max(3, trips / 90)).map { "\($0),2026-04-25,A0425,80.00,8,," }),
                    ("mileage alone", (trips..<trips + more).map { "\($0),2026-03-05,A0425,80.00,8,," }),
                    ("taken back alone", (trips..<trips + more).map { "\($0),2026-03-05,A0429,-400.00,-1,," }),
                ]
                for (what, rows) in wrong {
                    let found = Self.refusal((bills + rows).shuffled(using: &random), .lines, folder)
                    #expect(found?.contains("another error") == false, "round \(round), \(what): \(found ?? "read")")
                }
            }
        }
    }

    /// The status changes of two vehicles of one incident are two trips.
    @Test func vehiclesOfOneIncidentAreNotMixed() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<40).flatMap { trip in
                ["M1", "E2"].enumerated().flatMap { index, vehicle in
                    zip(["DISP", "ONSC", "CLR"], [0, 10 - index * 5, 50]).map { code, minute in
                        "\(trip),\(vehicle),\(code),2026-03-05 10:\(minute < 10 ? "0" : "")\(minute):00"
                    }
                }
            }
            let refusal = try #require(Self.refusal(rows, .events, folder))
            #expect(refusal.contains("40 trips with records of several vehicles") && refusal.contains("leg_id"))
            #expect(Self.cost(try Self.scan(rows, .events, hasLegs: true, folder)).trips == 80)
        }
    }

    /// One or two odd trips are said, and count.
    @Test func aFewAreSaid() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<60).flatMap { Self.bill($0) } + ["60,2026-03-05,A0425,80.00,8,,"]
            let found = try Self.scan(rows, .lines, folder)
            #expect(Self.cost(found).trips == 61)
            #expect(found.files[0].findings.notes.contains { $0.hasPrefix("1 trip with only a part of the lines") })
        }
    }
}

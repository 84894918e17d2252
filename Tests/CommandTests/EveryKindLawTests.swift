import Crypto
import Foundation
import TestSupport
import Testing

/// Random trips of one site whose systems write all kinds of records: versions, charge lines, units, status changes, and the parts of
/// dispatch and billing. Whatever the order of the exports, and what was withdrawn and loaded again, the figures are those of the trips.
@Suite struct EveryKindLawTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private enum System: String, CaseIterable {
        case registry, claims, fleet, cad, dispatch, billing

        var head: String {
            switch self {
            case .registry: "Trip,Dispatched,On Scene,Clear,District,Code,Miles,Paid,Contract"
            case .claims: "Trip,Dispatched,On Scene,Clear,District,Code,Units,Paid,Contract"
            case .fleet: "Trip,Unit,Dispatched,On Scene,Clear,District,Miles,Paid"
            case .cad: "Trip,District,Status,At"
            case .dispatch: "Trip,Dispatched,On Scene,Clear,District"
            case .billing: "Trip,DOS,Code,Units,Paid,Contract"
            }
        }

        var profile: String {
            let times = "unit_notified_at: Dispatched, on_scene_at: On Scene, completed_at: Clear, region: District"
            let bill = "hcpcs_code: Code, cost: Paid, contract_number: Contract"
            switch self {
            case .registry: return "columns: {trip_id: Trip, \(times), \(bill), loaded_miles: Miles}\n"
            case .claims: return "records: lines\ncolumns: {trip_id: Trip, \(times), \(bill), units: Units}\n"
            case .fleet:
                return
                    "records: units\ncolumns: {trip_id: Trip, vehicle_id: Unit, \(times), loaded_miles: Miles, cost: Paid}\n"
            case .cad:
                return
                    "records: events\ncolumns: {trip_id: Trip, region: District, event_code: Status, event_at: At}\nvalues:\n"
                    + "  event_code:\n    map: {DISP: unit_notified_at, ONSC: on_scene_at, CLR: completed_at}\n"
            case .dispatch: return "columns: {trip_id: Trip, \(times)}\n"
            case .billing:
                return
                    "supplement: dispatch\nrecords: lines\ncolumns: {trip_id: Trip, service_date: DOS, \(bill), units: Units}\n"
            }
        }
    }

    private struct Trip {
        var system: System
        var number: Int
        var day: Int
        /// Minutes after midnight: notified, on scene, completed.
        var minutes: [Int]
        var region: String
        var baseCents: Int
        var mileageCents: Int
        var tenths: Int
        var contract: String

        var id: String { "\(system.rawValue.prefix(2))\(system == .fleet ? number / 2 : number)" }
        var date: String { String(format: "2026-%02d-%02d", 1 + day / 28, 1 + day % 28) }
        var times: [String] { minutes.map { String(format: "%@ %02d:%02d:00", date, $0 / 60, $0 % 60) } }
        var miles: String { "\(tenths / 10).\(tenths % 10)" }
        var total: String { Self.dollars(baseCents + mileageCents) }

        static func dollars(_ cents: Int) -> String { String(format: "%d.%02d", cents / 100, cents % 100) }

        /// As the system writes it: one record, or several.
        func records(of system: System) -> [String] {
            let rows: [[String]] =
                switch system {
                case .registry: [[id] + times + [region, "A0429", miles, total, contract]]
                case .claims:
                    [("A0429", "1", baseCents), ("A0425", miles, mileageCents)].map { code, units, cents in
                        [id] + times + [region, code, units, Self.dollars(cents), contract]
                    }
                case .fleet: [[id, "M\(number % 2)"] + times + [region, miles, total]]
                case .cad: zip(["DISP", "ONSC", "CLR"], times).map { [id, region, $0, $1] }
                case .dispatch: [[id] + times + [region]]
                case .billing:
                    [("A0429", "1", baseCents), ("A0425", miles, mileageCents)].map { code, units, cents in
                        [id, date, code, units, Self.dollars(cents), contract]
                    }
                }
            return rows.map { $0.joined(separator: ",") }
        }

        /// As one record with all that its systems say of it.
        var whole: String {
            let bill = ["A0429", miles, total, contract]
            let known: [String] =
                switch system {
                case .registry, .claims, .dispatch, .billing: bill
                case .fleet: ["", miles, total, ""]
                case .cad: ["", "", "", ""]
                }
            return (["\(id)-\(number)"] + times + [region] + known).joined(separator: ",")
        }
    }

    private func run(_ words: [String], in folder: borrowing TemporaryFolder) throws -> CommandResult {
        try fixture.run(words, environment: ["SOURCE_DATE_EPOCH": "1780000000"], in: folder.url)
    }

    @Test func theFiguresAreThoseOfTheTrips() throws {
        var random = SplitMix64(seed: 0xE7E4)
        for round in 0..<FuzzPlan.iterations(3) {
            try TemporaryFolder.with { folder in try check(round, in: folder, &random) }
        }
    }

    private func check(_ round: Int, in folder: borrowing TemporaryFolder, _ random: inout SplitMix64) throws {
        for system in System.allCases {
            try folder.write("source: \(system.rawValue)\n" + system.profile, to: "\(system.rawValue).yaml")
        }
        try folder.write("source: whole\n" + System.registry.profile, to: "whole.yaml")
        let own = System.allCases.filter { $0 != .billing }
        let trips = own.flatMap { system in Self.trips(of: system, Int.random(in: 24...60, using: &random), &random) }
        try folder.write(System.registry.head + "\n" + trips.map { $0.whole + "\n" }.joined(), to: "whole.csv")
        var exports: [(file: String, system: System)] = []
        for system in System.allCases {
            let owner = system == .billing ? System.dispatch : system
            exports += try write(trips.filter { $0.system == owner }, system, to: folder, &random)
        }
        exports.shuffle(using: &random)
        for (index, export) in exports.enumerated() {
            try load(export, round, in: folder)
            guard index > 0, Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let back = exports[Int.random(in: 0..<index, using: &random)]
            let digest = SHA256.hash(data: try folder.read(back.file)).map { String(format: "%02x", $0) }.joined()
            #expect(try run(["load", "--withdraw", digest, "--quiet"], in: folder).status == 0)
            try load(back, round, in: folder)
        }
        let words = ["--internal", "--format", "json"]
        let scan = try run(["scan", "whole.csv", "--profile", "whole.yaml"] + words, in: folder)
        let report = try run(["report"] + words, in: folder)
        #expect(scan.status == 0 && report.status == 0, "round \(round): \(scan.stderrText) \(report.stderrText)")
        #expect(try Self.cells(report) == Self.cells(scan), "round \(round)")
    }

    private func load(
        _ export: (file: String, system: System), _ round: Int, in folder: borrowing TemporaryFolder
    ) throws {
        let words = ["load", export.file, "--profile", "\(export.system.rawValue).yaml", "--quiet"]
        let result = try run(words, in: folder)
        #expect(result.status == 0, "round \(round): \(result.stderrText)")
    }

    private static func cells(_ result: CommandResult) throws -> [String] {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any])
        return try #require(document["cells"] as? [Any]).map { cell in
            String(decoding: try JSONSerialization.data(withJSONObject: cell, options: .sortedKeys), as: UTF8.self)
        }
    }

    private static func trips(of system: System, _ count: Int, _ random: inout SplitMix64) -> [Trip] {
        (0..<count).map { number in
            var minutes = [Int.random(in: 0..<1200, using: &random)]
            for _ in 1..<3 { minutes.append((minutes.last ?? 0) + Int.random(in: 1...60, using: &random)) }
            return Trip(
                system: system, number: number, day: Int.random(in: 0..<84, using: &random), minutes: minutes,
                region: ["North", "South", "East"].randomElement(using: &random) ?? "North",
                baseCents: Int.random(in: 10_000...90_000, using: &random),
                mileageCents: Int.random(in: 100...9_000, using: &random),
                tenths: Int.random(in: 1...400, using: &random),
                contract: Bool.random(using: &random) ? "C-1" : "")
        }
    }

    /// One to three exports: each trip is in one of them as it is, and some are in an earlier one with other values.
    private func write(
        _ trips: [Trip], _ system: System, to folder: borrowing TemporaryFolder, _ random: inout SplitMix64
    ) throws -> [(file: String, system: System)] {
        let count = Int.random(in: 1...3, using: &random)
        var rows = Array(repeating: [String](), count: count)
        for trip in trips {
            let last = Int.random(in: 0..<count, using: &random)
            rows[last] += trip.records(of: system)
            guard last > 0, Int.random(in: 0..<8, using: &random) == 0 else { continue }
            var older = trip
            older.region = "West"
            older.baseCents += 1_100
            older.minutes[1] += 1
            rows[Int.random(in: 0..<last, using: &random)] += older.records(of: system)
        }
        return try rows.enumerated().filter { !$0.element.isEmpty }.map { index, rows in
            let file = "\(system.rawValue)_2026-04-0\(index + 1).csv"
            let records = rows.shuffled(using: &random)
            try folder.write(([system.head] + records).joined(separator: "\n") + "\n", to: file)
            return (file, system)
        }
    }
}

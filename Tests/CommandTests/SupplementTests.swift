import Crypto
import Foundation
import TestSupport
import Testing

/// Times from dispatch, costs from billing: one trip of two parts.
@Suite struct SupplementTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// Months to March 2026 are over.
    private func run(_ words: [String], in folder: borrowing TemporaryFolder) throws -> CommandResult {
        try fixture.run(words, environment: ["SOURCE_DATE_EPOCH": "1780000000"], in: folder.url)
    }

    private struct Trip {
        var number: Int
        var day: Int
        /// Minutes after midnight: notified, on scene, completed.
        var minutes: [Int]
        var region: String
        /// Cents of base rate and mileage; nil: it was never billed.
        var cents: (base: Int, mileage: Int)?
        var tenths: Int
        var modifier: String
        var contract: String
        var invoice: String

        var id: String { String(format: "%07d", number) }
        var date: String { String(format: "2026-%02d-%02d", 1 + day / 28, 1 + day % 28) }
    }

    private static let dispatch = """
        source: dispatch
        columns: {trip_id: Incident, unit_notified_at: Dispatched, on_scene_at: On Scene, completed_at: Clear, region: District}

        """
    private static let billing = """
        source: billing
        supplement: dispatch
        records: lines
        columns: {trip_id: Run, service_date: DOS, hcpcs_code: Code, hcpcs_modifiers: Mod, units: Units, cost: Paid,
          contract_number: Contract, invoice_number: Invoice}

        """
    private static let whole = """
        source: dispatch
        columns: {trip_id: Incident, unit_notified_at: Dispatched, on_scene_at: On Scene, completed_at: Clear, region: District,
          hcpcs_code: Code, hcpcs_modifiers: Mod, loaded_miles: Miles, cost: Paid, contract_number: Contract,
          invoice_number: Invoice}

        """

    // MARK: - Other trips

    /// Run numbers begin again each year: last year's bills are not those of this year's trips.
    @Test(arguments: [true, false]) func billsOfAnotherYearAreRefused(isLoadedFirst: Bool) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.dispatch, to: "dispatch.yaml")
            try folder.write(Self.billing, to: "billing.yaml")
            let trips = (1...30).map {
                "\($0),2026-03-05 08:00:00,2026-03-05 08:10:00,2026-03-05 09:00:00,North\n"
            }
            try folder.write("Incident,Dispatched,On Scene,Clear,District\n" + trips.joined(), to: "cad.csv")
            let bills = (1...30).map { "\($0),2025-03-08,A0429,,1,400,,\n" }
            try folder.write("Run,DOS,Code,Mod,Units,Paid,Contract,Invoice\n" + bills.joined(), to: "bill.csv")
            let loads = [["cad.csv", "dispatch"], ["bill.csv", "billing"]]
            for (number, load) in (isLoadedFirst ? loads.reversed() : loads).enumerated() {
                let result = try run(["load", load[0], "--profile", "\(load[1]).yaml"], in: folder)
                #expect(result.status == (number == 0 ? 0 : 65), "\(result.stderrText)")
                let problem = "30 of 30 records are more than half a year away from the trips of their ids"
                #expect(result.stderrText.contains(problem) == (number == 1), "\(result.stderrText)")
            }
        }
    }

    // MARK: - Law

    /// Random trips in exports of dispatch and billing, with corrections, over any nights in any order, some withdrawn and loaded
    /// again: the figures are those of one export that has everything.
    @Test func theFiguresAreThoseOfTheTrips() throws {
        var random = SplitMix64(seed: 0x5A11)
        for round in 0..<FuzzPlan.iterations(4) {
            try TemporaryFolder.with { folder in try check(round, in: folder, &random) }
        }
    }

    private func check(_ round: Int, in folder: TemporaryFolder, _ random: inout SplitMix64) throws {
        let trips = Self.trips(Int.random(in: 30...160, using: &random), &random)
        try folder.write(Self.dispatch, to: "dispatch.yaml")
        try folder.write(Self.billing, to: "billing.yaml")
        try folder.write(Self.whole, to: "whole.yaml")
        try folder.write(Self.wholeExport(trips), to: "whole.csv")
        var exports = try ["dispatch", "billing"].flatMap { source in
            try Self.write(trips, source, exports: Int.random(in: 1...3, using: &random), to: folder, &random)
        }
        exports.shuffle(using: &random)
        var detours = 0
        for (index, export) in exports.enumerated() {
            // The first export of a source may be far too small: nothing is compared with it.
            let load = ["load", export.file, "--profile", "\(export.source).yaml", "--quiet"]
            let loaded = try run(load, in: folder)
            #expect(loaded.status == 0, "round \(round): \(loaded.stderrText)")
            guard index > 0, Bool.random(using: &random), detours < 2 else { continue }
            detours += 1
            let back = exports[Int.random(in: 0..<index, using: &random)]
            let digest = SHA256.hash(data: try folder.read(back.file)).map { String(format: "%02x", $0) }.joined()
            let withdraw = try run(["load", "--withdraw", digest, "--quiet"], in: folder)
            #expect(withdraw.status == 0, "round \(round): \(withdraw.stderrText)")
            let again = ["load", back.file, "--profile", "\(back.source).yaml", "--quiet"]
            #expect(try run(again, in: folder).status == 0, "round \(round)")
        }
        let scan = try run(
            ["scan", "whole.csv", "--profile", "whole.yaml", "--internal", "--format", "json"], in: folder)
        let report = try run(["report", "--internal", "--format", "json"], in: folder)
        #expect(scan.status == 0 && report.status == 0, "round \(round): \(scan.stderrText) \(report.stderrText)")
        #expect(try Self.cells(report) == Self.cells(scan), "round \(round)")
        let published = try run(["publish", "--quiet"], in: folder)
        let verified = try run(["verify", "--quiet"], in: folder)
        #expect(verified.status == 0, "round \(round): \(published.stderrText) \(verified.stderrText)")
    }

    /// The cells as text, a line each.
    private static func cells(_ result: CommandResult) throws -> [String] {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any])
        let cells = try #require(document["cells"] as? [Any])
        return try cells.map { cell in
            String(decoding: try JSONSerialization.data(withJSONObject: cell, options: .sortedKeys), as: UTF8.self)
        }
    }

    private static func trips(_ count: Int, _ random: inout SplitMix64) -> [Trip] {
        (0..<count).map { number in
            var minutes = [Int.random(in: 0..<1200, using: &random)]
            for _ in 1..<3 { minutes.append((minutes.last ?? 0) + Int.random(in: 1...60, using: &random)) }
            let isBilled = Int.random(in: 0..<5, using: &random) > 0
            let contract = Bool.random(using: &random) ? "C-1" : ""
            return Trip(
                number: number, day: Int.random(in: 0..<84, using: &random), minutes: minutes,
                region: ["North", "South", "East"].randomElement(using: &random) ?? "North",
                cents: isBilled
                    ? (Int.random(in: 10_000...90_000, using: &random), Int.random(in: 100...9_000, using: &random))
                    : nil,
                tenths: Int.random(in: 0...400, using: &random),
                modifier: ["", "QN", "QM"].randomElement(using: &random) ?? "", contract: contract,
                invoice: Bool.random(using: &random) ? "I-\(number)" : "")
        }
    }

    private static func time(_ trip: Trip, _ index: Int) -> String {
        let minute = trip.minutes[index]
        return String(format: "%@ %02d:%02d:00", trip.date, minute / 60, minute % 60)
    }

    private static func dollars(_ cents: Int) -> String { String(format: "%d.%02d", cents / 100, cents % 100) }
    private static func miles(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }

    private static func wholeExport(_ trips: [Trip]) -> String {
        "Incident,Dispatched,On Scene,Clear,District,Code,Mod,Miles,Paid,Contract,Invoice\n"
            + trips.map { trip in
                let times = (0..<3).map { time(trip, $0) }
                guard let cents = trip.cents else {
                    return ([trip.id] + times + [trip.region, "", "", "", "", "", ""])
                }
                return [trip.id] + times
                    + [
                        trip.region, "A0429", trip.modifier, miles(trip.tenths), dollars(cents.base + cents.mileage),
                        trip.contract, trip.invoice,
                    ]
            }.map { $0.joined(separator: ",") + "\n" }.joined()
    }

    /// Exports of one source: each trip is in one of them as it is, and may be in earlier ones with other values.
    private static func write(
        _ trips: [Trip], _ source: String, exports count: Int, to folder: TemporaryFolder, _ random: inout SplitMix64
    ) throws -> [(file: String, source: String)] {
        var rows = Array(repeating: [String](), count: count)
        for trip in trips where source == "dispatch" || trip.cents != nil {
            let last = Int.random(in: 0..<count, using: &random)
            rows[last] += records(trip, source)
            guard last > 0, Int.random(in: 0..<8, using: &random) == 0 else { continue }
            var older = trip
            older.region = "West"
            older.cents = trip.cents.map { ($0.base + 1_100, $0.mileage) }
            older.minutes[1] += 1
            rows[Int.random(in: 0..<last, using: &random)] += records(older, source)
        }
        if source == "billing" {
            // Bills of trips that no export has.
            rows[0] += (0..<3).map { "X\($0),2026-01-05,A0429,QM,1,100.00,C-9,I-X\($0)" }
        }
        let head =
            source == "dispatch"
            ? "Incident,Dispatched,On Scene,Clear,District" : "Run,DOS,Code,Mod,Units,Paid,Contract,Invoice"
        return try rows.enumerated().filter { !$0.element.isEmpty }.map { index, rows in
            let file = "\(source)_2026-04-0\(index + 1).csv"
            let groups = rows.shuffled(using: &random)
            try folder.write(([head] + groups).joined(separator: "\n") + "\n", to: file)
            return (file, source)
        }
    }

    private static func records(_ trip: Trip, _ source: String) -> [String] {
        if source == "dispatch" {
            return [([trip.id] + (0..<3).map { time(trip, $0) } + [trip.region]).joined(separator: ",")]
        }
        guard let cents = trip.cents else { return [] }
        let rest = [trip.contract, trip.invoice]
        return [
            [trip.id, trip.date, "A0429", trip.modifier, "1", dollars(cents.base)] + rest,
            [trip.id, trip.date, "A0425", trip.modifier, miles(trip.tenths), dollars(cents.mileage)] + rest,
        ].map { $0.joined(separator: ",") }
    }

    // MARK: - What is said

    private func write(in folder: TemporaryFolder) throws {
        try folder.write(Self.dispatch, to: "dispatch.yaml")
        try folder.write(Self.billing, to: "billing.yaml")
        try folder.write(Self.billing.replacing("supplement: dispatch\n", with: ""), to: "untied.yaml")
        var random = SplitMix64(seed: 4)
        let trips = Self.trips(60, &random)
        try folder.write(
            "Incident,Dispatched,On Scene,Clear,District\n"
                + trips.flatMap { Self.records($0, "dispatch") }.map { $0 + "\n" }.joined(), to: "dispatch.csv")
        try folder.write(
            "Run,DOS,Code,Mod,Units,Paid,Contract,Invoice\n"
                + trips.flatMap { Self.records($0, "billing") }.map { $0 + "\n" }.joined(), to: "bills.csv")
    }

    @Test func whatWaitsIsSaid() throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            let first = try run(["load", "bills.csv", "--profile", "billing.yaml"], in: folder)
            #expect(first.status == 0)
            #expect(
                first.stderrText.contains("records find no trip of source dispatch: they wait"), "\(first.stderrText)")
            let doctor = try run(["doctor"], in: folder)
            #expect(
                (doctor.stdoutText + doctor.stderrText).contains("of source billing wait for the export of dispatch"))
            let query = ["query", "waiting_parts", "--internal", "--format", "csv"]
            let waiting = try run(query, in: folder)
            #expect(waiting.stdoutText.contains(",billing,dispatch,"), "\(waiting.stdoutText) \(waiting.stderrText)")
            #expect(try run(["load", "dispatch.csv", "--profile", "dispatch.yaml"], in: folder).status == 0)
            let rows = try run(query, in: folder).stdoutText.split(whereSeparator: \.isNewline)
            #expect(rows.count == 1)
        }
    }

    /// Two payers, each with a supplement of its own: their amounts are not added up.
    @Test func aCostInTwoSupplementsIsSaid() throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            try folder.write(
                "source: patients\nsupplement: dispatch\ncolumns: {trip_id: Run, service_date: DOS, cost: Paid}\n",
                to: "patients.yaml")
            var random = SplitMix64(seed: 4)
            let trips = Self.trips(60, &random)
            try folder.write(
                "Run,DOS,Paid\n" + trips.map { "\($0.id),\($0.date),25.00\n" }.joined(), to: "patients.csv")
            let loads = [["dispatch.csv", "dispatch"], ["bills.csv", "billing"], ["patients.csv", "patients"]]
            for load in loads {
                let result = try run(["load", load[0], "--profile", "\(load[1]).yaml"], in: folder)
                #expect(result.status == 0)
                #expect(
                    result.stderrText.contains("have a cost in an export of another supplement too")
                        == (load == loads[2]),
                    "\(result.stderrText)")
            }
        }
    }

    /// By itself a supplement has no trips, so commands without a store refuse it.
    @Test(arguments: ["scan", "costs", "facts"]) func aCommandWithoutAStoreRefusesIt(command: String) throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            try folder.write(Data((0..<32).map { UInt8($0) }), to: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "key"))
            let words = command == "facts" ? ["--key-file", "key"] : ["--internal"]
            let output = command == "costs" ? ["--output", "costs.xlsx"] : []
            let result = try run(
                [command, "bills.csv", "--profile", "billing.yaml"] + words + output, in: folder)
            #expect(result.status == 65 && result.stdoutText.isEmpty, "\(result.stderrText)")
            #expect(result.stderrText.contains("its profile says that it supplements dispatch"), "\(result.stderrText)")
        }
    }

    /// A source is either of trips of its own or of parts: else its trips would count twice.
    @Test(arguments: [["billing", "untied"], ["untied", "billing"]]) func aSourceIsOfOneKind(profiles: [String]) throws
    {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            #expect(
                try run(["load", "bills.csv", "--profile", "\(profiles[0]).yaml"], in: folder).status == 0)
            let bills = String(decoding: try folder.read("bills.csv"), as: UTF8.self)
            try folder.write(bills.replacing("2026-01", with: "2026-02"), to: "other.csv")
            let second = try run(["load", "other.csv", "--profile", "\(profiles[1]).yaml"], in: folder)
            #expect(second.status == 65)
            #expect(second.stderrText.contains("count twice"), "\(second.stderrText)")
        }
    }

    @Test func anExportThatSupplementsItselfIsNoProfile() throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            try folder.write(Self.billing.replacing("source: billing", with: "source: dispatch"), to: "self.yaml")
            let result = try run(["load", "bills.csv", "--profile", "self.yaml"], in: folder)
            #expect(result.status == 78 && result.stderrText.contains("a source cannot supplement itself"))
        }
    }
}

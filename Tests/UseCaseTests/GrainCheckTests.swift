import ExportBytes
import Foundation
import Intake
import KPIs
import Profiles
import Reporting
import Rules
import TestSupport
import Testing
import Trips
import UseCases

/// Records with one key that are no versions of a trip end the export; corrections and copies do not.
@Suite struct GrainCheckTests {
    private static func scan(_ text: String, records: RecordKind? = nil, _ folder: TemporaryFolder) throws
        -> TrueFigures
    {
        let path = try folder.write(text, to: "export-\(UUID().uuidString).csv")
        var profile: Profile?
        if let records {
            var stated = Profile.stated(records)
            if records == .units { stated.columns[.legID] = nil }
            profile = stated
        }
        return try ScanRun(
            ScanRequest(inputs: [path], profile: profile, rules: try ShippedRules.sample(), workers: 2)
        ).run()
    }

    private static func refusal(
        _ text: String, records: RecordKind? = nil, _ folder: TemporaryFolder
    ) -> String? {
        do {
            _ = try scan(text, records: records, folder)
            return nil
        } catch let error as ExportError {
            return error.kind == .unclearRecords ? error.description : "another error: \(error)"
        } catch {
            return "another error: \(error)"
        }
    }

    private static let lines =
        "trip_id,service_date,hcpcs_code,cost\n1,2026-03-05,A0429,400.00\n1,2026-03-05,A0425,80.00\n"
    private static let units =
        "trip_id,service_date,vehicle_id,cost\n1,2026-03-05,M1,400.00\n1,2026-03-05,E2,400.00\n2,2026-03-05,E2,1.00\n"

    @Test func chargeLinesAreRecognised() throws {
        try TemporaryFolder.with { folder in
            let refusal = try #require(Self.refusal(Self.lines, folder))
            #expect(
                refusal.contains("1 trip has several records that differ in hcpcs_code, the first in records 1 and 2"))
            #expect(refusal.contains("this looks like charge lines") && refusal.contains("`records: lines`"))
        }
    }

    /// The legs of a booking have one id, and each was last changed at another time.
    @Test func tripsOfOneBookingAreRecognisedByTheirTimes() throws {
        /// - Parameter second: the times of the second record of each trip.
        func text(_ second: String) -> String {
            (1...20).reduce("trip_id,on_scene_at,arrived_at,updated_at\n") { text, number in
                text + "\(number),2026-03-05 07:10:00,2026-03-05 07:40:00,2026-03-05 08:00:00\n"
                    + "\(number),\(second),2026-03-05 18:00:00\n"
            }
        }
        try TemporaryFolder.with { folder in
            let refusal = try #require(Self.refusal(text("2026-03-05 15:10:00,2026-03-05 15:40:00"), folder))
            #expect(refusal.contains("20 trips have several records that differ in every time"))
            #expect(refusal.contains("leg_id"))
            // A correction leaves a time alone.
            #expect(Self.refusal(text("2026-03-05 07:10:00,2026-03-05 07:50:00"), folder) == nil)
        }
    }

    @Test func vehiclesAreRecognised() throws {
        try TemporaryFolder.with { folder in
            let refusal = try #require(Self.refusal(Self.units, folder))
            #expect(refusal.contains("differ in vehicle_id") && refusal.contains("`records: units`"))
        }
    }

    @Test func idsThatComeAgainForOtherTripsAreRecognised() throws {
        try TemporaryFolder.with { folder in
            for other in ["1,2027-03-05,North", "1,2026-03-06,South"] {
                let text = "trip_id,service_date,region\n1,2026-03-05,North\n2,2026-03-05,North\n\(other)\n"
                let refusal = try #require(Self.refusal(text, folder))
                #expect(refusal.contains("the id is not unique") && refusal.contains("records 1 and 3"))
            }
        }
    }

    @Test func anExportThatReplacesItselfIsRefused() throws {
        try TemporaryFolder.with { folder in
            func export(replaced: Int) -> String {
                let trips =
                    (1...100).map { "\($0),2026-03-05,10.00\n" } + (0..<replaced).map { "\($0 + 1),2026-03-05,11.00\n" }
                return "trip_id,service_date,cost\n" + trips.joined()
            }
            #expect(Self.refusal(export(replaced: 11), folder) == nil)
            let refusal = try #require(Self.refusal(export(replaced: 12), folder))
            #expect(refusal.contains("12 of 112 records would replace another record of the same trip"))
        }
    }

    @Test func copiesAndCorrectionsCount() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,region,vehicle_id,hcpcs_code,cost\n"
            let row = "1,2026-03-05,North,M1,A0429,400.00\n"
            for other in ["", row, "1,2026-03-06,North,M1,A0429,350.00\n", "1,2026-03-05,South,M1,A0429,400.00\n"] {
                let result = try Self.scan(head + row + other, folder)
                #expect(result.counts.added == 1)
            }
        }
    }

    @Test func versionsThatAreStatedOrDatedAreNotCompared() throws {
        try TemporaryFolder.with { folder in
            let stated = try Self.scan(Self.lines, records: .versions, folder)
            #expect(stated.counts.superseded == 1)
            let dated =
                "trip_id,service_date,hcpcs_code,updated_at\n1,2026-03-05,A0429,2026-03-06\n1,2026-03-05,A0425,2026-03-07\n"
            let later = try Self.scan(dated, folder)
            #expect(later.counts.superseded == 1)
            let numbered = "trip_id,service_date,region,sequence\n1,2026-03-05,North,1\n1,2026-04-25,South,2\n"
            #expect(try Self.scan(numbered, folder).counts.superseded == 1)
        }
    }

    /// A column of versions that is blank, or the same in all records, says nothing; and the lines of a bill are numbered too.
    @Test(arguments: [
        "updated_at\n1,2026-03-05,A0429,\n1,2026-03-05,A0425,\n",
        "updated_at\n1,2026-03-05,A0429,2026-04-01\n1,2026-03-05,A0425,2026-04-01\n",
        "sequence\n1,2026-03-05,A0429,1\n1,2026-03-05,A0425,2\n",
    ])
    func aColumnOfVersionsThatSaysNothingIsNone(rest: String) throws {
        try TemporaryFolder.with { folder in
            let refusal = try #require(Self.refusal("trip_id,service_date,hcpcs_code," + rest, folder))
            #expect(refusal.contains("this looks like charge lines"))
        }
    }

    /// The lines of a bill often have its date as `updated_at`, which is another for each trip.
    @Test(arguments: [true, false])
    func linesOfOneTimeAreRecognised(haveTimesOfTheirOwn: Bool) throws {
        try TemporaryFolder.with { folder in
            var rows = "trip_id,service_date,hcpcs_code,cost,updated_at\n"
            for trip in 0..<100 {
                let day = haveTimesOfTheirOwn ? 10 + trip % 20 : trip == 99 ? 11 : 10
                for (code, cost) in [("A0428", 300), ("A0425", 80)] {
                    rows += "\(trip),2026-03-05,\(code),\(cost),2026-04-\(day)\n"
                }
            }
            let refusal = try #require(Self.refusal(rows, folder))
            #expect(refusal.contains("100 trips have several records that differ in hcpcs_code"), "\(refusal)")
            #expect(refusal.contains("this looks like charge lines"))
        }
    }

    /// Some systems write two versions in a second: one trip in twenty may have them.
    @Test(arguments: [8, 20]) func fewLinesOfOneTimeAreVersions(trips: Int) throws {
        try TemporaryFolder.with { folder in
            var rows = "trip_id,service_date,hcpcs_code,cost,updated_at\n"
            for trip in 0..<200 { rows += "\(trip),2026-03-05,A0428,300,2026-04-\(10 + trip % 20)\n" }
            for trip in 0..<trips { rows += "\(trip),2026-03-05,A0425,80,2026-04-\(10 + trip % 20)\n" }
            #expect((Self.refusal(rows, folder) == nil) == (trips == 8))
        }
    }

    /// Rows of a database each have an `updated_at` of their own.
    @Test(arguments: ["hcpcs_code", "vehicle_id"]) func linesWithTimesOfTheirOwnAreRecognised(column: String) throws {
        try TemporaryFolder.with { folder in
            func rows(_ second: (Int) -> String) -> String {
                "trip_id,service_date,\(column),cost,updated_at\n"
                    + (0..<50).map { trip in
                        "\(trip),2026-03-05,A0428,300,2026-04-10T10:00:00\n"
                            + "\(trip),2026-03-05,\(second(trip)),80,2026-04-10T10:00:01\n"
                    }.joined()
            }
            let refusal = try #require(Self.refusal(rows { _ in "A0425" }, folder))
            #expect(refusal.contains("50 trips have several records that differ in \(column)"), "\(refusal)")
            // Corrected: one in five got another code.
            #expect(Self.refusal(rows { $0 % 5 == 0 ? "A0429" : "A0428" }, folder) == nil)
        }
    }

    /// Without codes, lines and corrected costs look alike. What many of them would leave out of the total is said.
    @Test(arguments: [50, 10, 5]) func manyNewCostsAreSaid(trips: Int) throws {
        try TemporaryFolder.with { folder in
            var rows = "trip_id,service_date,cost,updated_at\n"
            for trip in 0..<50 { rows += "\(trip),2026-03-05,300,2026-04-10T10:00:00\n" }
            for trip in 0..<trips { rows += "\(trip),2026-03-05,80,2026-04-10T10:00:01\n" }
            let notes = try Self.scan(rows, folder).files[0].findings.notes
            let said = "\(trips) of the first 50 trips have several records with different costs"
            #expect(
                notes.contains { $0.hasPrefix(said) && $0.contains("`records: lines`") } == (trips > 5), "\(notes)")
        }
    }

    /// `sequence` may number versions or lines. What is not known is said.
    @Test func whatOnlyASequenceRanksIsSaid() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<50).map { "\($0),2026-03-05,300,1\n\($0),2026-03-05,80,2\n" }.joined()
            let notes = try Self.scan("trip_id,service_date,cost,sequence\n" + rows, folder).files[0].findings.notes
            #expect(notes.contains { $0.contains("50 of 100 records are replaced by one with a higher `sequence`") })
        }
    }

    /// Without codes, only the number of such records shows that they are no corrections.
    @Test func manyRecordsOfOneTimeAreDoubtful() throws {
        try TemporaryFolder.with { folder in
            func rows(tied: Int, also: String = "") -> String {
                let first = (0..<100).map { "\($0),2026-03-05,300,2026-04-\(10 + $0 % 20)\(also)\n" }
                let second = (0..<tied).map {
                    "\($0),2026-03-05,80,2026-04-\(10 + $0 % 20)\(also.isEmpty ? "" : ",2")\n"
                }
                let head = "trip_id,service_date,cost,updated_at" + (also.isEmpty ? "" : ",sequence") + "\n"
                return head + first.joined() + second.joined()
            }
            #expect(Self.refusal(rows(tied: 5), folder) == nil)
            #expect(Self.refusal(rows(tied: 50), folder)?.contains("50 of 150 records would replace another") == true)
            // A sequence ranks them.
            #expect(Self.refusal(rows(tied: 50, also: ",1"), folder) == nil)
        }
    }

    /// Each replacement is said, however few there are.
    @Test func whatIsReplacedIsSaid() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<100).map { "\($0),2026-03-05,100\n" }.joined() + "7,2026-03-05,200\n8,2026-03-05,300\n"
            let result = try Self.scan("trip_id,service_date,cost\n" + rows, folder)
            #expect(
                result.files[0].findings.notes.contains(
                    "2 records replace another of the same trip: the later row counts"))
        }
    }

    /// Three patients with one trip id are no slips.
    @Test func otherPatientsAreOtherTrips() throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,patient_id,cost\n"
            func rows(_ count: Int) -> String {
                (0..<100).map { "\($0),2026-03-05,P\($0),100\n" }.joined()
                    + (0..<count).map { "\($0),2026-03-05,Q\($0),100\n" }.joined()
            }
            let few = try Self.scan(head + rows(2), folder)
            #expect(few.counts.superseded == 2)
            let refusal = try #require(Self.refusal(head + rows(3), folder))
            #expect(refusal.contains("3 trips have several records that differ in patient_id"))
        }
    }

    /// A single correction is called one first.
    @Test func oneCorrectionIsNoBill() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<300).map { "\($0),2026-03-05,A0429,100\n" }.joined() + "7,2026-03-05,A0427,140\n"
            let refusal = try #require(Self.refusal("trip_id,service_date,hcpcs_code,cost\n" + rows, folder))
            #expect(
                refusal.contains(
                    "charge lines; if the later record corrects the earlier, write `records: versions`; else"),
                "\(refusal)")
            // Modifiers behind the code, and other spellings of a vehicle, are no other code and vehicle.
            let spelled =
                "trip_id,service_date,hcpcs_code,vehicle_id\n1,2026-03-05,A0429,M5\n1,2026-03-05,A0429-RH,m-5\n"
            #expect(try Self.scan(spelled, folder).counts.superseded == 1)
        }
    }

    /// The header of the second of two joined files, with a column in its place that is not read.
    @Test(arguments: [nil, RecordKind.lines]) func aHeaderWithUnreadColumnsIsFound(records: RecordKind?) throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<50).map { "\($0),2026-03-05,A0429,100,900\n" }.joined()
            let others = (50..<100).map { "\($0),2026-03-05,A0429,900,100\n" }.joined()
            let text =
                "trip_id,service_date,hcpcs_code,cost,billed\n" + rows + "trip_id,service_date,hcpcs_code,billed,cost\n"
                + others
            let refusal = try #require(Self.refusal(text, records: records, folder))
            #expect(refusal.contains("record 51 is a header with other columns than the first"), "\(refusal)")
        }
    }

    // MARK: - Two exports

    /// An id that comes again a year later, or in another region, is of another trip; corrections are of days.
    @Test(arguments: [("2026-03-05", "North", true), ("2025-03-09", "South", true), ("2025-03-07", "North", false)])
    func idsThatComeAgainAreOfOtherTrips(date: String, region: String, isOther: Bool) throws {
        try TemporaryFolder.with { folder in
            let head = "trip_id,service_date,region,cost\n"
            let first = try folder.write(head + (0..<40).map { "\($0),2025-03-05,North,400\n" }.joined(), to: "a.csv")
            let second = try folder.write(
                head + (0..<40).map { "\($0),\(date),\(region),\(isOther ? 80 : 400)\n" }.joined(), to: "b.csv")
            let plan = ScanRequest(inputs: [first, second], rules: try ShippedRules.sample(), workers: 2)
            guard isOther else { return #expect(try ScanRun(plan).run().counts.superseded == 40) }
            let error = #expect(throws: ExportError.self) { try ScanRun(plan).run() }
            #expect(error?.kind == .reusedIDs)
        }
    }

    @Test func unitsOfOneIncidentAreLegs() throws {
        try TemporaryFolder.with { folder in
            let counts = try Self.scan(Self.units, records: .units, folder).counts
            #expect(counts.added == 3 && counts.superseded == 0)
        }
    }

    @Test func idsThatASpreadsheetHasRoundedAreRejected() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                "trip_id,service_date\n1.23457E+11,2026-03-05\n1.23457E+11,2026-03-06\n", to: "rounded.csv")
            let plan = ScanRequest(inputs: [path], rules: try ShippedRules.sample(), workers: 1)
            let error = #expect(throws: ExportError.self) { try ScanRun(plan).run() }
            #expect(error?.kind == .tooManyRejects)
            #expect(error?.problem.contains("rounded_trip_id") == true)
        }
    }

    /// 1, 1.0 and 1e0 are one number. As ids they would be three trips, so those that are not written plainly are refused.
    @Test(arguments: [("12", false), ("-12", false), ("\"12.0\"", false), ("12.0", true), ("1e1", true), ("1.5", true)])
    func idsThatJSONHasWithAFractionAreRejected(id: String, isRejected: Bool) throws {
        try TemporaryFolder.with { folder in
            let others = (0..<200).map { #"{"trip_id":\#(100 + $0),"service_date":"2026-03-05"}"# + "\n" }.joined()
            let path = try folder.write(
                others + #"{"trip_id":\#(id),"service_date":"2026-03-06"}"# + "\n", to: "numbers.ndjson")
            let plan = ScanRequest(inputs: [path], rules: try ShippedRules.sample(), workers: 1)
            let counts = try ScanRun(plan).run().counts
            #expect(counts.rejected == (isRejected ? 1 : 0) && counts.added == (isRejected ? 200 : 201))
        }
    }

    // MARK: - Random exports

    /// Charge lines or units of a few trips, in any order, with copies: whenever reading them as versions would change a
    /// figure, the export is refused.
    @Test func aWrongKindIsRefusedWheneverAFigureWouldDiffer() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 0x6A1)
            var refused = 0
            for round in 0..<FuzzPlan.iterations(640) {
                let isLines = Bool.random(using: &random)
                let text = Self.export(isLines: isLines, &random)
                let right = try Self.scan(text, records: isLines ? .lines : .units, folder)
                let wrong = try Self.scan(text, records: .versions, folder)
                let refusal = Self.refusal(text, folder)
                if Self.figures(right) != Self.figures(wrong) {
                    let reason = isLines ? "hcpcs_code" : "vehicle_id"
                    #expect(refusal?.contains("differ in \(reason)") == true, "round \(round): \(text)")
                    refused += 1
                } else {
                    #expect(refusal == nil || refusal?.contains("differ in") == true, "round \(round): \(text)")
                }
            }
            #expect(refused > 0)
        }
    }

    private static func export(isLines: Bool, _ random: inout SplitMix64) -> String {
        var rows: [String] = []
        for trip in 0..<Int.random(in: 1...6, using: &random) {
            let count = Int.random(in: 1...3, using: &random)
            for part in 0..<count {
                let cost = Int.random(in: 0...5, using: &random)
                let row = "\(trip),2026-03-05,\(isLines ? ["A0429", "A0425", "A0435"][part] : "M\(part)"),\(cost).00"
                rows.append(row)
                // The same row again: of charge lines another line, else a copy.
                if !isLines, Int.random(in: 0..<4, using: &random) == 0 { rows.append(row) }
            }
        }
        rows.shuffle(using: &random)
        let head = "trip_id,service_date,\(isLines ? "hcpcs_code" : "vehicle_id"),cost"
        return ([head] + rows).joined(separator: "\n") + "\n"
    }

    private static func figures(_ result: TrueFigures) -> [Int] {
        result.table.cells.flatMap { [$0.sums.trips, $0.sums.completed.costCents, $0.sums.costedTrips] }
    }
}

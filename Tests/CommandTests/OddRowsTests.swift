import Foundation
import TestSupport
import Testing

/// Rows that are no trips, or whose values lie in other columns than they seem to.
@Suite struct OddRowsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func scan(_ export: String, name: String = "export.csv") throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(export, to: name)
            return try fixture.run(["scan", name, "--audience", "staff", "--format", "json"], in: folder.url)
        }
    }

    private func total(_ result: CommandResult) throws -> Double? {
        let summary = try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any]
        let cells = summary?["cells"] as? [[String: Any]] ?? []
        let all = cells.first { $0["region"] as? String == "All" && $0["tripType"] as? String == "All" }
        return all?["totalCost"] as? Double
    }

    /// A row with the sum of the others has a date and an id of its own.
    @Test(arguments: [
        "TOTAL", "Total:", "Subtotal North", "Grand Total", "sub-total 2", "Totals 2025", "North Total", "SUB_TOTAL",
    ])
    func totalsAreNoTrips(id: String) throws {
        let rows = (0..<60).map { "T\($0),2025-03-10,100.00\n" }
        let result = try scan("trip_id,service_date,cost\n" + rows.joined() + "\(id),2025-03-31,6000.00\n")
        #expect(result.status == 0 && result.stderrText.contains("1 row is a total"), "\(result.stderrText)")
        #expect(try total(result) == 6_000)
    }

    @Test(arguments: ["TOTALCARE-17", "Totem-4", "Subaru 7", "GR-12345", "Total1"]) func otherIDsAreTrips(id: String)
        throws
    {
        let rows = (0..<200).map { "T\($0),2025-03-10,100.00\n" }
        let result = try scan("trip_id,service_date,cost\n" + rows.joined() + "\(id),2025-03-31,200.00\n")
        #expect(try result.status == 0 && total(result) == 20_200, "\(result.stderrText)")
    }

    /// `1,234.56` without quotes makes two fields of one. With a blank last column nothing else shows it.
    @Test func commasForThousandsAreNoDelimiters() throws {
        let rows = (0..<200).map { "T\($0),2025-03-10,\($0 % 2 == 0 ? "1,234.56" : "950.00"),\n" }
        let mixed = try scan("trip_id,service_date,cost,note\n" + rows.joined())
        #expect(mixed.status == 65 && mixed.stderrText.contains("field_count"), "\(mixed.stderrText)")
        let all = (0..<200).map { "T\($0),2025-03-10,\($0 % 7 + 1),\(100 + $0).50,\n" }
        let each = try scan("trip_id,service_date,cost,note\n" + all.joined())
        #expect(
            each.status == 65 && each.stderrText.contains("unquoted commas"), "\(each.stderrText)")
        // Rows that end with a delimiter.
        let plain = (0..<200).map { "T\($0),2025-03-10,950.00,x,\n" }
        #expect(try total(scan("trip_id,service_date,cost,note\n" + plain.joined())) == 190_000)
    }

    @Test(arguments: [15, 300]) func aFewRowsOrACurrencyHideNoCommas(count: Int) throws {
        let rows = (0..<count).map { "T\($0),2025-03-10,\(count == 300 ? "USD " : "")\($0 % 7 + 1),\(100 + $0).50,\n" }
        let result = try scan("trip_id,service_date,cost,note\n" + rows.joined())
        #expect(result.status == 65 && result.stderrText.contains("unquoted commas"), "\(result.stderrText)")
        let nameless = (0..<count).map { "T\($0),2025-03-10,\($0 % 2 == 0 ? "1,234.56" : "950.00")\n" }
        let other = try scan("trip_id,service_date,cost,\n" + nameless.joined())
        #expect(other.status == 65 && other.stderrText.contains("unquoted"), "\(other.stderrText)")
    }

    /// A report by groups: the name of each stands alone in its row.
    @Test func namesOfGroupsAreSkipped() throws {
        let rows = ["North", "South", "East"].map { region in
            "\(region),,,\n" + (0..<30).map { "\(region)\($0),2025-03-10,\(region),\(100 + $0).25\n" }.joined()
                + "\(region) Total,,,3442.50\n"
        }
        let result = try scan("trip_id,service_date,region,cost\n" + rows.joined())
        #expect(result.status == 0 && result.stderrText.contains("added 90 +"), "\(result.stderrText)")
        #expect(result.stderrText.contains("skipped 6"), "\(result.stderrText)")
    }

    @Test func costsThatAreCentsAreSaidAndCanBeRead() throws {
        let rows = (0..<40).map { "T\($0),2025-03-10,\(123_400 + $0 * 1000)\n" }
        let text = "trip_id,service_date,cost\n" + rows.joined()
        let result = try scan(text)
        #expect(result.status == 0 && result.stderrText.contains("if they are cents"), "\(result.stderrText)")
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "trips.csv")
            try folder.write(
                "source: own\nunits: {cost: cents}\ncolumns: {trip_id: trip_id, service_date: service_date, cost: cost}\n",
                to: "own.yaml")
            let own = try fixture.run(
                ["scan", "trips.csv", "--profile", "./own.yaml", "--internal", "--format", "csv"], in: folder.url)
            #expect(own.status == 0 && own.stdoutText.contains(",57160.00,"), "\(own.stdoutText)")
        }
    }

    /// In any language.
    @Test func aCostThatIsTheSumOfAllOthersIsNoTrip() throws {
        let rows = (0..<60).map { "T\($0),2025-03-10,\(100 + $0).25\n" }
        let sum = (0..<60).reduce(0) { $0 + 10_025 + $1 * 100 }
        let result = try scan(
            "trip_id,service_date,cost\n" + rows.joined()
                + "Yhteensä,2025-03-31,\(sum / 100).\(sum % 100 < 10 ? "0" : "")\(sum % 100)\n")
        #expect(result.status == 65 && result.stderrText.contains("the sum of all others"), "\(result.stderrText)")
    }

    @Test(arguments: ["Gesamt", "Gesamtsumme", "Zwischensumme:", "Suma", "Totaal", "Total général"])
    func aWordForATotalIsNoTrip(word: String) throws {
        let rows = (0..<60).map { "T\($0),2025-03-10,\(100 + $0).25\n" }
        let result = try scan("trip_id,service_date,cost\n" + rows.joined() + "\(word),2025-03-31,7800.00\n")
        #expect(result.status == 0 && result.stderrText.contains("added 60 +"), "\(result.stderrText)")
    }

    /// A subtotal a month, and with them a grand total.
    @Test(arguments: [true, false]) func subtotalsAreNoTrips(hasGrandTotal: Bool) throws {
        let rows = (0..<90).map { "T\($0),2025-0\($0 % 3 + 1)-10,\(100 + $0).25\n" }
        let sums = (0..<3).map { month in (0..<90).filter { $0 % 3 == month }.reduce(0) { $0 + 10_025 + $1 * 100 } }
        func dollars(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }
        let totals = sums.enumerated().map { "2025-0\($0 + 1),2025-0\($0 + 1)-28,\(dollars($1))\n" }
        let grand = hasGrandTotal ? "2025,2025-03-31,\(dollars(sums.reduce(0, +)))\n" : ""
        let result = try scan("trip_id,service_date,cost\n" + rows.joined() + totals.joined() + grand)
        #expect(result.status == 65 && result.stderrText.contains("the sum of all others"), "\(result.stderrText)")
        // Flat fares have a half of the sum too.
        let flat = (0..<40).map { "T\($0),2025-03-10,100.00\n" }
        #expect(try scan("trip_id,service_date,cost\n" + flat.joined()).status == 0)
    }

    @Test func costsThatAreNotKnownAreSaid() throws {
        func export(_ cost: (Int) -> String) -> String {
            "trip_id,service_date,cost\n" + (0..<60).map { "T\($0),2025-03-10,\(cost($0))\n" }.joined()
        }
        let zeros = try scan(export { $0 % 2 == 0 ? "0.00" : "\(100 + $0)" })
        #expect(zeros.status == 0 && zeros.stderrText.contains("30 of 60 costs are 0.00"), "\(zeros.stderrText)")
        let nines = try scan(export { $0 % 10 == 0 ? "99999.99" : "\(100 + $0)" })
        #expect(nines.status == 0 && nines.stderrText.contains("6 costs are 99999.99"), "\(nines.stderrText)")
    }

    /// A bill and what was taken back, in one file.
    @Test func aBillIsNotReplacedByItsReversal() throws {
        let rows = (0..<100).map { "T\($0),2025-03-10,100.00\n" } + (0..<5).map { "T\($0),2025-03-10,-100.00\n" }
        let result = try scan("trip_id,service_date,cost\n" + rows.joined())
        #expect(result.status == 65 && result.stderrText.contains("`records: lines`"), "\(result.stderrText)")
    }

    /// `0,390` is no 390 dollars.
    @Test func aCommaAfterAZeroIsNoThousand() throws {
        let rows = (0..<40).map { "T\($0),2025-03-10,\"0,390\"\n" }
        let result = try scan("trip_id,service_date,cost\n" + rows.joined())
        #expect(result.status == 65 && result.stderrText.contains("40 of 40 values of cost"), "\(result.stderrText)")
    }

    @Test func distancesOverTheLimitAreSaid() throws {
        let rows = (0..<40).map { "T\($0),2025-03-10,\($0 == 7 ? 400_000 : 12)\n" }
        let result = try scan("trip_id,service_date,loaded_miles\n" + rows.joined())
        #expect(
            result.status == 0 && result.stderrText.contains("1 distance is over the limit"), "\(result.stderrText)")
    }

    @Test func aColumnOfCurrenciesIsSaid() throws {
        func export(_ other: String) -> String {
            "trip_id,service_date,cost,Currency\n"
                + (0..<40).map { "T\($0),2025-03-10,100.00,\($0 % 2 == 0 ? "USD" : other)\n" }.joined()
        }
        let mixed = try scan(export("EUR"))
        #expect(mixed.stderrText.contains("has other values than USD"), "\(mixed.stderrText)")
        #expect(try !scan(export("USD")).stderrText.contains("USD"))
    }

    /// What was billed, and what was paid: one of them is read.
    @Test func aSecondColumnOfMoneyIsSaid() throws {
        let rows = (0..<40).map { "T\($0),2025-03-10,100.00,90.00\n" }
        let result = try scan("trip_id,service_date,cost,Amount Paid\n" + rows.joined())
        #expect(result.stderrText.contains("“Amount Paid” (cost)"), "\(result.stderrText)")
    }

    // MARK: - Lines and legs

    /// The mileage of trips without their base rates.
    @Test func mileageAloneIsNoTrip() throws {
        let rows = (0..<40).map { "T\($0),2025-03-10,A0425,\($0 * 8).50\n" }
        let result = try scan("trip_id,service_date,hcpcs_code,cost\n" + rows.joined())
        #expect(result.status == 65)
        #expect(
            result.stderrText.contains("40 of 40 records have the code of mileage")
                && result.stderrText.contains("`records: lines`"),
            "\(result.stderrText)")
    }

    /// The cost of the call on each vehicle, against fares and costs of their own.
    @Test(arguments: ["of the trip", "fare", "own"]) func costsOnEachLegAreSaid(kind: String) throws {
        let rows = (0..<40).flatMap { trip in
            [0, 1].map { leg in
                let cost = kind == "fare" ? 85 : kind == "own" ? 100 + trip * 7 + leg * 3 : 100 + trip * 7
                return "T\(trip),\(leg),2025-03-10,\(cost).00\n"
            }
        }
        let result = try scan("trip_id,leg_id,service_date,cost\n" + rows.joined())
        let message = "40 of the first 40 trips with several legs or vehicles have the same cost in each of them"
        #expect(
            result.status == 0 && result.stderrText.contains(message) == (kind == "of the trip"), "\(result.stderrText)"
        )
    }
}

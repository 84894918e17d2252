import Basics
import ExportBytes
import Intake
import Profiles
import TestSupport
import Testing
import Trips

/// What counts as a value in the columns of an export, and what is no part of one.
@Suite struct ReadValuesTests {
    /// A trip as it was decoded.
    private struct Trip: Equatable {
        var key: UInt64
        var region: UInt8
        var tripType: UInt8
        var month: Int32
        var cents: Int
        var miles: Int
        var texts: [String]
        var warnings: UInt32
    }

    /// Keeps what it is handed.
    private struct Collector: TripConsumer {
        private var trips: [Trip] = []

        mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
            for row in 0..<batch.count {
                let provider = worker.dictionaries[1][batch.text[1][row]].revealed(for: .matching)
                trips.append(
                    Trip(
                        key: batch.keyHashes[row], region: batch.region[row], tripType: batch.tripType[row],
                        month: batch.month[row], cents: batch.costCents[row], miles: batch.loadedHundredths[row],
                        texts: [batch.text[0][row] == 0 ? "" : "present", provider],
                        warnings: batch.warnings[row] & ~(1 << UInt32(WarningCode.intervalMissing.index))))
            }
            return true
        }

        mutating func finish() -> [Trip] { trips }
    }

    private typealias Reading = (trips: [Trip], rejected: [RejectReason: Int])

    private static let header =
        "trip_id,leg_id,status,trip_type,region,unit_notified_at,on_scene_at,contract_number,provider_id,cost,loaded_miles"

    private static let plain = [
        "trip_id": "T1", "status": "completed", "trip_type": "Emergency", "region": "North",
        "unit_notified_at": "2025-03-04 10:00:00", "on_scene_at": "2025-03-04 10:10:00", "contract_number": "C1",
        "provider_id": "P1", "cost": "100.00", "loaded_miles": "5.0",
    ]

    /// A record of the plain values and these.
    private static func line(_ values: [String: String]) -> String {
        header.split(separator: ",").map { name in
            let value = values[String(name)] ?? plain[String(name)] ?? ""
            return value.contains { "\",\n".contains($0) }
                ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
        }.joined(separator: ",")
    }

    private static func read(_ records: [[String: String]], profile: Profile? = nil) throws -> Reading {
        try read(text: ([header] + records.map(line)).joined(separator: "\n") + "\n", profile: profile)
    }

    private static func read(text: String, profile: Profile? = nil) throws -> Reading {
        try TemporaryFolder.with { folder in
            let path = try folder.write(text, to: "trips.csv")
            let reader = try ExportReader(
                .init(
                    path: path, profile: profile,
                    textNeeds: [(.contractNumber, .presence), (.providerID, .value)]))
            let (trips, findings) = try reader.read(workers: 1) { _ in Collector() }
            return (trips.flatMap(\.self), findings.rejectsByReason)
        }
    }

    private static let words = [
        "NULL", "N/A", "na", "None", "nil", "\\N", "#N/A", "-", "--", ".", "unknown", " NULL ", "",
    ]

    @Test func wordsForNothingAreNoValueInAnyColumn() throws {
        let fields = [
            "status", "trip_type", "region", "contract_number", "provider_id", "cost", "loaded_miles", "leg_id",
        ]
        for field in fields {
            let blank = try #require(Self.read([[field: ""]]).trips.first)
            #expect(blank.warnings == 0)
            for word in Self.words {
                #expect(try Self.read([[field: word]]).trips == [blank], "\(field) “\(word)”")
            }
        }
    }

    @Test func aTripIdThatSaysNothingIsMissing() throws {
        for word in Self.words { #expect(try Self.read([["trip_id": word]]).rejected == [.missingTripID: 1]) }
    }

    @Test func wordsForNothingAreNoTime() throws {
        for word in Self.words {
            let trip = try #require(
                Self.read([["unit_notified_at": word, "on_scene_at": "2025-04-04 10:10:00"]]).trips.first)
            #expect(trip.warnings == 0 && trip.month == Month(year: 2025, month: 4).index, "“\(word)”")
        }
    }

    @Test func aProfileAddsWordsAlsoThoseThatLookLikeValues() throws {
        var profile = Profile(source: "cad")
        for field in CanonicalField.allCases { profile.columns[field] = [field.rawValue] }
        profile.missingWords = ["see log", "0", "2020-02-02 02:02:02"]
        let trips = try Self.read(
            [
                ["cost": "see log"], ["cost": "0"], ["contract_number": "SEE LOG"],
                ["unit_notified_at": "2020-02-02 02:02:02"],
            ], profile: profile
        ).trips
        #expect(trips.map(\.cents) == [AmountState.absent, AmountState.absent, 10_000, 10_000])
        #expect(trips[2].texts[0].isEmpty && trips.allSatisfy { $0.warnings == 0 })
        #expect(trips[3].month == Month(year: 2025, month: 3).index)
    }

    @Test(arguments: [
        "\u{A0}", "\u{2003}", "\u{2009}", "\u{202F}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\t", "  ", "\u{7}",
    ])
    func invisibleCharactersAroundAValueAreNoPartOfIt(mark: String) throws {
        let plain = try Self.read([[:]]).trips
        for padded in [{ mark + $0 }, { $0 + mark }, { mark + $0 + mark }] as [(String) -> String] {
            #expect(try Self.read([Self.plain.mapValues(padded)]).trips == plain)
        }
        #expect(try Self.read([["contract_number": mark]]).trips.first?.texts[0] == "")
        // A header of more tabs than commas would be one of tabs.
        guard mark != "\t" else { return }
        let header = Self.header.split(separator: ",").map { mark + $0 + mark }.joined(separator: ",")
        #expect(try Self.read(text: header + "\n" + Self.line([:]) + "\n").trips == plain)
    }

    @Test func theProtectionsOfSpreadsheetsAreNoPartOfAnId() throws {
        let ids = ["0000012", "=\"0000012\"", "'0000012", " 0000012\u{A0}", "12"]
        let quoted = try Self.read(ids.map { ["trip_id": $0] }).trips.map(\.key)
        #expect(Set(quoted.prefix(4)).count == 1 && quoted[4] != quoted[0])
        let bare = Self.line(["trip_id": "X"]).replacing("X,", with: "=\"0000012\",", maxReplacements: 1)
        #expect(try Self.read(text: Self.header + "\n" + bare + "\n").trips.map(\.key) == [quoted[0]])
    }

    @Test func placeholdersAreNoTimeAndTheNextTimePlacesTheTrip() throws {
        for text in [
            "1900-01-01", "1970-01-01 00:00:00", "2000-01-01T00:00:00Z", "9999-12-31 00:00:00", "0001-01-01 00:00:00",
        ] {
            let trip = try #require(Self.read([["unit_notified_at": text]]).trips.first)
            #expect(trip.warnings == 0 && trip.month == Month(year: 2025, month: 3).index, "\(text)")
        }
    }
}

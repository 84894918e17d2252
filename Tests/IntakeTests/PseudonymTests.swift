import Intake
import Keys
import Profiles
import TestSupport
import Testing
import Trips

/// Trips and patients have the same pseudonyms whatever their export is written in: those of `Pseudonymizer`.
@Suite struct PseudonymTests {
    private struct Pseudonyms: Hashable {
        var trip: TripKey
        var patient: UInt64
    }

    private let key = PseudonymKey(bytes: Array(1...32))

    /// Trip, leg and patient ids as they are meant: plain, escaped, blank, long, beyond ASCII.
    private static let ids: [(trip: String, leg: String, patient: String)] = [
        ("T1", "", ""), ("T1", "2", "P1"), ("T12", "", "P1"), ("T\"quoted\"", "a,b", "P \"2\""),
        ("T\\back", "é", "P\u{2013}3"), ("0007", "1", String(repeating: "long ", count: 9) + "id"),
        ("1234567890123456", "12345678901234567", "1234567890123456"), ("T 2\tx", "-1", "ÀÖ"),
    ]

    private func pseudonymizer(_ source: String = "cad") throws -> Pseudonymizer {
        Pseudonymizer(key: try #require(key), source: source)
    }

    private func expected(source: String = "cad") throws -> [Pseudonyms] {
        let pseudonymizer = try pseudonymizer(source)
        return Self.ids.map { ids in
            Pseudonyms(
                trip: pseudonymizer.tripKey(tripID: ids.trip.utf8, legID: ids.leg.utf8),
                patient: ids.patient.isEmpty ? 0 : pseudonymizer.patient(ids.patient.utf8))
        }
    }

    private func read(_ path: String, source: String = "cad", hasVersions: Bool = true) throws -> [Pseudonyms] {
        var profile = Profile(source: source)
        profile.columns = [.tripID: ["trip"], .legID: ["leg"], .patientID: ["patient"], .serviceDate: ["day"]]
        var request = ExportReader.Request(path: path, profile: profile, textNeeds: [], pseudonyms: key)
        request.hashesContents = false
        let reader = try ExportReader(request)
        let worker = reader.makeWorker()
        var batch = worker.makeBatch(hasVersions: hasVersions)
        var found: [Pseudonyms] = []
        while try worker.next(into: &batch) {
            for row in 0..<batch.count {
                let low = hasVersions ? batch.versions[row].keyCheck : 0
                if hasVersions { #expect(batch.versions[row].contentHash == 0) }
                found.append(
                    Pseudonyms(
                        trip: TripKey(high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: low)),
                        patient: batch.patientHashes[row]))
            }
        }
        return found
    }

    /// The rows of the delimited forms; `pad` stands around every value.
    private static func delimited(_ delimiter: String, quoted: Bool, pad: String = "") -> String {
        func field(_ value: String) -> String {
            let isRisky = value.contains { "\",\t\\;".contains($0) }
            let text = pad + value + pad
            return quoted || isRisky ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
        }
        let rows = ids.map { [$0.trip, $0.leg, $0.patient, "2026-03-05"].map(field).joined(separator: delimiter) }
        return ([["trip", "leg", "patient", "day"].joined(separator: delimiter)] + rows).joined(separator: "\n") + "\n"
    }

    private static func objects(isEscaped: Bool) -> [String] {
        func text(_ value: String) -> String {
            if value.isEmpty { return "null" }
            if isEscaped { return "\"" + value.utf16.map { "\\u" + hex($0) }.joined() + "\"" }
            let plain = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
            return "\"\(plain)\""
        }
        return ids.map {
            "{\"trip\":\(text($0.trip)),\"leg\":\(text($0.leg)),\"patient\":\(text($0.patient)),\"day\":\"2026-03-05\"}"
        }
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test func allFormatsAgreeWithThePseudonymizer() throws {
        let expected = try expected()
        try TemporaryFolder.with { folder in
            let utf16 = Self.delimited("\t", quoted: false).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let paths = [
                try folder.write(Self.delimited(",", quoted: false), to: "plain.csv"),
                try folder.write(Self.delimited(",", quoted: true), to: "quoted.csv"),
                try folder.write(Self.delimited(",", quoted: true, pad: " \u{A0}\t"), to: "padded.csv"),
                try folder.write(Self.delimited("\t", quoted: true), to: "plain.tsv"),
                try folder.write([0xFF, 0xFE] + utf16, to: "utf16.txt"),
                try folder.write(Self.objects(isEscaped: false).joined(separator: "\n"), to: "plain.ndjson"),
                try folder.write(Self.objects(isEscaped: true).joined(separator: "\n"), to: "escaped.ndjson"),
                try folder.write("[" + Self.objects(isEscaped: true).joined(separator: ",") + "]", to: "array.json"),
            ]
            for path in paths {
                let found = try read(path)
                // Which row, not which values.
                let wrong = expected.indices.filter { $0 >= found.count || found[$0] != expected[$0] }
                #expect(wrong == [] && found.count == expected.count, "\(path.suffix(14)), rows \(wrong)")
            }
        }
    }

    @Test func numbersOfJSONAreTheirDigits() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("{\"trip\":17,\"leg\":2,\"day\":\"2026-03-05\"}", to: "numbers.ndjson")
            let trip = try pseudonymizer().tripKey(tripID: "17".utf8, legID: "2".utf8)
            #expect(try read(path) == [Pseudonyms(trip: trip, patient: 0)])
        }
    }

    @Test func anotherSourceHasOtherPseudonyms() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.delimited(",", quoted: false), to: "plain.csv")
            let own = try read(path), other = try read(path, source: "vetride")
            #expect(other == (try expected(source: "vetride")))
            #expect(Set(own.map(\.trip)).isDisjoint(with: other.map(\.trip)))
            #expect(Set(own.map(\.patient)).intersection(other.map(\.patient)) == [0])
        }
    }

    /// More patients than a worker remembers, each met twice.
    @Test func patientsWhoReturnKeepTheirPseudonym() throws {
        try TemporaryFolder.with { folder in
            let count = 140_000
            let rows = (0..<2 * count).map {
                "T\($0),,P\($0 % count)\($0 % 7 == 0 ? " of a long name" : ""),2026-03-05"
            }
            let path = try folder.write("trip,leg,patient,day\n" + rows.joined(separator: "\n"), to: "patients.csv")
            let patients = try read(path, hasVersions: false).map(\.patient)
            let pseudonymizer = try pseudonymizer()
            let expected = (0..<2 * count).map {
                pseudonymizer.patient("P\($0 % count)\($0 % 7 == 0 ? " of a long name" : "")".utf8)
            }
            #expect(patients == expected)
        }
    }

    @Test func aRecordWithoutATripIDIsRejected() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                "trip,leg,patient,day\n \u{A0},1,P1,2026-03-05\n,1,P1,2026-03-05\nT1,2,P1,2026-03-05\n", to: "blank.csv"
            )
            #expect(try read(path) == [expected()[1]])
        }
    }
}

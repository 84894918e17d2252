import Profiles
import Testing

struct PHIColumnCheckTests {
    @Test(arguments: [
        ("SSN", PHIColumnCheck.Sign.socialSecurityNumber), ("Date Of Birth", .dateOfBirth), ("DOB", .dateOfBirth),
        ("Last Name", .personName), ("Passenger", .personName), ("Escort", .personName), ("Name", .personName),
        ("Phone Number", .phone), ("E-mail", .email), ("Pickup Address", .address), ("ZipCode", .address),
        ("Passenger Member ID", .recordNumber), ("MRN", .recordNumber), ("VA Notes", .freeText),
        ("Comments", .freeText),
        ("Location", .address), ("ePatient.12", .socialSecurityNumber), ("Patient Age", .age),
    ]) func knowsNamesOfIdentifyingColumns(header: String, sign: PHIColumnCheck.Sign) {
        #expect(PHIColumnCheck.sign(ofHeader: header) == sign)
    }

    @Test(arguments: [
        "Provider Name", "Contract Name", "Battalion", "Unit Type", "Priority", "Call Type Group", "Box",
        "UNIT_ARRIVED_TO_PATIENT_DT",
    ])
    func leavesOtherColumnsAlone(header: String) {
        #expect(PHIColumnCheck.sign(ofHeader: header) == nil)
    }

    @Test(
        arguments: [
            (["x", "see 000-00-0000 there"], PHIColumnCheck.Sign.socialSecurityNumber),
            (["", "(555) 555-0100"], .phone),
            (["nobody@example.invalid"], .email), (["1901-02-03", "1950-01-01", "1999-12-31"], .dateOfBirth),
            (["1/2/1930", "3/4/1960", ""], nil), (["2025-01-01", "2025-02-01", "2025-03-01"], nil),
            (["12-34-567"], nil),
            (["A0427", "QN"], nil), (["4155550100000"], nil),
        ] as [([String], PHIColumnCheck.Sign?)]) func knowsShapesOfValues(values: [String], sign: PHIColumnCheck.Sign?)
    {
        #expect(PHIColumnCheck.sign(ofValues: values) == sign)
    }

    @Test func reportsUnmappedColumnsByPositionOnly() {
        let header = ["Trip ID", "Start Time", "Passenger", "Extra"]
        let rows = [["T1", "2026-01-01T10:00", "Zzz Qqq", "(555) 555-0101"]]
        let findings = PHIColumnCheck.findings(header: header, mapped: [0, 1], rows: rows)
        #expect(
            findings == [
                .init(position: 3, sign: .personName, isByValues: false),
                .init(position: 4, sign: .phone, isByValues: true),
            ])
        let text = findings.map(\.description).joined()
        for cell in rows.joined() { #expect(!text.contains(cell)) }
    }

    @Test func mappedColumnsAreNotReported() throws {
        let header = ["Trip ID", "Start Time", "Passenger", "VA Notes", "Phone"]
        let profile = try Profile.plain(header: header, source: "x")
        let mapped = PHIColumnCheck.mappedColumns(of: profile, in: header)
        #expect(mapped == [0, 1, 2, 3, 4])
    }
}

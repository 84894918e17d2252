import Profiles
import Testing
import Trips

/// `map suggest` shows a value only if it cannot be a name or an address.
struct SuggestedValuesTests {
    private static let persons = [
        "Jane Doe", "DOE, JANE", "Doe", "jane", "O'Brien", "J. Doe", "Dr. Doe", "JD Doe", "María", "West Doe",
        "Doe Zone",
        "Zone Jane", "123 Main St", "12 North", "5 West", "100 North Area", "Main Street", "PO Box 12", "Apt 4B Main",
        "Jane Doe completed", "Doe - Cancelled", "Emergency Doe", "Dialysis: Jane", "JAD", "MRN12", "1234567", "90210",
        "212",
    ]

    private static func yaml(
        _ name: String, _ values: [String], patients: ((Int) -> String)? = nil, patientName: String = "Patient ID"
    ) -> String {
        let header = ["Trip ID", "Start Time", name, patientName]
        let rows = (0..<(values.count * 40)).map { row in
            ["T\(row)", "2026-01-01T10:00:00Z", values[row % values.count], patients?(row) ?? "P\(row)"]
        }
        return ProfileSuggestion(header: header, rows: rows, source: "x").yaml
    }

    /// Some of these columns are read as region, trip type or status, the others not at all.
    @Test(arguments: [
        "Area", "Location", "Pickup", "Notes", "Region", "County", "Zone", "City", "District", "Status", "Trip Type",
        "Disposition", "Priority", "LOS", "Type", "Nature", "Stattus",
    ]) func noNameOrAddressIsShown(name: String) {
        for start in stride(from: 0, to: Self.persons.count, by: 7) {
            let values = Array(Self.persons[start..<min(start + 7, Self.persons.count)])
            let yaml = Self.yaml(name, values)
            for value in values { #expect(!yaml.contains("\"\(value)\""), "\(name)") }
            for value in values where value.count > 4 { #expect(!yaml.contains(value), "\(name)") }
        }
    }

    @Test(arguments: ["Northern", "District 4", "Zone 3", "B01", "7", "North-East", "Central Area", "Out of County"])
    func usualRegionsAreShown(value: String) {
        let yaml = Self.yaml("Region", [value, "Jane Doe"])
        #expect(yaml.contains("regions:\n  - \"\(value)\""))
        #expect(yaml.contains("Not shown, since a value may be a name or an address: 1. Add those that are regions."))
        #expect(yaml.contains("\"Aaaa Aaa\""))
    }

    /// A list would take the place of the configured one.
    @Test func configuredRegionsAreNotListedAgain() {
        let yaml = Self.yaml("Region", ["North", "South", "Jane Doe"])
        #expect(
            !yaml.contains("regions:\n") && yaml.contains("Not shown, since a value may be a name or an address: 1."))
    }

    @Test(arguments: ["BLS Non-Emergency", "Code 2 Transport", "1 - Emergency", "Inter-facility transfer", "2205005"])
    func usualTripTypesAreShown(value: String) {
        let yaml = Self.yaml("Trip Type", [value, "Jane Doe"])
        #expect(yaml.contains("\"\(value)\":"))
        #expect(yaml.contains("\n  trip_type: \"Trip Type\"  # ? column 3"))
    }

    @Test func aStatusOfUsualWordsIsMapped() {
        let yaml = Self.yaml("Status", ["Transport completed", "Cancelled by caller", "Trip cancelled"])
        #expect(yaml.contains("\n      \"Transport completed\": \"completed\"  # ?"))
        #expect(!yaml.contains("caller"))
    }

    /// A value of one patient who rides every day is not shown, though it occurs often.
    @Test(arguments: ["Patient ID", "Member ID", "Patient Name"]) func elevenPatientsMustHaveAValue(column: String) {
        func isShown(patients: Int) -> Bool {
            Self.yaml("Region", ["Zone 3"], patients: { "P\($0 % patients)" }, patientName: column).contains("Zone 3")
        }
        #expect(!isShown(patients: 1))
        #expect(!isShown(patients: 10))
        #expect(isShown(patients: 11))
        #expect(Self.yaml("Region", ["Zone 3"], patients: { _ in "" }, patientName: column).contains("Zone 3"))
    }

    @Test func noRegionIsListedIfNoneIsUsual() throws {
        let yaml = Self.yaml("County", ["Doe", "Roe"])
        #expect(yaml.contains("# regions:\n#   - NAME") && !yaml.contains("\nregions:"))
        let profile = try ProfileFileTests.read(yaml)
        #expect(profile.columns[.region] == ["County"])
    }
}

import Privacy
import TestSupport
import Testing
import Trips

/// The 18 identifiers: all have a rule in both profiles, every field says which it may hold, and the page tells it.
@Suite struct IdentifierTests {
    @Test func thereAre18ByTheirLetters() {
        #expect(Identifier.allCases.map(\.rawValue) == "ABCDEFGHIJKLMNOPQR".map { String($0) })
    }

    @Test func everyIdentifyingFieldCarriesOne() {
        for field in CanonicalField.allCases where field.isIdentifying {
            #expect(!field.carriedIdentifiers.isEmpty, "\(field.rawValue) identifies, but by none of the 18")
        }
    }

    /// No profile asks the reader for a field that may hold something it removes.
    @Test(arguments: [PrivacyProfile.safeHarbor, .limitedDataSet])
    func noFieldIsReadOfWhichNothingMayStay(profile: PrivacyProfile) {
        for field in profile.fieldsRead {
            for identifier in field.carriedIdentifiers {
                #expect(profile.treatment(of: identifier) != .removed, "\(field.rawValue) carries \(identifier)")
            }
        }
    }

    /// 16 direct identifiers go under a limited data set; dates, some places and other codes may stay (164.514(e)(2)).
    @Test func whatALimitedDataSetRemovesIsWhatItMust() {
        let staying = Identifier.allCases.filter { PrivacyProfile.limitedDataSet.treatment(of: $0) != .removed }
        #expect(staying == [.geography, .dates, .other])
        #expect(Identifier.allCases.filter { PrivacyProfile.safeHarbor.treatment(of: $0) != .removed } == staying)
    }

    @Test func thePageTellsEachIdentifierWithItsTest() throws {
        let page = try Repository.text("docs/privacy-identifiers.md")
        let tests =
            try [
                "Tests/PrivacyTests/Deidentification", "Tests/UseCaseTests", "Tests/CommandTests", "Tests/ReportsTests",
            ]
            .flatMap { Repository.files(under: $0, withExtension: "swift") }
            .map { try Repository.text($0) }.joined() + Repository.text("Tests/Tools/check_deidentification.py")
        for identifier in Identifier.allCases {
            let line = page.split(separator: "\n").first { $0.hasPrefix("| \(identifier.rawValue) |") }
            guard let line else {
                Issue.record("docs/privacy-identifiers.md lacks identifier \(identifier.rawValue)")
                continue
            }
            for profile in [PrivacyProfile.safeHarbor, .limitedDataSet] {
                #expect(line.contains("| " + profile.treatment(of: identifier).words + " |"), "\(identifier)")
            }
            for field in CanonicalField.allCases
            where field.carriedIdentifiers.contains(identifier) && field != .notes && field != .updatedAt {
                #expect(line.contains("`\(field.rawValue)`") || line.contains("every time"), "\(identifier): \(field)")
            }
            let names =
                line.split(separator: "|").last.map { $0.matches(of: /`(\w+)`/).map { String($0.output.1) } } ?? []
            #expect(!names.isEmpty, "\(identifier.rawValue) names no test")
            for name in names { #expect(tests.contains("func \(name)(") || tests.contains("def \(name)("), "\(name)") }
        }
    }
}

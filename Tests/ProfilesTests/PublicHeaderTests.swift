import Profiles
import TestSupport
import Testing
import Trips

/// How many columns of twelve headers `map suggest` maps. A field is right if a column that means it is proposed for it,
/// wrong if another column is, and missed if no column is.
struct PublicHeaderTests {
    private struct Outcome {
        var right: Set<String> = []
        var wrong: [String] = []
        var wrongWithoutMark: [String] = []
        var missed: Set<String> = []
    }

    private static func suggestion(_ export: PublicExport) -> ProfileSuggestion {
        ProfileSuggestion(header: export.header, rows: export.rows(1500), source: "x")
    }

    private static func outcome(_ export: PublicExport) -> Outcome {
        var outcome = Outcome()
        for (column, truth) in zip(suggestion(export).columns, export.columns) where column.isProposed {
            let field = column.field?.rawValue ?? ""
            if truth.fields.contains(field) {
                outcome.right.insert(field)
            } else {
                outcome.wrong.append("\(truth.name): \(field)")
                if !column.isDoubtful { outcome.wrongWithoutMark.append("\(truth.name): \(field)") }
            }
        }
        outcome.missed = Set(export.columns.filter(\.isExpected).flatMap(\.fields)).subtracting(outcome.right)
        return outcome
    }

    /// All are right today; a new name may cost one of ten at most.
    @Test(arguments: PublicExport.all) func atLeastNineOfTenAreRight(export: PublicExport) {
        let outcome = Self.outcome(export)
        let all = outcome.right.count + outcome.wrong.count + outcome.missed.count
        #expect(outcome.right.count * 10 >= all * 9, "wrong \(outcome.wrong), missed \(outcome.missed)")
        #expect(outcome.wrongWithoutMark.isEmpty)
    }

    @Test func theSumOfAllHeadersDoesNotFall() {
        let outcomes = PublicExport.all.map(Self.outcome)
        #expect(outcomes.map(\.right.count).reduce(0, +) >= 124)
        #expect(outcomes.map(\.wrong.count).reduce(0, +) == 0)
    }

    @Test(arguments: PublicExport.all) func whatIsProposedLoads(export: PublicExport) throws {
        let suggestion = Self.suggestion(export)
        let lacksID = ["Indiana", "Marin"].contains(export.name)
        #expect(suggestion.problems.isEmpty && suggestion.hasNoTripIDs == lacksID)
        let profile = try ProfileFileTests.read(suggestion.yaml)
        #expect(profile.columns.count == suggestion.columns.count(where: \.isProposed))
        #expect(profile.hasNoTripIDs == lacksID)
    }

    /// The values of a column that may be shown are regions, types and statuses; no value of another column is.
    @Test(arguments: PublicExport.all) func onlyValuesOfRegionTypeAndStatusAreShown(export: PublicExport) {
        let suggestion = Self.suggestion(export)
        let shownFields: Set<String> = ["region", "trip_type", "status"]
        var shown: Set<String> = [], hidden: Set<String> = []
        let rows = export.rows(1500)
        for (index, column) in suggestion.columns.enumerated() {
            let values = rows.map { $0[index] }.filter { $0.count > 6 }
            if column.isProposed, shownFields.contains(column.field?.rawValue ?? "") {
                shown.formUnion(values)
            } else {
                hidden.formUnion(values)
            }
        }
        let quoted = Set(suggestion.yaml.split(separator: "\"").map(String.init))
        let leaked = hidden.subtracting(shown).intersection(quoted)
        #expect(leaked.isEmpty, "\(leaked.prefix(3))")
    }
}

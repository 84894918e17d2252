import Basics
import Profiles
import Trips

extension ReadFindings {
    /// What of a column is in no list, in words; none if all is. Values that too few records have are only counted.
    package var listNotes: [String] {
        [(CanonicalField.region, "region"), (.tripType, "trip type")].compactMap { field, name in
            guard let use = listUse[field], use.unlisted > 0 else { return nil }
            let named = use.named(withTaken: false).sorted { ($1.records, $0.name) < ($0.records, $1.name) }
            let shown = named.prefix(Self.shownValues)
            let rest = use.unlisted - shown.reduce(0) { $0 + $1.records }
            var parts = shown.map { "“\($0.name)” \($0.records)" }
            if rest > 0 { parts.append("\(shown.isEmpty ? "" : "others ")\(rest)") }
            let few = "values that fewer than \(MinimumCell.standard) records have, or that may be of persons"
            let values =
                use.sign.map { "the column looks like PHI (\($0.rawValue)), so its values are not shown" }
                ?? (named.isEmpty ? few : parts.joined(separator: ", "))
            return "the \(name) of \(use.unlisted) records is in no list, so they are Unassigned: \(values)"
        }
    }

    /// What to do about values that are in no list.
    package static let listRemedy =
        "list what there is below `regions:` or `trip_types:` in the profile or the settings"

    private static let shownValues = 5
}

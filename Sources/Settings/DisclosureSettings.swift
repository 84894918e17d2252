import Basics
import KPIContract
package import Privacy

/// The settings of disclosure control: how the release is divided into groups.
package struct DisclosureSettings: Sendable, Hashable {
    /// The fewest trips and patients of a group.
    package var minimumCell = MinimumCell.standard
    /// The totals that stay whole when leaves are merged.
    package var keptMargin = KeptMargin.region
    /// How often released months are revised.
    package var revisions = RevisionSchedule.quarterly
    /// Whether the release shows how many trips have a value.
    package var missingCounts = MissingCountPolicy.publish

    package init() {}

    /// - Parameter ownFile: the path of the user file.
    init(_ values: SettingValues, ownFile: String?) throws(SettingError) {
        minimumCell = try values.number(.minimumCell)
        let origin = values.origin(of: .minimumCell), standard = MinimumCell.standard
        // A lower threshold needs an approval on record. Others do not see a flag, a variable or a user's own file.
        if minimumCell < standard, ["flags", "environment", ownFile].contains(origin) {
            throw SettingError(
                origin: origin, problem: "a minimum cell below \(standard) needs an approval on record",
                remedy: "write minimum_cell to the project file, with who approved it in a comment")
        }
        keptMargin = try values.choice(.keepMargin)
        revisions = try values.choice(.revisions)
        missingCounts = try values.choice(.missingCounts)
    }

    package var rule: PartitionRule { PartitionRule(minimumCell: minimumCell, keptMargin: keptMargin) }

    /// The settings as parts of a digest. A default adds no part, so digests from before a setting existed stay valid.
    package var digestParts: [String] {
        (keptMargin == .region ? [] : ["kept margin \(keptMargin.rawValue)"])
            + (missingCounts == .publish ? [] : ["missing counts \(missingCounts.rawValue)"])
    }
}

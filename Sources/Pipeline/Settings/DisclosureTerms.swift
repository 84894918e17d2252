package import Privacy

/// How the release is divided into groups: the settings of disclosure control, together.
package struct DisclosureTerms: Sendable, Hashable {
    /// Fewest trips and patients of a group.
    package var minimumCell = 11
    /// Which totals stay whole where leaves are merged.
    package var keptMargin = KeptMargin.region
    /// How often the release of released months is revised.
    package var revisions = RevisionSchedule.quarterly
    /// Whether the release shows how many trips have a value.
    package var missingCounts = MissingCountPolicy.publish

    package init() {}

    package var rule: PartitionRule { PartitionRule(minimumCell: minimumCell, keptMargin: keptMargin) }

    /// What a digest says of the terms that have a standard; nothing where they are as that, so that digests are what they
    /// were before there was such a term.
    var digestParts: [String] {
        (keptMargin == .region ? [] : ["kept margin \(keptMargin.rawValue)"])
            + (missingCounts == .publish ? [] : ["missing counts \(missingCounts.rawValue)"])
    }
}

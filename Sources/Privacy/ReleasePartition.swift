package import KPIs

/// How the trips of one closed month are divided into groups that are large enough to be shown (SPEC §5.3).
///
/// Completed trips, cancelled trips and no-shows are divided each by themselves. The release publishes counts and sums
/// of these groups and of their unions, and nothing that is not computed from those. So this is all that decides what a
/// reader can find out; `docs/privacy.md` has the proof.
package struct ReleasePartition: Sendable, Hashable, Codable {
    /// Fewest trips and patients of a group.
    package let minimumCell: Int
    package let completed: PopulationPartition
    package let cancelled: PopulationPartition
    package let noShow: PopulationPartition
    /// Of groups of completed trips that a revision has changed; nil: none has.
    package var divisionLimits: [DivisionLimit]?
    /// The pairs of events that exports measured intervals between, when the month was released or revised; as the ledger
    /// has them. A mean that was left out for one of them is left out for ever.
    package var intervalPairs: [String]?

    package init(
        minimumCell: Int, completed: PopulationPartition, cancelled: PopulationPartition, noShow: PopulationPartition
    ) {
        self.minimumCell = minimumCell
        self.completed = completed
        self.cancelled = cancelled
        self.noShow = noShow
    }

    /// Nil: the group is divided by sourcing as finely as its trips allow.
    package func divisionLimit(of group: [LeafScope]) -> DivisionLimit? {
        divisionLimits?.first { $0.leaf == group.first }
    }
}

/// How finely the figures of a group may be divided by sourcing: as in its first release. A finer division at a revision
/// would tell by subtraction which of the earlier trips are in a part.
package struct DivisionLimit: Sendable, Hashable, Codable {
    /// The group's first leaf.
    package let leaf: LeafScope
    /// Parts by sourcing: 1 to 3.
    package let parts: Int
    package let isCostDivided: Bool

    package init(leaf: LeafScope, parts: Int, isCostDivided: Bool) {
        self.leaf = leaf
        self.parts = parts
        self.isCostDivided = isCostDivided
    }
}

/// The groups of one population of a month.
package struct PopulationPartition: Sendable, Hashable, Codable {
    /// Disjoint sets of leaves, each ascending, in the order of their first leaves. A leaf in none of them has no trips.
    ///
    /// Nil: the whole population is too small, or empty, and nothing of it is shown.
    package let groups: [[LeafScope]]?

    package init(groups: [[LeafScope]]?) {
        self.groups = groups?.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
}

/// Which totals stay whole where leaves are merged.
package enum KeptMargin: String, CaseIterable, Sendable, Hashable {
    /// Leaves that are too small are merged within their region first.
    case region
    /// Leaves that are too small are merged within their trip type first.
    case tripType = "type"
}

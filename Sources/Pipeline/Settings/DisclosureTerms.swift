/// What is hidden in whatever is given out: the settings of disclosure control, together.
package struct DisclosureTerms: Sendable, Hashable {
    /// Counts from 1 to one below this are hidden.
    package var minimumCell = 11
    /// From which share of one provider a cell shows no costs; nil: from none.
    package var costDominancePercent: Int?
    /// Whether the month that still grows is left out of what the store gives out.
    package var withholdsRunningMonth = true

    package init() {}

    /// What a digest says of the terms that have a standard; nothing where they are as that, so that digests are what they
    /// were before there was such a term.
    var digestParts: [String] {
        (costDominancePercent.map { ["cost dominance \($0)"] } ?? [])
            + (withholdsRunningMonth ? [] : ["running month published"])
    }
}

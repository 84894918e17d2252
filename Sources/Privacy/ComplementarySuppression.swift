/// Chooses which further cells to hide, so that what is hidden cannot be worked out from what is shown (SPEC §5).
///
/// For each hidden count it looks for another world with the same shown numbers in which the count is another one
/// (`Witness`), and hides what stands in the way, at the least cost: small cells before large ones, parts before totals.
/// Worlds are made of moves: along each axis a move either takes from one part what it gives to another, so that the
/// total stays, or changes a part and its total together. So a move touches two cells on each axis; all it touches must
/// be hidden. Cells of 0 are shown as 0 and never take part. At last, cells that turn out not to be needed are shown.
///
/// The order of the work and of the choices is fixed: the same table gives the same pattern. Everything is whole numbers.
package struct ComplementarySuppression: Sendable {
    let minimumCell: Int

    package init(minimumCell: Int) {
        self.minimumCell = minimumCell
    }

    /// Hides more of the system until every hidden count has a witness.
    ///
    /// - Returns: the witnesses; nil if some count cannot be protected without hiding what is pinned: nothing may be
    ///   published then.
    package func protect(_ system: inout CountSystem) -> [Witness]? {
        guard !zip(system.isHidden, system.isPinned).contains(where: { $0 && $1 }) else { return nil }
        var search = PatternSearch(system, minimumCell: minimumCell)
        guard search.protectAll() else { return nil }
        search.showNeedless()
        system.isHidden = search.isHidden
        return search.witnesses
    }
}

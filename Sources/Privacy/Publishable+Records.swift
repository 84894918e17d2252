extension Publishable {
    /// Whether it may be said how many distinct trips the records are about.
    ///
    /// Less the completed trips those are the cancelled, the no-shows and the voided ones together, and less what is
    /// shown of these the others. So nothing small may be left, and of what is hidden there enough must be.
    package func maySay(distinctTrips: Int) -> Bool {
        guard mode == .suppressed else { return true }
        // The records are those of all trips: less what is shown, those of withheld months or of other parts are left.
        guard !isPart, withheldMonths.isEmpty, let completed = overall.trips else { return false }
        let others = [overall.cancelled, overall.noShow]
        let rest = distinctTrips - completed - others.compactMap { $0 }.reduce(0, +)
        let hidden = others.count { $0 == nil }
        // From one set to the next the rest would change by what a month hides.
        if release == .series { return rest == 0 && hidden == 0 }
        // Each hidden count is at least 1, since 0 is shown.
        return rest == 0 || rest - max(0, hidden - 1) >= minimumCell
    }
}

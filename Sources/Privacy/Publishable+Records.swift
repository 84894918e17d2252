extension Publishable {
    /// Whether it may be said how many distinct trips the records are about.
    ///
    /// Less the completed trips those are the cancelled, the no-shows, the voided ones and those of withheld months
    /// together, and less what is shown of these the others. So nothing small may be left, and of what is hidden there
    /// enough must be.
    package func maySay(distinctTrips: Int) -> Bool {
        guard mode == .suppressed, let completed = overall.trips else { return mode == .internalUse }
        let others = [overall.cancelled, overall.noShow]
        let rest = distinctTrips - completed - others.compactMap { $0 }.reduce(0, +)
        let hidden = others.count { $0 == nil } + withheldMonths.count
        // Each hidden count is at least 1, since 0 is shown.
        return rest == 0 || rest - max(0, hidden - 1) >= minimumCell
    }
}

/// A column beside or instead of a status that says which records are of trips that did not take place: `Cancelled?`,
/// `Deleted`, `Cancelled Date`. Without it every record would count as a completed trip.
package enum CancellationColumn {
    private static let cancelled: Set<String> = ["cancelled", "canceled", "cancel", "cancellation", "cxl", "canc"]
    private static let void: Set<String> = ["void", "voided", "deleted", "reversed"]
    /// Of columns that say more of a cancellation.
    private static let otherWords: Set<String> = [
        "reason", "reasons", "by", "fee", "fees", "user", "code", "enroute", "comment", "comments", "note", "notes",
        "policy",
        "cost", "charge", "amount", "number", "count", "no", "num",
    ]
    private static let yes: Set<String> = ["y", "yes", "true", "t", "1", "x"]
    private static let no: Set<String> = ["n", "no", "false", "f", "0"]

    /// The status of the records that the column is about; nil: by its name it is another column.
    package static func status(of name: String) -> String? {
        let words = Set(HeaderName(name).words)
        guard words.isDisjoint(with: otherWords) else { return nil }
        if !words.isDisjoint(with: cancelled) { return "cancelled" }
        return words.isDisjoint(with: void) ? nil : "void"
    }

    /// What each value means, if all are words for yes and no; blanks are no.
    ///
    /// - Parameter values: those that are not blank.
    static func meanings(of values: [String], in name: String) -> [(value: String, status: String)]? {
        guard let status = status(of: name) else { return nil }
        let distinct = Set(values.map { $0.lowercased() })
        guard !distinct.isEmpty, distinct.isSubset(of: yes.union(no)) else { return nil }
        return Set(values).sorted().map { ($0, yes.contains($0.lowercased()) ? status : "completed") }
    }
}

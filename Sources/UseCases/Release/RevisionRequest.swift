/// Whether the release of released months changes now.
package enum RevisionRequest: Sendable, Hashable {
    /// When the schedule says so.
    case whenDue
    /// Now, whatever the schedule says.
    case now
    /// Now, and months that an earlier version divided are divided by the rule of this one.
    case ofEveryMonth
}

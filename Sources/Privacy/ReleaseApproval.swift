/// What a named person must approve before it is released.
package enum ReleaseApproval: String, CaseIterable, Sendable, Hashable {
    /// The first release of a store.
    case first
    /// Each month, and each revision.
    case each
    /// Nothing.
    case never
}

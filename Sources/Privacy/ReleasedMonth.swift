package import Basics

/// A month of the release: its partition, as it was released or is about to be.
package struct ReleasedMonth: Sendable, Hashable {
    package var month: Month
    package var partition: ReleasePartition
    /// Whose trips have changed since: a revision may take the changes up.
    package var pending: PendingGroups
    /// Whether the groups have been revised since they were made.
    package var isRevised = false

    package init(month: Month, partition: ReleasePartition, pending: PendingGroups = PendingGroups()) {
        self.month = month
        self.partition = partition
        self.pending = pending
    }
}

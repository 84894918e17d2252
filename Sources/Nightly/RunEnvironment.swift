package import Foundation
package import Operations

/// What a use case gets from its process: who runs it, where events go, when to stop, what time it is.
package struct RunEnvironment: Sendable {
    package var owner: LockOwner
    package var tell: @Sendable (RunEvent) -> Void
    /// Receives the id of the run once it is known: after the loading, since it depends on what is published.
    package var identify: @Sendable (String) -> Void = { _ in }
    /// Asked at safe points; throws to stop.
    package var checkpoint: @Sendable () throws -> Void
    /// Receives how many bytes of the current export were read.
    package var progress: @Sendable (Int) -> Void
    /// The real clock, whatever `SOURCE_DATE_EPOCH` says: for durations and the age of old sets.
    package var now: @Sendable () -> Date

    package init(
        owner: LockOwner, tell: @escaping @Sendable (RunEvent) -> Void = { _ in },
        checkpoint: @escaping @Sendable () throws -> Void = {},
        progress: @escaping @Sendable (Int) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.owner = owner
        self.tell = tell
        self.checkpoint = checkpoint
        self.progress = progress
        self.now = now
    }
}

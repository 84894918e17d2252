package import Basics
package import Foundation
package import Operations

/// What a use case gets from its process: who runs it, where events are reported, when to stop, what time it is.
package struct RunEnvironment: Sendable {
    package let owner: LockOwner
    /// Such as `tripkpi 0.1.0`.
    package let tool: String
    /// Now, or `SOURCE_DATE_EPOCH`.
    package let generatedAt: UTCTime
    /// Threads. The results do not depend on it.
    package let workers: Int
    /// False only where nothing is lost with the store, as in tests.
    package let isDurable: Bool
    /// Where records that wait for others of their trip are put aside, sealed.
    package let temporaryFolder: String
    package let tell: @Sendable (RunEvent) -> Void
    /// Called at safe points; throws to stop.
    package let checkpoint: @Sendable () throws -> Void
    /// Receives how many bytes of the current export were read, or how many versions of trips are classified.
    package let progress: @Sendable (Int) -> Void
    /// The real clock, whatever `SOURCE_DATE_EPOCH` says: for durations and the age of old sets.
    package let now: @Sendable () -> Date

    package init(
        owner: LockOwner, tool: String, generatedAt: UTCTime, workers: Int, isDurable: Bool = true,
        temporaryFolder: String = "/tmp",
        tell: @escaping @Sendable (RunEvent) -> Void = { _ in },
        checkpoint: @escaping @Sendable () throws -> Void = {},
        progress: @escaping @Sendable (Int) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.owner = owner
        self.tool = tool
        self.generatedAt = generatedAt
        self.workers = max(1, workers)
        self.isDurable = isDurable
        self.temporaryFolder = temporaryFolder
        self.tell = tell
        self.checkpoint = checkpoint
        self.progress = progress
        self.now = now
    }
}

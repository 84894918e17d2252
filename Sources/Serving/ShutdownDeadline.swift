package import Logging
package import ServiceLifecycle

/// Ends the wait for services that were told to stop, and do not. What they still hold is left to the end of the process.
package struct ShutdownDeadline: Service {
    private let time: Duration
    private let log: Logger
    private let ended: AsyncThrowingStream<Void, any Error>
    private let end: AsyncThrowingStream<Void, any Error>.Continuation

    /// - Parameter time: from the signal.
    package init(after time: Duration, log: Logger) {
        self.time = time
        self.log = log
        (ended, end) = AsyncThrowingStream.makeStream()
    }

    /// The group must have this service as its last, which is told to stop first.
    ///
    /// - Throws: what the group throws.
    package func wait(for group: ServiceGroup) async throws {
        Task {
            do {
                try await group.run()
                end.finish()
            } catch {
                end.finish(throwing: error)
            }
        }
        for try await _ in ended {}
    }

    package func run() async throws {
        try await gracefulShutdown()
        // A task of its own: the group waits for this service before it stops the next.
        Task {
            try await Task.sleep(for: time)
            log.warning(
                "stopped after \(time.components.seconds) seconds, with services that still ran",
                metadata: ["event": "shutdown.late"])
            end.finish()
        }
    }
}

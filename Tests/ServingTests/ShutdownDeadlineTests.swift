import Logging
import ServiceLifecycle
import Serving
import Testing

@Suite struct ShutdownDeadlineTests {
    /// Does not stop when it is told to.
    private struct StuckService: Service {
        func run() async throws { while true { try? await Task.sleep(for: .seconds(3_600)) } }
    }

    private struct FailingService: Service {
        struct Failure: Error {}
        func run() async throws { throw Failure() }
    }

    private func wait(_ service: any Service, isStopped: Bool) async throws {
        let log = Logger(label: "") { _ in SwiftLogNoOpLogHandler() }
        let deadline = ShutdownDeadline(after: .milliseconds(200), log: log)
        let group = ServiceGroup(services: [service, deadline], logger: log)
        if isStopped { await group.triggerGracefulShutdown() }
        try await deadline.wait(for: group)
    }

    @Test("a service that does not stop is not waited for", .timeLimit(.minutes(1)))
    func stuck() async throws { try await wait(StuckService(), isStopped: true) }

    @Test("a failure is that of the service", .timeLimit(.minutes(1)))
    func failure() async throws {
        await #expect(throws: FailingService.Failure.self) { try await wait(FailingService(), isStopped: false) }
    }
}

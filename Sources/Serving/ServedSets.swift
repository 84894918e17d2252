import Basics
import KPIContract
import Logging
import NIOPosix
import Publishing
import ServiceLifecycle
import Synchronization

/// The sets that are served now, one for each audience. Each request takes its set once, so it reads one set; a publish or a
/// rollback is served within about `interval`.
final class ServedSets: Service {
    private struct State {
        var current: [ServedAudience: ServedSet] = [:]
        /// The set that was tried last, and when.
        var tried: [ServedAudience: (id: String, at: ContinuousClock.Instant)] = [:]
        /// How often in turn an audience had no current set.
        var absences: [ServedAudience: Int] = [:]
    }

    private let folders: [(audience: ServedAudience, folder: PublicationFolder)]
    private let state = Mutex(State())
    private let connections: Int
    private let interval: Duration
    private let metrics: ServerMetrics
    /// Reading a set waits for the disk.
    private let thread: NIOThreadPool
    private let log: Logger

    /// A set that cannot be served is tried again after this time: its files may still be arriving.
    private static let retry: Duration = .seconds(60)
    /// How many checks in a row must find no `current` before the server stops serving the set.
    private static let mostAbsences = 3

    init(
        root: String, audiences: [ServedAudience], connections: Int, interval: Duration = .seconds(1),
        metrics: ServerMetrics,
        thread: NIOThreadPool, log: Logger
    ) {
        folders = audiences.map { ($0, PublicationFolder(root: root + "/" + $0.rawValue)) }
        self.connections = connections
        self.interval = interval
        self.metrics = metrics
        self.thread = thread
        self.log = log
    }

    subscript(audience: ServedAudience) -> ServedSet? { state.withLock { $0.current[audience] } }

    var audiences: [ServedAudience] { folders.map(\.audience) }

    /// Serves what is published now. If a new set cannot be read, the server keeps the current one.
    func refresh() {
        for (audience, folder) in folders {
            let id: String
            do {
                guard let found = try folder.currentID() else {
                    remove(audience)
                    continue
                }
                id = found
            } catch {
                // The folder cannot be read now: nothing was removed.
                continue
            }
            state.withLock { $0.absences[audience] = 0 }
            guard id != self[audience]?.id, mayTry(id, audience) else { continue }
            do {
                let set = try ServedSet(folder, audience, id: id, connections: connections)
                state.withLock { state in
                    state.current[audience] = set
                    state.tried[audience] = nil
                }
                metrics.setTime(of: audience, to: set.madeAt?.secondsSince1970 ?? 0)
                log.info(
                    "serves set \(id) for \(audience.rawValue)",
                    metadata: ["event": "set", "audience": "\(audience.rawValue)", "set": "\(id)"])
            } catch {
                let why = (error as? ServedSet.Fault)?.description ?? "it cannot be read"
                log.error(
                    "set \(id) for \(audience.rawValue) cannot be served: \(why); the server keeps the set that it has",
                    metadata: [
                        "event": "set.refused", "audience": "\(audience.rawValue)", "set": "\(id)", "why": "\(why)",
                    ])
            }
        }
    }

    /// Whether any set is served.
    var isServing: Bool { state.withLock { !$0.current.isEmpty } }

    private func mayTry(_ id: String, _ audience: ServedAudience) -> Bool {
        state.withLock { state in
            if let last = state.tried[audience], last.id == id, last.at.duration(to: .now) < Self.retry { return false }
            state.tried[audience] = (id, .now)
            return true
        }
    }

    /// An operator who removes `current` wants its set served no longer.
    private func remove(_ audience: ServedAudience) {
        let isRemoved = state.withLock { state in
            state.absences[audience, default: 0] += 1
            guard state.absences[audience, default: 0] >= Self.mostAbsences else { return false }
            return state.current.removeValue(forKey: audience) != nil
        }
        guard isRemoved else { return }
        metrics.setTime(of: audience, to: nil)
        log.error(
            "no current set for \(audience.rawValue); the server stopped serving it",
            metadata: ["event": "set.removed", "audience": "\(audience.rawValue)"])
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await self.thread.runIfActive { self.refresh() }
                try? await Task.sleep(for: self.interval)
            }
        }
    }
}

extension ServedSet {
    /// Nil: the summary states no time.
    var madeAt: UTCTime? { UTCTime(summary.generatedAt) }
}

import Dispatch
import Store
import Synchronization

/// Carries versions of trips from the workers that read an export to the one that writes the store. It holds a few
/// parcels, so readers wait for the writer and memory stays bounded.
final class RowChannel: Sendable {
    private struct State {
        var parcels: [[StoredTrip]] = []
        var workers: Int
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let filled = DispatchSemaphore(value: 0)
    private let free: DispatchSemaphore
    private let workers: Int

    init(workers: Int) {
        self.workers = workers
        state = Mutex(State(workers: workers))
        free = DispatchSemaphore(value: 2)
    }

    /// Waits for room; false if nobody will take it any more.
    func put(_ parcel: [StoredTrip]) -> Bool {
        free.wait()
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.parcels.append(parcel) }
            return state.isCancelled
        }
        filled.signal()
        return !isCancelled
    }

    /// Each worker says once that it has put its last parcel, or has failed.
    func finish() {
        state.withLock { $0.workers -= 1 }
        filled.signal()
    }

    /// The next parcel; nil when all workers have finished.
    func take() -> [StoredTrip]? {
        while true {
            filled.wait()
            let (parcel, isOver) = state.withLock { state -> ([StoredTrip]?, Bool) in
                if !state.parcels.isEmpty { return (state.parcels.removeFirst(), false) }
                return (nil, state.workers == 0)
            }
            if let parcel {
                free.signal()
                return parcel
            }
            if isOver { return nil }
        }
    }

    /// Nothing more is taken: workers that wait go on and find out.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.parcels = []
        }
        for _ in 0..<workers { free.signal() }
    }
}

import Dispatch
import Synchronization

/// Carries parcels from threads that make them to one that takes them, in their order. It holds a few, so makers wait
/// for the taker and memory stays bounded.
package final class BoundedChannel<Parcel: Sendable>: Sendable {
    private struct State {
        var parcels: [Parcel] = []
        var isEnded = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    // A semaphore that ends below its first value ends the process: it starts at 0 and is raised.
    private let free = DispatchSemaphore(value: 0)

    /// - Parameter capacity: parcels held at a time.
    package init(capacity: Int) {
        for _ in 0..<capacity { free.signal() }
    }

    package var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Waits for room; false if nothing is taken any more.
    package func put(_ parcel: Parcel) -> Bool {
        free.wait()
        let isTaken = state.withLock { state in
            if !state.isCancelled { state.parcels.append(parcel) }
            return !state.isCancelled
        }
        // The next maker that waits finds out too.
        if !isTaken { free.signal() }
        filled.signal()
        return isTaken
    }

    /// There are no more parcels.
    package func end() {
        state.withLock { $0.isEnded = true }
        filled.signal()
    }

    /// Drops the parcels that are held. Makers that wait go on, and `take` gives no more.
    package func cancel() {
        let dropped = state.withLock { state in
            defer { state.parcels = [] }
            state.isCancelled = true
            return state.parcels.count
        }
        filled.signal()
        for _ in 0..<dropped { free.signal() }
    }

    /// The next parcel; nil at the end, or when cancelled.
    package func take() -> Parcel? {
        while true {
            filled.wait()
            let (parcel, isOver) = state.withLock { state -> (Parcel?, Bool) in
                if !state.parcels.isEmpty { return (state.parcels.removeFirst(), false) }
                return (nil, state.isEnded || state.isCancelled)
            }
            if let parcel {
                free.signal()
                return parcel
            }
            if isOver { return nil }
        }
    }
}

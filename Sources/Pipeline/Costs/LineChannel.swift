import Costs
import Dispatch
import Synchronization
import Trips

/// A trip on its way to the line-level workbook.
struct CostLine: Sendable {
    var trip: CostTrip
    var id: PublicTripID?
    var flags: CostFlags
}

/// Carries lines from the one that reads trips to the one that writes the workbook. It holds a few parcels, so memory
/// stays bounded.
final class LineChannel: Sendable {
    private struct State {
        var parcels: [[CostLine]] = []
        var isEnded = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let free = DispatchSemaphore(value: 3)

    /// Waits for room; false if nobody will take it any more.
    func put(_ parcel: [CostLine]) -> Bool {
        free.wait()
        let isTaken = state.withLock { state in
            if !state.isCancelled { state.parcels.append(parcel) }
            return !state.isCancelled
        }
        if !isTaken { free.signal() }
        filled.signal()
        return isTaken
    }

    /// There are no more lines.
    func end() {
        state.withLock { $0.isEnded = true }
        filled.signal()
    }

    /// What is on its way is dropped, and the workbook is not to be finished.
    func cancel() {
        let dropped = state.withLock { state in
            defer { state.parcels = [] }
            state.isCancelled = true
            return state.parcels.count
        }
        filled.signal()
        // As many as were waited for: a semaphore that ends below its first value ends the process.
        for _ in 0..<dropped { free.signal() }
    }

    /// The next parcel; nil at the end, or when cancelled.
    func take() -> [CostLine]? {
        while true {
            filled.wait()
            let (parcel, isOver) = state.withLock { state -> ([CostLine]?, Bool) in
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

    var isCancelled: Bool { state.withLock(\.isCancelled) }
}

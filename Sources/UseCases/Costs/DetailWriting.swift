import ExportBytes
import Foundation
package import KPIs
import Reports
import Synchronization
package import Trips
package import Workbooks

/// A trip on its way to the line-level workbook.
package struct CostLine: Sendable {
    package var trip: CostTrip
    package var id: PublicTripID?
    package var flags: CostFlags
}

/// The line-level workbook while it is written, on a thread of its own: reading the store and packing the sheets do not wait
/// for each other.
package final class DetailWriting: Sendable {
    private let channel = BoundedChannel<[CostLine]>(capacity: 3)
    private let outcome = Mutex<Result<Void, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)
    /// Whether the finished draft may be published; nil: not decided yet.
    private let isWanted = Mutex<Bool?>(nil)
    private let decided = DispatchSemaphore(value: 0)
    private let parcel = Mutex<[CostLine]>([])

    private static let linesInParcel = 1024

    /// The workbook was not wanted any more, or could not be written; `finish()` tells which.
    package struct Cancelled: Error {}

    /// Begins the file.
    ///
    /// - Parameter check: receives the path of the finished draft before it is published; throws to refuse it.
    package init(
        path: String, words: CostWords, form: CostDetailFile.Form,
        check: @escaping @Sendable (String) throws -> Void
    ) {
        Thread.detachNewThread { [self] in
            let result = Result {
                let file = try CostDetailFile(path: path, words: words, form: form)
                while let lines = channel.take() {
                    for line in lines { try file.add(line.trip, id: line.id, flags: line.flags) }
                }
                if channel.isCancelled { throw Cancelled() }
                try file.finish { draft in
                    guard waitForDecision() else { throw Cancelled() }
                    try check(draft)
                }
            }
            if case .failure = result { channel.cancel() }
            outcome.withLock { $0 = result }
            isDone.signal()
        }
    }

    package func add(_ line: CostLine) throws {
        let full = parcel.withLock { parcel -> [CostLine]? in
            parcel.append(line)
            guard parcel.count == Self.linesInParcel else { return nil }
            defer {
                parcel = []
                parcel.reserveCapacity(Self.linesInParcel)
            }
            return parcel
        }
        guard let full else { return }
        if !channel.put(full) { throw Cancelled() }
    }

    /// There are no more lines.
    package func end() {
        let rest = parcel.withLock { parcel in
            defer { parcel = [] }
            return parcel
        }
        if !rest.isEmpty { _ = channel.put(rest) }
        channel.end()
    }

    /// Leaves no file, unless it was published.
    package func cancel() {
        channel.cancel()
        decide(false)
    }

    /// Gives the file out and waits for it to be in its place; after `cancel()` waits for it to be gone.
    package func finish() throws {
        decide(true)
        isDone.wait()
        isDone.signal()
        try outcome.withLock { $0 }?.get()
    }

    /// The first word counts.
    private func decide(_ isWanted: Bool) {
        let isFirst = self.isWanted.withLock { state in
            defer { state = state ?? isWanted }
            return state == nil
        }
        if isFirst { decided.signal() }
    }

    private func waitForDecision() -> Bool {
        decided.wait()
        decided.signal()
        return isWanted.withLock { $0 ?? false }
    }
}

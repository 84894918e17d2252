import Foundation
import Synchronization

/// How far a long piece of work is. Workers note it once a batch; a progress bar reads it from its own thread.
package final class ScanProgress: Sendable {
    /// What is counted.
    package enum Unit: Sendable {
        case bytes, trips
    }

    /// Nil: nothing is counted, the part under way is named.
    package let unit: Unit?
    /// Bytes of all exports on the disk, or trips of the store; nil where it is not known before.
    package let total: Int?
    private let finished = Atomic<Int>(0)
    private let current = Atomic<Int>(0)
    private let part = Mutex<String>("")

    /// Of work whose size is not known before.
    ///
    /// - Parameter unit: nil: it is done in named parts.
    package init(unit: Unit?) {
        self.unit = unit
        total = nil
    }

    package init(trips: Int) {
        unit = .trips
        total = trips
    }

    package init(inputs: [String]) {
        unit = .bytes
        let sizes = inputs.map { path -> Int? in
            let attributes = path == "-" ? nil : try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
            return (attributes?[.size] as? NSNumber)?.intValue
        }
        total = sizes.contains { $0 == nil } ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }

    /// What is done now; empty before the first part.
    package var currentPart: String { part.withLock { $0 } }

    /// Another part begins.
    package func begin(_ name: String) {
        part.withLock { $0 = name }
    }

    package var taken: Int { finished.load(ordering: .relaxed) + current.load(ordering: .relaxed) }

    /// - Parameter count: of the export or the store under way; workers may note them out of order.
    package func reach(_ count: Int) { current.max(count, ordering: .relaxed) }

    /// So many more are done.
    package func add(_ count: Int) { current.wrappingAdd(count, ordering: .relaxed) }

    /// An export is done; nil: it was a pipe, what was noted counts.
    package func finish(bytes: Int?) {
        finished.wrappingAdd(bytes ?? current.load(ordering: .relaxed), ordering: .relaxed)
        current.store(0, ordering: .relaxed)
    }
}

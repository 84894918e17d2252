import Foundation
import Synchronization

/// How far a scan is. Workers note it once a batch; a progress bar reads it from its own thread.
package final class ScanProgress: Sendable {
    /// Bytes of all exports on the disk; nil if one of them is a pipe.
    package let totalBytes: Int?
    private let finished = Atomic<Int>(0)
    private let current = Atomic<Int>(0)

    package init(inputs: [String]) {
        let sizes = inputs.map { path -> Int? in
            let attributes = path == "-" ? nil : try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
            return (attributes?[.size] as? NSNumber)?.intValue
        }
        totalBytes = sizes.contains { $0 == nil } ? nil : sizes.compactMap { $0 }.reduce(0, +)
    }

    package var takenBytes: Int { finished.load(ordering: .relaxed) + current.load(ordering: .relaxed) }

    /// - Parameter bytes: of the export under way; workers may note them out of order.
    package func reach(_ bytes: Int) { current.max(bytes, ordering: .relaxed) }

    /// An export is done; nil: it was a pipe, what was noted counts.
    func finish(bytes: Int?) {
        finished.wrappingAdd(bytes ?? current.load(ordering: .relaxed), ordering: .relaxed)
        current.store(0, ordering: .relaxed)
    }
}

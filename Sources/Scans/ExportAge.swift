import ExportBytes
package import Intake
package import Trips

/// How new the newest thing in an export is: its newest `updated_at`, else its newest day.
package struct ExportAge: TripConsumer, Sendable {
    private var newestUpdate = Int.min
    private var newestDay = Int32.min

    package init() {}

    /// Microseconds since 1970; 0 for an export without trips.
    package var asOf: Int {
        newestUpdate != .min ? newestUpdate : newestDay == .min ? 0 : Int(newestDay) * 86_400_000_000
    }

    package mutating func add(_ batch: borrowing TripBatch) {
        for row in 0..<batch.count {
            newestUpdate = max(newestUpdate, batch.versions[row].version.updatedAt)
            newestDay = max(newestDay, batch.day[row])
        }
    }

    package mutating func merge(_ other: ExportAge) {
        newestUpdate = max(newestUpdate, other.newestUpdate)
        newestDay = max(newestDay, other.newestDay)
    }

    package mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        add(batch)
        return true
    }

    package mutating func finish() -> ExportAge { self }
}

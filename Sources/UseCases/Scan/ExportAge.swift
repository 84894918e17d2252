import ExportBytes
package import Intake
package import Trips

/// How new the newest thing in an export is: its newest `updated_at`, else its newest day.
package struct ExportAge: TripConsumer, Sendable {
    private var update = Int.min
    private var day = Int32.min

    package init() {}

    /// In microseconds since 1970; nil where no trip has an `updated_at`.
    package var newestUpdate: Int? { update == .min ? nil : update }

    /// In days since 1970; nil for an export without trips.
    package var newestDay: Int32? { day == .min ? nil : day }

    /// Microseconds since 1970; 0 for an export without trips.
    package var asOf: Int { newestUpdate ?? newestDay.map { Int($0) * 86_400_000_000 } ?? 0 }

    /// Of an export that is read for this alone.
    static func asOf(of reader: ExportReader) throws(ExportError) -> Int {
        try reader.read(workers: 1, hasVersions: true) { _ in ExportAge() }.outcomes
            .reduce(into: ExportAge()) { $0.merge($1) }.asOf
    }

    package mutating func add(_ batch: borrowing TripBatch) {
        for row in 0..<batch.count {
            update = max(update, batch.versions[row].version.updatedAt)
            day = max(day, batch.day[row])
        }
    }

    package mutating func merge(_ other: ExportAge) {
        update = max(update, other.update)
        day = max(day, other.day)
    }

    package mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        add(batch)
        return true
    }

    package mutating func finish() -> ExportAge { self }
}

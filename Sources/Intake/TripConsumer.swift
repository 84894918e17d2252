package import ExportBytes
import OutputScan
package import Trips

/// Takes the trips of an export, batch by batch. Each worker has a consumer of its own.
package protocol TripConsumer: SendableMetatype {
    /// What it returns.
    associatedtype Outcome: Sendable

    /// Takes a batch, and may change it; false: the worker stops. A consumer with another error than these keeps it for
    /// its outcome and stops.
    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) throws(ExportError) -> Bool

    /// Called once, after the last batch.
    mutating func finish() throws(ExportError) -> Outcome
}

import Trips

/// A record that cannot be read as one: where it starts in its window, and why.
struct RecordFault {
    typealias Reason = RejectReason

    var position: Int
    /// How many records of the block come before it.
    var recordInBlock: Int
    var reason: Reason
}

import Trips

/// A value of a batch that cannot be read.
struct UnreadCell {
    var field: CanonicalField
    var slot: Int
    var row: Int
    var fault = ValueFault.unreadable
}

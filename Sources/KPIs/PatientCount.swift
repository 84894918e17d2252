import Basics

/// Distinct patients of a cell: exact up to 10, then "at least 11".
package enum PatientCount: Sendable, Hashable {
    /// No trip of the cell names its patient.
    case unknown
    /// Fewer than `PatientCount.cap`.
    case exactly(Int)
    case atLeastCap

    package static let cap = MinimumCell.standard
}

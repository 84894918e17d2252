package import Trips

/// Why figures may not be published. It names no number of the data but the threshold.
package enum DisclosureError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// No group lies in what was asked for: too few trips or patients, or the months are open.
    case nothingToRelease(minimumCell: Int)
    /// Every month asked for is open, or not released yet.
    case nothingReleasedYet
    /// So many trips were superseded that it is not sure how many patients a cell has.
    case patientsNotSure
    /// Readers have a release of months that this store has not released: the store is new, or older than that release.
    /// Another release of the same months could be subtracted from it.
    case releasedByAnotherStore(months: [String])
    /// The table lacks the cell of all months, regions and trip types.
    case overallCellMissing
    /// The auditor found a published number that is not that of a union of groups.
    case auditFailed([String])
    /// A `largest` of nil is no upper bound.
    case thresholdOutOfRange(minimumCell: Int, largest: Int?)

    package var failureKind: FailureKind {
        switch self {
        case .nothingToRelease, .nothingReleasedYet, .patientsNotSure, .releasedByAnotherStore: .data
        case .overallCellMissing, .auditFailed: .internalBug
        case .thresholdOutOfRange: .configuration
        }
    }

    package var description: String {
        switch self {
        case .nothingToRelease(let minimumCell):
            "disclosure control: nothing that was asked for has \(minimumCell) trips and patients, so nothing may be "
                + "released; select more months, regions or trip types, or use --audience staff for output that stays inside"
        case .nothingReleasedYet:
            "disclosure control: no month that was asked for is released yet; a month is released by `tripkpi run` or "
                + "`tripkpi publish` once it is closed, the first one when a person has approved it (--approve). Use --audience staff for output that stays inside"
        case .releasedByAnotherStore(let months):
            "disclosure control: readers already have a release of \(months.joined(separator: ", ")), but this store has "
                + "not released it (or the register of `tripkpi merge`). Put its newest copy in its place. If no reader has "
                + "that release, remove it from the folder of reports. For the staff set alone set audiences: [staff]"
        case .auditFailed(let findings):
            "disclosure control: the audit of the files failed, so nothing is published; this is an internal error: "
                + findings.prefix(3).joined(separator: "; ")
        case .patientsNotSure:
            "disclosure control: so many trips were superseded that a cell's patients cannot be counted for sure, so "
                + "nothing may be released; give the exports as files to a store, or use --audience staff"
        case .overallCellMissing:
            "internal error: the KPI table has no cell over all months, regions and trip types"
        case .thresholdOutOfRange(let minimumCell, let largest):
            "disclosure control: a minimum cell of \(minimumCell) cannot be used; set it to 2 or more"
                + (largest.map { ", and to \($0) or less, since patients are counted exactly only up to there" } ?? "")
        }
    }
}

/// Why numbers may not be published. It names no number of the data but the threshold.
package enum DisclosureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All trips together, or all their patients, are too few to be shown; so nothing is.
    case overallTotalHidden(minimumCell: Int)
    /// All months but the one that still grows are too small to be shown, and that one is to be left out.
    case onlyRunningMonth
    /// So many trips were superseded that it is not sure how many patients a cell has.
    case patientsNotSure
    /// The table lacks the cell of all months, regions and trip types.
    case overallCellMissing
    /// No further hiding keeps some hidden count from being computed.
    case cannotBeProtected(minimumCell: Int)
    /// The audit of what was to be published found a hidden number that can be computed.
    case auditFailed
    /// A `largest` of nil is no upper bound.
    case thresholdOutOfRange(minimumCell: Int, largest: Int?)

    package var description: String {
        switch self {
        case .overallTotalHidden(let minimumCell):
            "disclosure control: the total of what was asked for is hidden: it or a part of it has fewer than "
                + "\(minimumCell) trips or patients, or would give so few away, so nothing may be published; add exports, "
                + "select more or other months, or use --internal for output that stays inside"
        case .cannotBeProtected(let minimumCell):
            "disclosure control: there are too few trips to hide those of fewer than \(minimumCell) among others, so "
                + "nothing may be published; add exports, select more, or use --internal for output that stays inside"
        case .onlyRunningMonth:
            "disclosure control: a month is kept back until it is over, and no other that was asked for may be shown, so nothing "
                + "is given out; wait until it is over, set running_month to publish, or use --internal for output that stays inside"
        case .auditFailed:
            "disclosure control: the audit found a hidden number that can be computed from the others, so nothing is "
                + "published; this is a bug"
        case .patientsNotSure:
            "disclosure control: so many trips were superseded that a cell's patients cannot be counted for sure, so "
                + "nothing may be published; give the exports as files to a store, or use --internal"
        case .overallCellMissing:
            "disclosure control: the KPI table has no cell over all months, regions and trip types; this is a bug"
        case .thresholdOutOfRange(let minimumCell, let largest):
            "disclosure control: a minimum cell of \(minimumCell) cannot be kept; set it to 2 or more"
                + (largest.map { ", and to \($0) or less, since patients are counted exactly only up to there" } ?? "")
        }
    }
}

/// A reason for which an export failed and that a user may accept: if it is waived, the next run loads it. A waiver of any
/// other reason keeps the export out.
///
/// In the order in which a load checks them. An export that failed for one had passed the earlier ones, or they were waived
/// before: so a waiver covers these too. Columns that went missing after it are a warning.
package enum AcceptableFault: String, Sendable, Comparable, CaseIterable {
    /// It lacks columns that its source had before. It is loaded without them.
    case columnsGone = "columns_gone"
    /// It ends within a record. It is loaded as far as it goes.
    case cutOff = "cut_off"
    /// Most of its trips are in the store under another source. It is loaded as it is.
    case repeatedTrips = "repeated_trips"
    /// Its ids are those of other trips in the store. It replaces them.
    case reusedIDs = "reused_ids"

    package static func < (first: AcceptableFault, second: AcceptableFault) -> Bool {
        first.order < second.order
    }

    private var order: Int {
        switch self {
        case .columnsGone: 0
        case .cutOff: 1
        case .repeatedTrips: 2
        case .reusedIDs: 3
        }
    }
}

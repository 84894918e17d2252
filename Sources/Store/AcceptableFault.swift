/// Why an export failed, where that may be no fault: a waiver has it loaded. A waiver of any other reason keeps it out.
///
/// In the order in which a load looks for them: who has waived one has seen that the export got so far, and the earlier ones
/// are accepted with it.
package enum AcceptableFault: String, Sendable, Comparable, CaseIterable {
    /// It lacks columns that its source had before. It is loaded without them.
    case columnsGone = "columns_gone"
    /// It ends within a record. It is loaded as far as it goes.
    case cutOff = "cut_off"
    /// Most of its trips are in the store under another source. It is loaded as it is.
    case repeatedTrips = "repeated_trips"

    package static func < (first: AcceptableFault, second: AcceptableFault) -> Bool {
        first.place < second.place
    }

    private var place: Int {
        switch self {
        case .columnsGone: 0
        case .cutOff: 1
        case .repeatedTrips: 2
        }
    }
}

package import Basics
package import Trips

/// Why trips cannot be removed.
package enum TripRemovalError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case crosswalkIsOff
    case nothingNamed
    case noList
    case unreadableList
    case unknownPublicID
    case monthNotOver(Month)
    case notPrinted(reason: String)

    package var failureKind: FailureKind {
        switch self {
        case .crosswalkIsOff: .configuration
        case .nothingNamed, .monthNotOver: .usage
        case .unreadableList: .data
        case .noList, .unknownPublicID: .inputMissing
        case .notPrinted: .inputOutput
        }
    }

    package var description: String {
        switch self {
        case .crosswalkIsOff:
            "the store was loaded with a crosswalk, which has the identifiers of the trips, and the setting `crosswalk` is off: set "
                + "it, or delete that file and run `tripkpi crosswalk forget`"
        case .nothingNamed: "the list has no id"
        case .noList: "there is no such list of ids"
        case .unreadableList: "the list of ids is not UTF-8 text: save it as UTF-8, one id on a line"
        case .unknownPublicID:
            "no trip has one of these public ids: check the digits; a trip that was removed before has none either"
        case .notPrinted(let reason):
            "all is done, and nothing is to be repeated: what was removed could not be printed on standard output (\(reason)), and is "
                + "printed on standard error instead"
        case .monthNotOver(let month): "\(month) is not before this month: only whole months of the past are removed"
        }
    }
}

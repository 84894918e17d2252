package import Trips

/// Why an export may not be loaded as it is, found once all of it is read.
package enum LoadDoubt: Sendable, Hashable {
    case repeatedTrips(RepeatedTrips)
    case lostCosts(LostCosts)
    case replacedTrips(ReplacedTrips.Refusal, places: [String])

    /// What a user accepts to load it all the same.
    package var fault: AcceptableFault {
        switch self {
        case .repeatedTrips: .repeatedTrips
        case .lostCosts: .columnsGone
        case .replacedTrips: .reusedIDs
        }
    }

    package var problem: String {
        switch self {
        case .repeatedTrips(let repeats) where repeats.isOfSameSource:
            "\(repeats.repeated) of \(repeats.examined) trips that were compared are in the store under other ids: they would count "
                + "twice"
        case .repeatedTrips(let repeats):
            "\(repeats.repeated) of \(repeats.examined) trips that were compared are in the store as trips of source "
                + "\(repeats.source): under another source they would count twice"
        case .lostCosts(let costs):
            "\(costs.costed) of \(costs.completed) completed trips have a cost, \(costs.percent) %; in earlier exports of this kind "
                + "at least \(costs.earlierPercent) % had one"
        case .replacedTrips(let refusal, _): refusal.problem
        }
    }

    package var remedy: String {
        let waiver = "waive the export with `tripkpi quarantine waive`, and it is loaded"
        return switch self {
        case .repeatedTrips(let repeats) where repeats.isOfSameSource:
            "have the ids written as before (a spreadsheet may have removed zeros), or withdraw the earlier export; if they are "
                + "other trips, \(waiver)"
        case .repeatedTrips(let repeats):
            "if it is the same system, write `source: \(repeats.source)` into the profile; if it has other values of these trips, such "
                + "as their costs, write `supplement: \(repeats.source)`; if they are other trips, \(waiver)"
        case .lostCosts:
            "look at the cost column of the export and have it sent again; if the costs are not known yet, \(waiver)"
        case .replacedTrips(let refusal, _): "\(refusal.remedy); or \(waiver) all the same"
        }
    }

    /// The first records that show it, in words.
    package var places: [String] {
        if case .replacedTrips(_, let places) = self { places } else { [] }
    }
}

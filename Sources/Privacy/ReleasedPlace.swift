import KPIs
import Trips

/// Counts the late trips that a revision would add to a group: measure by measure and part by part.
struct LateTripTally {
    private struct Late {
        var trips = 0
        /// Distinct; no more than are asked for.
        var patients: Set<UInt64> = []
        var namesPatients = false
    }

    private let minimumCell: Int
    /// By place in the list of measures.
    private var late = Array(repeating: Late(), count: measureCount)

    init(minimumCell: Int) {
        self.minimumCell = minimumCell
    }

    var isEmpty: Bool { late[0].trips == 0 }

    /// Whether there are enough trips and patients for a group of their own.
    var isEnough: Bool { isEnough(late[0]) }

    private func isEnough(_ measure: Late) -> Bool {
        measure.trips >= minimumCell && (!measure.namesPatients || measure.patients.count >= minimumCell)
    }

    /// Whether each published measure has no late trip, or enough of them.
    ///
    /// - Parameters:
    ///   - before: what the release publishes of the group.
    ///   - after: what it would publish. What it publishes once it always does, so a measure that one of them publishes
    ///     is checked against every release there was.
    func isPublishable(before: GroupFigures, after: GroupFigures) -> Bool {
        zip(late, zip(Self.published(before), Self.published(after))).allSatisfy { measure, isPublished in
            measure.trips == 0 || isPublished == (false, false) || isEnough(measure)
        }
    }

    mutating func add(_ trip: TripContribution) {
        for measure in Self.measures(of: trip) {
            late[measure].trips += 1
            guard trip.patient != 0 else { continue }
            late[measure].namesPatients = true
            if late[measure].patients.count < minimumCell { late[measure].patients.insert(trip.patient) }
        }
    }

    // Trips; in-house, contracted, unclassified, and contracted or unclassified trips. Cost in the same five ways. Loaded
    // and unloaded miles. Then the intervals.
    private static let costOffset = 5
    private static let milesOffset = 10
    private static let intervalOffset = 12
    private static let measureCount = intervalOffset + TripInterval.allCases.count

    /// Which measures of a group are published.
    private static func published(_ group: GroupFigures) -> [Bool] {
        let isDivided = group.division != .undivided, isInThree = group.division == .inThree
        let isCostDivided = group.isCostDivided
        let parts = [isDivided, isInThree, isInThree, isDivided]
        return [true] + parts + [group.isCostPublished] + parts.map { $0 && isCostDivided }
            + [group.areLoadedMilesPublished, group.areUnloadedMilesPublished] + group.intervals.map(\.isPublished)
    }

    /// The measures that a trip has a value of.
    private static func measures(of trip: TripContribution) -> [Int] {
        let parts: [Int]
        switch trip.population {
        case .inHouse: parts = [0, 1]
        case .contracted: parts = [0, 2, 4]
        case .unclassified: parts = [0, 3, 4]
        case .cancelled, .noShow: return [0]
        }
        var measures = parts
        if trip.hasCost { measures += parts.map { costOffset + $0 } }
        if trip.hasLoadedMiles { measures.append(milesOffset) }
        if trip.hasUnloadedMiles { measures.append(milesOffset + 1) }
        return measures + trip.intervals.map { intervalOffset + $0.rawValue }
    }
}

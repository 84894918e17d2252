import KPIs
import Trips

/// Counts the trips of a group that have changed, measure by measure and part by part.
struct ChangeTally {
    private struct Changed {
        var trips = 0
        /// Distinct; no more than are asked for.
        var patients: Set<UInt64> = []
        var namesPatients = false
    }

    private let minimumCell: Int
    /// By place in the list of `measures`.
    private var changed = Array(repeating: Changed(), count: measureCount)

    init(minimumCell: Int) {
        self.minimumCell = minimumCell
    }

    var hasChanges: Bool { changed.contains { $0.trips > 0 } }

    /// Whether each published measure has changed for no trip, or for enough trips and patients.
    ///
    /// - Parameters:
    ///   - before: what the release publishes of the group.
    ///   - after: what it would publish. A measure that one of them publishes counts, so that a reader who keeps every
    ///     release can subtract nothing that was not checked.
    func isPublishable(before: GroupFigures, after: GroupFigures) -> Bool {
        zip(changed, zip(Self.published(before), Self.published(after))).allSatisfy { measure, isPublished in
            measure.trips == 0 || isPublished == (false, false)
                || measure.trips >= minimumCell && (!measure.namesPatients || measure.patients.count >= minimumCell)
        }
    }

    /// Which measures of a group are published.
    private static func published(_ group: GroupFigures) -> [Bool] {
        let isDivided = group.division != .undivided, isInThree = group.division == .inThree
        let isCostDivided = group.isCostDivided
        let parts = [isDivided, isInThree, isInThree, isDivided]
        return [true] + parts + [group.isCostPublished] + parts.map { $0 && isCostDivided }
            + [group.areLoadedMilesPublished, group.areUnloadedMilesPublished] + group.intervals.map(\.isPublished)
    }

    /// - Parameters:
    ///   - before: what the group's published figures have of a trip.
    ///   - after: what they would have; nil: nothing.
    mutating func add(before: [TripContribution], after: TripContribution?) {
        var difference = Array(repeating: SIMD4<Int>.zero, count: Self.measureCount)
        for trip in before { Self.add(trip, 1, to: &difference) }
        if let after { Self.add(after, -1, to: &difference) }
        guard let patient = after?.patient ?? before.first?.patient else { return }
        for measure in difference.indices where difference[measure] != .zero {
            changed[measure].trips += 1
            guard patient != 0 else { continue }
            changed[measure].namesPatients = true
            if changed[measure].patients.count < minimumCell { changed[measure].patients.insert(patient) }
        }
    }

    // Trips; by sourcing class; contracted or unclassified. Cost in the same five ways. Loaded and unloaded miles. Then
    // the intervals.
    private static let costOffset = 5
    private static let milesOffset = 10
    private static let intervalOffset = 12
    private static let measureCount = intervalOffset + TripInterval.allCases.count

    /// Adds what a trip adds to the sums and counts of each measure.
    private static func add(_ trip: TripContribution, _ sign: Int, to measures: inout [SIMD4<Int>]) {
        let part: Int? =
            switch trip.population {
            case .inHouse: 1
            case .contracted: 2
            case .unclassified: 3
            case .cancelled, .noShow: nil
            }
        measures[0] &+= SIMD4(sign, 0, 0, 0)
        guard let part else { return }
        let parts = part == 1 ? [0, 1] : [0, part, 4]
        for part in parts.dropFirst() { measures[part] &+= SIMD4(sign, 0, 0, 0) }
        if let cents = trip.costCents {
            for part in parts { measures[costOffset + part] &+= SIMD4(sign, sign * cents, 0, 0) }
        }
        if let loaded = trip.loadedHundredths { measures[milesOffset] &+= SIMD4(sign, sign * loaded, 0, 0) }
        if let unloaded = trip.unloadedHundredths {
            measures[milesOffset + 1] &+= SIMD4(sign, sign * unloaded, 0, 0)
        }
        for interval in TripInterval.allCases {
            let seconds = Int(trip.intervalSeconds[interval.rawValue])
            measures[intervalOffset + interval.rawValue] &+=
                seconds < 0 ? SIMD4(0, 0, sign, 0) : SIMD4(sign, sign * seconds, 0, 0)
        }
    }
}

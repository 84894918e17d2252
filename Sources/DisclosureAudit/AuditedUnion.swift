/// The groups of some populations that lie inside a cell, and whether they are all of its trips.
struct AuditedUnion {
    /// Places in the release's groups.
    private(set) var groups: [Int] = []
    private(set) var trips = 0
    /// Each month publishes the populations, and no group lies partly in the cell.
    var isWhole = true
    private(set) var namesPatients = false
    private var measures = Self.noMeasures

    private static let noMeasures = Array(repeating: MeasureTotals(), count: AuditedMeasure.allCases.count)

    /// - Parameters:
    ///   - place: of the group in the release.
    ///   - published: what the group publishes.
    mutating func add(_ group: AuditedGroup, at place: Int, publishing published: Set<AuditedMeasure>) {
        groups.append(place)
        trips += group.trips
        namesPatients = namesPatients || group.namesPatients
        for (place, measure) in AuditedMeasure.allCases.enumerated() {
            if published.contains(measure) {
                measures[place].add(group.totals(of: measure))
            } else {
                measures[place].isWhole = false
            }
        }
    }

    /// Over the groups that publish the measure.
    subscript(measure: AuditedMeasure) -> MeasureTotals { measures[measure.place] }

    /// Whether the measure's totals are of all trips of the cell.
    func isWhole(_ measure: AuditedMeasure) -> Bool { isWhole && self[measure].isWhole }

    /// Whether a count or the miles are shown: all of the cell's, or those of the groups that publish the measure.
    func isShown(_ measure: AuditedMeasure) -> Bool { isWhole(measure) || self[measure].groups > 0 }

    /// Nil where no group lies inside the cell and the cell is not known to be empty.
    var shownTrips: Int? { isWhole || !groups.isEmpty ? trips : nil }

    /// Whether the staff's cost per loaded mile, which is of trips with both, is the quotient of the two sums: each
    /// trip with a cost has loaded miles, and all loaded miles are of trips with a cost.
    var isOfTripsWithBoth: Bool {
        self[.cost].withBoth == self[.cost].used && self[.loadedMiles].withBoth == self[.loadedMiles].sum
    }
}

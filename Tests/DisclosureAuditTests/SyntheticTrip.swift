import DisclosureAudit

/// One made-up trip. The auditor never sees it: groups and honest documents are computed from it, each by its own way.
struct SyntheticTrip {
    /// In-house, contracted, unclassified, cancelled or no-show.
    var population: AuditedPopulation
    var leaf: AuditedLeaf
    /// Nil: the trips of the release name no patients.
    var patient: Int?
    var costCents: Int?
    var loadedHundredths: Int?
    var unloadedHundredths: Int?
    /// Seconds of each of the six intervals; nil where one does not count.
    var times: [Int?]

    /// Whether it has a value of a measure.
    func has(_ measure: AuditedMeasure) -> Bool {
        switch measure {
        case .cost: costCents != nil
        case .loadedMiles: loadedHundredths != nil
        case .unloadedMiles: unloadedHundredths != nil
        case .duration: times[0] != nil
        case .response: times[1] != nil
        case .turnout: times[2] != nil
        case .scene: times[3] != nil
        case .transport: times[4] != nil
        case .turnaround: times[5] != nil
        }
    }
}

import DisclosureAudit

/// One made-up trip. The auditor never sees it: groups and honest documents are computed from it, each by its own way.
struct SyntheticTrip {
    enum Sourcing: CaseIterable { case inHouse, contracted, unclassified }

    var month: String
    var population: AuditedPopulation
    var leaf: AuditedLeaf
    /// Nil: the trips of the release name no patients.
    var patient: Int?
    var sourcing: Sourcing
    var costCents: Int?
    var loadedHundredths: Int?
    var unloadedHundredths: Int?
    /// Seconds of each of the six intervals; nil where one does not count.
    var times: [Int?]
}

import Basics
import Store
import Trips

/// The trips and patients that a removal was asked for. One id has a pseudonym for each source; an id that was written twice counts
/// once.
struct RequestedNames {
    /// Trips and patients that were named or removed before.
    private let keptOut: KeptOut
    /// Which id a pseudonym is of.
    private var patients: [UInt64: Int] = [:]
    private var trips: [TripKey: Int] = [:]
    private var publicIDs: Set<PublicTripID> = []
    private var knownPublicIDs: Set<PublicTripID> = []

    init(_ keptOut: KeptOut) { self.keptOut = keptOut }

    mutating func add(patient: UInt64, number: Int) { patients[patient] = patients[patient] ?? number }

    mutating func add(trip: TripKey, number: Int) { trips[trip] = trips[trip] ?? number }

    mutating func add(publicID: PublicTripID, isKnown: Bool) {
        publicIDs.insert(publicID)
        if isKnown { knownPublicIDs.insert(publicID) }
    }

    /// How many were found, and how many were named before, found or not, or removed before, with their patient or by their age: a
    /// repeated command finds nothing.
    ///
    /// - Parameters:
    ///   - pseudonyms: of the patients whose trips were there.
    ///   - keys: of the trips that were there.
    func lines(found pseudonyms: Set<UInt64>, _ keys: Set<TripKey>) -> [String] {
        var lines: [String] = []
        let ids = Set(patients.values)
        if !ids.isEmpty {
            let found = Set(pseudonyms.compactMap { patients[$0] })
            let before = Set(patients.filter { keptOut.names(patient: $0.key) }.values)
            lines.append("patients: \(found.count) found of \(ids.count) ids" + Self.earlier(before.count))
        }
        let tripIDs = Set(trips.values)
        if !tripIDs.isEmpty {
            let found = Set(keys.compactMap { trips[$0] })
            let before = Set(trips.filter { keptOut.names($0.key, patient: 0) }.values)
            lines.append("trips: \(found.count) found of \(tripIDs.count) ids" + Self.earlier(before.count))
        }
        if knownPublicIDs.count < publicIDs.count {
            lines.append(
                "public ids: \(knownPublicIDs.count) found of \(publicIDs.count); another one is mistyped, or its trip was removed before"
            )
        }
        return lines
    }

    private static func earlier(_ count: Int) -> String {
        count == 0 ? "" : "; \(count) of them \(count == 1 ? "was" : "were") named or removed before"
    }
}

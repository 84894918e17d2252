/// What one record of an export is: the `records:` of a profile.
package enum RecordKind: String, CaseIterable, Sendable {
    /// A version of a trip: of several with one key the newest counts.
    case versions
    /// A charge line of a trip: the lines of a trip are added up.
    case lines
    /// The response of one vehicle to an incident: the vehicle is the leg of the trip's key.
    case units
    /// One status change of a trip: the changes of a trip are its times.
    case events

    /// Whether several records make one trip.
    package var isComposed: Bool { self == .lines || self == .events }
}

/// Who ran the trip: the health system itself, or a contractor.
///
/// `unclassified` is a class of its own: it is counted and shown, and it is not in the denominator of
/// `inHousePercent`.
package enum Sourcing: UInt8, CaseIterable, Sendable, Hashable {
    case inHouse, contracted, unclassified
    private static let names = ["inHouse", "contracted", "unclassified"]

    /// The word that rules and reports use.
    package var name: String { Self.names[Int(rawValue)] }
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

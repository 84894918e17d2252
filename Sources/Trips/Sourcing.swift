/// Who ran the trip: the health system itself, or a contractor (SPEC §1).
///
/// `unclassified` is a class of its own: it is counted and shown, and it is not in the denominator of
/// `inHousePercent`.
package enum Sourcing: UInt8, CaseIterable, Sendable, Hashable {
    case inHouse, contracted, unclassified

    /// The word rules and reports use.
    package var name: String {
        switch self {
        case .inHouse: "inHouse"
        case .contracted: "contracted"
        case .unclassified: "unclassified"
        }
    }

    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

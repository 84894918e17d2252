/// The outcome of a trip. A trip without a status was completed.
package enum TripStatus: UInt8, CaseIterable, Sendable, Hashable {
    case completed, cancelled, noShow, void
    private static let names = ["completed", "cancelled", "no_show", "void"]

    /// The word that profiles map a source's values to.
    package var name: String { Self.names[Int(rawValue)] }
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

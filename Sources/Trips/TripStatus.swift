/// What became of a trip. A trip without a status was completed (SPEC §2.2).
package enum TripStatus: UInt8, CaseIterable, Sendable, Hashable {
    case completed, cancelled, noShow, void

    /// The word profiles map a source's values to.
    package var name: String {
        switch self {
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .noShow: "no_show"
        case .void: "void"
        }
    }

    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

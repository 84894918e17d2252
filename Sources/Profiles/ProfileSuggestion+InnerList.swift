internal import Trips

// Records that are the entries of a list within the records of a JSON document: `incidents[].units[]`.
extension ProfileSuggestion {
    /// What the names of fields in the inner list begin with; nil: the path leads to none.
    static func innerPrefix(_ path: [String]) -> String? {
        guard let outer = path.firstIndex(where: { $0.hasSuffix("[]") }), outer + 1 < path.count else { return nil }
        return path[(outer + 1)...].map { $0.hasSuffix("[]") ? String($0.dropLast(2)) : $0 }.joined(separator: ".")
            + "."
    }

    private func isInner(_ field: CanonicalField) -> Bool {
        guard let prefix = Self.innerPrefix(recordsPath) else { return false }
        return columns.contains { $0.isProposed && $0.field == field && $0.name?.hasPrefix(prefix) ?? false }
    }

    /// Whether the entries are the vehicles that were sent to one incident, whose id is that of its trips.
    var areUnits: Bool { isInner(.vehicleID) && !isInner(.tripID) && !isInner(.legID) }

    var unitProblems: [String] {
        guard Self.innerPrefix(recordsPath) != nil, !areUnits, !isInner(.tripID), !isInner(.legID), !hasNoTripIDs else {
            return []
        }
        return [
            "the records are entries of a list, and no field of theirs is surely an id: add leg_id, or vehicle_id and "
                + "“records: units”"
        ]
    }
}

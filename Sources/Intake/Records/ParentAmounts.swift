import ExportBytes
import Profiles
import Rules
import Trips

/// Amounts of a parent whose inner records are the trips: `incidents[].units[]` with the cost of the incident. Each counts
/// once, with the first of the parent's trips: in every one of them it would be added as often.
struct ParentAmounts {
    private static let amounts: [CanonicalField] = [
        .cost, .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd, .estimatedMiles, .units,
    ]

    private let profile: Profile
    /// What the names of the fields of each inner record begin with, from the outside in.
    private let prefixes: [String]

    init(_ profile: Profile, _ nesting: JSONNesting) {
        self.profile = profile
        var path: [String] = []
        prefixes = nesting.inner.map { step in
            path += step
            return path.joined(separator: ".") + "."
        }
    }

    /// How many inner arrays a name lies in.
    private func depth(_ name: String) -> Int { prefixes.count { name.hasPrefix($0) } }

    /// The depth of what makes a record a trip of its own: below it, records of one parent are versions or parts of one trip.
    private var tripDepth: Int {
        // The amounts of charge lines are added up.
        if profile.hasNoTripIDs || profile.records == .lines { return prefixes.count }
        var fields: [CanonicalField] = [.tripID, .legID]
        if profile.records == .units || profile.records == .events { fields.append(.vehicleID) }
        if profile.records == .units, profile.columns[.tripID] == nil { fields.append(.incidentID) }
        return fields.flatMap { profile.columns[$0] ?? [] }.map(depth).max() ?? 0
    }

    /// Fields that the profile takes from a parent of several trips.
    private var fields: [CanonicalField] {
        Self.amounts.filter { field in (profile.columns[field] ?? []).contains { depth($0) < tripDepth } }
    }

    /// See `JSONNesting.once`.
    ///
    /// - Throws: if the filter may leave out the one record that has them.
    func once(file: String) throws(ExportError) -> [[[String]]] {
        let fields = fields
        guard !fields.isEmpty else { return [] }
        if let filter = profile.filter?.fields.first(where: { depth($0) > 0 }) {
            throw ExportError(
                kind: .malformed, file: file,
                problem:
                    "the profile takes \(Self.list(fields)) from the parent of its records, where each counts once, with the "
                    + "first of them, and the filter on “\(filter)” may skip that one",
                remedy: "map an amount of the inner records, or filter on a field of the parent")
        }
        let names = fields.flatMap { profile.columns[$0] ?? [] }
        return prefixes.indices.map { step in
            guard step < tripDepth else { return [] }
            return names.filter { depth($0) <= step }.map { $0.split(separator: ".").map(String.init) }
        }
    }

    /// - Throws: if a column is named without the keys that lead to the inner records.
    func checkNames(_ missing: [MissingColumn], head: [String], file: String) throws(ExportError) {
        for column in missing {
            for name in column.names {
                guard let inner = prefixes.map({ $0 + name }).first(where: head.contains) else { continue }
                throw ExportError(
                    kind: .missingColumns, file: file,
                    problem:
                        "no column for \(column): a field of the inner records has the keys that lead to them in its name",
                    remedy:
                        "write “\(column.field.rawValue): \(inner)” into the profile, and the same for its other columns"
                )
            }
        }
    }

    /// What must be said; nil: nothing.
    var remark: String? {
        let fields = fields
        guard !fields.isEmpty else { return nil }
        return
            "\(Self.list(fields)) of a parent with several records: counted once, with the first of them; if each record has an "
            + "amount of its own, map that (\(prefixes.last ?? "")…)"
    }

    private static func list(_ fields: [CanonicalField]) -> String {
        fields.map(\.rawValue).joined(separator: " and ")
    }
}

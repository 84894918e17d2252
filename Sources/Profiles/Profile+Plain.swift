package import Trips

/// Why a file cannot be read without a profile. Header names are in it only as positions.
package struct PlainHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        /// The first row looks like data, not like a header.
        case noHeader
        case missingTripID
        case missingTimes
        /// These columns (1-based) may all be the field, and nothing says which is meant.
        case ambiguous(CanonicalField, columns: [Int])
        /// The columns carry NEMSIS dispositions, which say by codes what became of a trip.
        case nemsisDisposition(columns: [Int])
    }

    package var problems: [Problem]

    package init(problems: [Problem]) {
        self.problems = problems
    }

    package var description: String { problems.map(Self.text).joined(separator: "\n") }

    private static func text(_ problem: Problem) -> String {
        switch problem {
        case .noHeader:
            "the first row does not look like a header — give the file a header row; without one no column has a name"
        case .missingTripID:
            "no column is known to be trip_id — run `tripkpi map suggest FILE` and load with a profile"
        case .missingTimes:
            "no column is known to be a time or a service_date — run `tripkpi map suggest FILE` and load with a profile"
        case .ambiguous(let field, let columns):
            "columns \(list(columns)) may all be \(field.rawValue) — say in a profile which one is meant"
        case .nemsisDisposition(let columns):
            "\(columns.count == 1 ? "column" : "columns") \(list(columns)) hold NEMSIS dispositions, which a plain"
                + " file cannot explain — load with --profile nemsis"
        }
    }

    private static func list(_ columns: [Int]) -> String { columns.map(String.init).joined(separator: ", ") }
}

extension Profile {
    /// A profile for a file whose header speaks for itself: every column that has a known name, and nothing guessed.
    ///
    /// A field that several columns may carry gets them in the order of the table's preference. Fails if the order
    /// does not settle it, if there is no trip id or no time, or if the first row is not a header.
    package static func plain(
        header: [String], source: String, table: SynonymTable = .standard, vocabulary: Vocabulary = .standard
    ) throws(PlainHeaderError) -> Profile {
        guard HeaderCheck(header: header, table: table).isHeader else { throw PlainHeaderError(problems: [.noHeader]) }
        var found: [CanonicalField: [(tier: Int, column: Int)]] = [:]
        var dispositions: [Int] = []
        for (index, name) in header.enumerated() {
            if HeaderName(name).element?.hasPrefix("eDisposition.") == true, table.meaning(of: name)?.field == .status {
                dispositions.append(index + 1)
            } else if let meaning = table.meaning(of: name) {
                found[meaning.field, default: []].append((meaning.tier, index + 1))
            }
        }
        var problems: [PlainHeaderError.Problem] = []
        var profile = Profile(source: source)
        for field in CanonicalField.allCases {
            let columns = (found[field] ?? []).sorted { ($0.tier, $0.column) < ($1.tier, $1.column) }
            let doubtful = columns.filter { $0.tier == columns[0].tier }
            if doubtful.count > 1, !field.isOnlyRemoved {
                problems.append(.ambiguous(field, columns: doubtful.map(\.column)))
            }
            for name in columns.map({ header[$0.column - 1] })
            where profile.columns[field]?.contains(name) != true {
                profile.columns[field, default: []].append(name)
            }
        }
        if profile.columns[.tripID] == nil { problems.append(.missingTripID) }
        if !profile.hasTime { problems.append(.missingTimes) }
        if !dispositions.isEmpty { problems.append(.nemsisDisposition(columns: dispositions)) }
        guard problems.isEmpty else { throw PlainHeaderError(problems: problems) }
        profile.valueMaps = StandardValues.maps(for: vocabulary)
        profile.vocabulary = vocabulary
        return profile
    }

    /// Whether a column or constant gives a trip its day.
    package var hasTime: Bool {
        let fields = TripEvent.allCases.map(\.field) + [.serviceDate]
        return fields.contains { columns[$0] != nil || constants[$0] != nil }
    }
}

extension CanonicalField {
    /// Whether tripkpi reads it only to keep it out of everything: which of several columns is meant changes nothing.
    var isOnlyRemoved: Bool {
        switch self {
        case .patientName, .patientDOB, .patientPhone, .patientAddress, .origin, .destination, .notes: true
        default: false
        }
    }
}

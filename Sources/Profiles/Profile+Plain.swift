package import Trips

/// Why a file cannot be read without a profile. It names columns by their positions (from 1), never by their headers.
package struct PlainHeaderError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// Each with how to fix it.
    package let problems: [String]

    package var failureKind: FailureKind { .data }

    package var description: String { problems.joined(separator: "\n") }
}

extension Profile {
    /// The source of an export that is read without a profile.
    package static let plainSource = "plain"

    /// A profile for a file with known column names: every column that has one, and nothing guessed.
    ///
    /// A field that several columns may carry gets them in the order of the table's preference. Fails if the order does not
    /// decide it, if there is no trip id or no time, or if the first row is not a header.
    ///
    /// - Parameters:
    ///   - rows: some that follow the first, to know whether that is a header.
    ///   - mayLackIDs: whether each record is a trip where no column can be an id.
    package static func plain(
        header: [String], rows: [[String]] = [], source: String, table: SynonymTable = .standard,
        vocabulary: Vocabulary = .standard, mayLackIDs: Bool = false
    ) throws(PlainHeaderError) -> Profile {
        guard
            HeaderCheck(header: header, table: table).isHeader
                || HeaderCheck(header: header, rows: rows, table: table).isHeader
        else {
            throw PlainHeaderError(problems: [
                "the first row does not look like a header — give the file a header row; without one no column has a name. If it"
                    + " is a header, run `tripkpi map suggest FILE --header --write profiles/NAME.yaml` and load with that profile; if it"
                    + " has no header, run it with --no-header: the profile then names columns by their numbers (`header: false`)"
            ])
        }
        var found: [CanonicalField: [(tier: Int, column: Int)]] = [:]
        var dispositions: [Int] = []
        for (index, name) in header.enumerated() {
            if HeaderName(name).element?.hasPrefix("eDisposition.") == true, table.meaning(of: name)?.field == .status {
                dispositions.append(index + 1)
            } else if let meaning = table.meaning(of: name) {
                found[meaning.field, default: []].append((meaning.tier, index + 1))
            }
        }
        func list(_ columns: [Int]) -> String { columns.map(String.init).joined(separator: ", ") }
        let suggestion = "run `tripkpi map suggest FILE --write profiles/NAME.yaml` and load with that profile"
        var problems: [String] = []
        var profile = Profile(source: source)
        for field in CanonicalField.allCases {
            let columns = (found[field] ?? []).sorted { ($0.tier, $0.column) < ($1.tier, $1.column) }
            let doubtful = columns.filter { $0.tier == columns[0].tier }
            if doubtful.count > 1, !field.isOnlyRemoved {
                problems.append(
                    "columns \(list(doubtful.map(\.column))) may all be \(field.rawValue) — run `tripkpi map suggest FILE --write profiles/NAME.yaml`, choose one there,"
                        + " and load with that profile")
            }
            for name in columns.map({ header[$0.column - 1] })
            where profile.columns[field]?.contains(name) != true {
                profile.columns[field, default: []].append(name)
            }
        }
        if profile.columns[.tripID] == nil {
            let isWithout =
                rows.count >= leastRowsWithoutIDs && profile.columns[.legID] == nil
                && IDCandidates.columns(header: header, rows: rows, table: table).isEmpty
            if isWithout, mayLackIDs {
                profile.hasNoTripIDs = true
            } else {
                problems.append(
                    "no column is known to be trip_id — \(suggestion)"
                        + (isWithout ? "; where each record is a trip, it has “trip_id: none”" : ""))
            }
        }
        // What the others are does not matter if those that are needed are known.
        if profile.columns[.tripID] == nil && !profile.hasNoTripIDs || !profile.hasTime {
            problems += repeatedNames(header, table)
        }
        if !profile.hasTime {
            problems.append("no column is known to be a time or a service_date — \(suggestion)")
        }
        if !dispositions.isEmpty {
            problems.append(
                "\(dispositions.count == 1 ? "column" : "columns") \(list(dispositions)) hold NEMSIS dispositions, which a"
                    + " plain file cannot explain — load with --profile nemsis")
        }
        guard problems.isEmpty else { throw PlainHeaderError(problems: problems) }
        profile.valueMaps = StandardValues.maps(for: vocabulary)
        profile.vocabulary = vocabulary
        return profile
    }

    /// Fewer records do not show that no column is an id.
    private static let leastRowsWithoutIDs = 5

    /// Names that several columns have and that may be those of times or other fields.
    private static func repeatedNames(_ header: [String], _ table: SynonymTable) -> [String] {
        let index = HeaderIndex(header)
        var told: Set<[Int]> = []
        return header.indices.compactMap { column -> String? in
            guard let columns = index.columns(repeating: header[column]), table.meaning(of: header[column]) == nil,
                told.insert(columns).inserted
            else { return nil }
            let list = columns.map { "\($0 + 1)" }.joined(separator: ", ")
            return
                "columns \(list) have one name, so no name says which is which — write a profile that names each by its number, "
                + "for example on_scene_at: \"\(HeaderIndex.numberName(columns[0]))\""
        }
    }

    /// Whether a column or constant gives a trip its day.
    package var hasTime: Bool {
        let fields = TripEvent.allCases.map(\.field) + [.serviceDate]
        return fields.contains { columns[$0] != nil || constants[$0] != nil }
    }
}

extension CanonicalField {
    /// Whether tripkpi reads it only to keep it out of everything: which of several columns is meant changes nothing.
    package var isOnlyRemoved: Bool {
        switch self {
        case .patientName, .patientDOB, .patientPhone, .patientAddress, .origin, .destination, .notes: true
        default: false
        }
    }
}

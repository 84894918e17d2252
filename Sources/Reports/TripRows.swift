import Files
package import KPIContract
package import Privacy
import Trips

/// How rows of trips are written.
package enum TripRowFormat: String, CaseIterable, Sendable {
    case ndjson, csv
    /// An array of what the app lists: `Trip`.
    case json
}

/// De-identified trips as rows of NDJSON or CSV, or as one JSON array of what a list shows of them. The rows are as the dashboard decodes them (`trip.v1.schema.json#/$defs/detail`).
///
/// NDJSON begins with one line `{"header":{…}}` that says on what basis the rows are released; rows have an `id` and no
/// `header`. Each row repeats the profile, so that no row goes about without it. CSV and JSON have the rows alone.
package struct TripRows: Sendable {
    package let format: TripRowFormat

    package init(_ format: TripRowFormat) {
        self.format = format
    }

    /// What comes before the rows.
    ///
    /// - Parameters:
    ///   - minimumGroup: see `GroupCounts`.
    ///   - generatedAt: RFC 3339 in UTC.
    package func head(_ profile: PrivacyProfile, minimumGroup: Int, generatedAt: String) -> [UInt8] {
        switch format {
        case .json: return Array("[".utf8)
        case .csv:
            var bytes: [UInt8] = []
            CSVText.append(Self.columns, to: &bytes)
            return bytes
        case .ndjson:
            let removed = Identifier.allCases.map { identifier in
                CanonicalJSON.Member(identifier.rawValue, .text(profile.treatment(of: identifier).words))
            }
            return CanonicalJSON.object([
                CanonicalJSON.Member(
                    "header",
                    .object([
                        CanonicalJSON.Member("contractVersion", .text(KPISummaryV1.version)),
                        CanonicalJSON.Member("generatedAt", .text(generatedAt)),
                        CanonicalJSON.Member("privacy", .text(profile.label)),
                        CanonicalJSON.Member("statement", .text(profile.statement)),
                        CanonicalJSON.Member("minimumGroup", .integer(minimumGroup)),
                        CanonicalJSON.Member("identifiers", .object(removed)),
                    ]))
            ]).line
        }
    }

    /// - Parameter place: how many rows came before.
    package func append(_ row: TripRow, place: Int = 0, to bytes: inout [UInt8]) {
        switch format {
        case .json:
            bytes.append(contentsOf: (place == 0 ? "\n" : ",\n").utf8)
            bytes.append(contentsOf: row.detail.trip.canonical.line.dropLast())
        case .ndjson: bytes.append(contentsOf: row.canonical.line)
        case .csv: CSVText.append(Self.fields(row), to: &bytes)
        }
    }

    /// What comes after the rows.
    package var tail: [UInt8] { format == .json ? Array("\n]\n".utf8) : [] }

    private static let columns = [
        "id", "title", "duration", "phiField", "date", "provider", "distance", "cost", "patientId", "privacy",
        "tripType", "region", "sourcing", "response", "turnout", "scene", "transport", "turnaround",
        "unloadedDistance", "age", "birthDate", "zip", "city", "state",
    ]

    /// The members of the NDJSON row, as `columns` names them. Numbers are ours; no text can become a formula.
    private static func fields(_ row: TripRow) -> [String] {
        guard case .object(let members) = row.canonical else { return [] }
        let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return columns.map { column in
            switch values[column] {
            case .text(let text): CSVText.harmless(text)
            case .number(let digits): digits
            default: ""
            }
        }
    }
}

extension TripRow {
    /// The app's own keys have no nulls: 0 is for a duration or a distance that is not known.
    package init(_ trip: DeidentifiedTrip) {
        func seconds(_ interval: TripInterval) -> Int? { trip.intervals[interval.rawValue] }
        let listed = Trip(
            id: trip.id.description,
            title: [trip.tripType, trip.region].compactMap(\.self).joined(separator: ", "),
            duration: Double(seconds(.duration) ?? 0), date: trip.date, provider: trip.provider ?? "",
            distance: Hundredths(units: trip.loadedHundredths ?? 0))
        var more = More()
        more.turnout = seconds(.turnout)
        more.scene = seconds(.scene)
        more.transport = seconds(.transport)
        more.turnaround = seconds(.turnaround)
        more.unloadedDistance = trip.unloadedHundredths.map(Hundredths.init(units:))
        more.age = trip.age
        more.birthDate = trip.birthDate
        more.zip = trip.zip
        more.city = trip.city
        more.state = trip.state
        self.init(
            TripDetail(
                listed, cost: trip.costCents.map(Cents.init(cents:)), privacy: trip.label, tripType: trip.tripType,
                region: trip.region, sourcing: trip.sourcing.name, response: seconds(.response)),
            more)
    }
}

package import Deidentification
import Encoding
import KPIContract
import Trips

/// How rows of trips are written.
package enum TripRowFormat: String, CaseIterable, Sendable {
    case ndjson, csv
}

/// De-identified trips as rows of NDJSON or CSV, as the dashboard decodes them (`trip.v1.schema.json#/$defs/detail`).
///
/// NDJSON begins with one line `{"header":{…}}` that says on what basis the rows are released; rows have an `id` and no
/// `header`. Each row repeats the profile, so that no row goes about without it. CSV has the rows alone.
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

    package func append(_ trip: DeidentifiedTrip, to bytes: inout [UInt8]) {
        switch format {
        case .ndjson:
            let members = Self.members(trip).map { CanonicalJSON.Member($0.name, $0.value.json) }
            bytes.append(contentsOf: CanonicalJSON.object(members).line)
        case .csv: CSVText.append(Self.members(trip).map { $0.value.csv }, to: &bytes)
        }
    }

    private enum Value {
        case text(String)
        case optional(String?)
        /// Digits that are ours.
        case number(String?)

        var json: CanonicalJSON {
            switch self {
            case .text(let text): .text(text)
            case .optional(let text): .text(orNull: text)
            case .number(let digits): digits.map { .number($0) } ?? .null
            }
        }

        var csv: String {
            switch self {
            case .text(let text): CSVText.harmless(text)
            case .optional(let text): CSVText.harmless(text ?? "")
            case .number(let digits): digits ?? ""
            }
        }
    }

    private static let columns = [
        "id", "title", "duration", "phiField", "date", "provider", "distance", "cost", "patientId", "privacy",
        "tripType", "region", "sourcing", "response", "turnout", "scene", "transport", "turnaround",
        "unloadedDistance", "age", "birthDate", "zip", "city", "state",
    ]

    /// The app's own keys first; it has no nulls for a duration or a distance, so 0 stands for unknown.
    private static func members(_ trip: DeidentifiedTrip) -> [(name: String, value: Value)] {
        func seconds(_ interval: TripInterval) -> String? { trip.intervals[interval.rawValue].map { String($0) } }
        func miles(_ hundredths: Int?) -> String? { hundredths.map { Hundredths(units: $0).description } }
        let values: [Value] = [
            .text(trip.id.description), .text([trip.tripType, trip.region].compactMap(\.self).joined(separator: ", ")),
            .number(seconds(.duration) ?? "0"), .text(DeidentifiedTrip.mask), .text(trip.date),
            .text(trip.provider ?? ""), .number(miles(trip.loadedHundredths) ?? "0"),
            .number(trip.costCents.map { Cents(cents: $0).description }), .text(DeidentifiedTrip.mask),
            .text(trip.label), .text(trip.tripType), .optional(trip.region), .text(trip.sourcing.name),
            .number(seconds(.response)), .number(seconds(.turnout)), .number(seconds(.scene)),
            .number(seconds(.transport)), .number(seconds(.turnaround)), .number(miles(trip.unloadedHundredths)),
            .optional(trip.age), .optional(trip.birthDate), .optional(trip.zip), .optional(trip.city),
            .optional(trip.state),
        ]
        return Array(zip(columns, values)).map { (name: $0, value: $1) }
    }
}

/// Hundredths of a mile: rows show miles as exactly as exports say them.
private struct Hundredths: FixedDecimal {
    static var decimals: Int { 2 }
    let units: Int
}

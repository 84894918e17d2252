import Profiles
import Trips

/// Which columns of an export hold what no output may repeat: those of identifying fields, and unmapped ones whose name
/// says so. Dates and times are not among them: the shape of a full date is looked for in every output anyway.
struct IdentifyingColumn: Sendable, Hashable {
    /// From 0.
    var index: Int
    /// Of persons.
    var isName: Bool
}

enum IdentifyingColumns {
    private static let fields: [CanonicalField] = [
        .tripID, .legID, .facilityID, .providerNPI, .vehicleID, .invoiceNumber, .patientID, .patientName, .patientPhone,
        .patientAddress, .patientZIP, .origin, .destination, .notes,
    ]

    static func all(profile: Profile, header: [String]) -> [IdentifyingColumn] {
        let index = HeaderIndex(header)
        var columns: [IdentifyingColumn] = []
        for field in fields {
            guard let column = (profile.columns[field] ?? []).lazy.compactMap({ index.column(named: $0) }).first else {
                continue
            }
            columns.append(IdentifyingColumn(index: column, isName: field == .patientName))
        }
        let mapped = PHIColumnCheck.mappedColumns(of: profile, in: header)
        for (column, name) in header.enumerated() where !mapped.contains(column) {
            guard let sign = PHIColumnCheck.sign(ofHeader: name), sign != .dateOfBirth, sign != .age else { continue }
            columns.append(IdentifyingColumn(index: column, isName: sign == .personName))
        }
        return columns
    }
}

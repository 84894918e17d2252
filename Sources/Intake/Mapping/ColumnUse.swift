import Profiles
package import Trips

/// Which column of an export carries a field; what `--dry-run` shows.
package struct ColumnUse: Sendable, Hashable {
    package var field: CanonicalField
    /// From 1; nil in JSON, whose keys have no order.
    package var position: Int?
    /// The column's name if it may be shown: the first row of a file without header is a person's record.
    package var name: String?

    /// - Parameter column: its place in the header, from 0.
    init(field: CanonicalField, column: Int, header: [String], _ check: HeaderCheck, isJSON: Bool) {
        self.field = field
        position = isJSON ? nil : column + 1
        name = check.mayPrint(column) ? header[column] : nil
    }

    /// The columns that a profile's fields are read from, in the order of the fields.
    static func all(profile: Profile, header: [String], _ check: HeaderCheck, isJSON: Bool) -> [ColumnUse] {
        let index = HeaderIndex(header)
        return CanonicalField.allCases.compactMap { field in
            index.column(of: field, in: profile).map {
                ColumnUse(field: field, column: $0, header: header, check, isJSON: isJSON)
            }
        }
    }
}

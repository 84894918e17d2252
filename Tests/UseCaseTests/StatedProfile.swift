import Profiles
import Trips

extension Profile {
    /// A profile of columns with the names of their fields, that says what a record is.
    static func stated(_ records: RecordKind) -> Profile {
        var profile = Profile(source: "stated")
        profile.records = records
        for field in CanonicalField.allCases { profile.columns[field] = [field.rawValue] }
        return profile
    }
}

package import StrictYAML

/// Reads a profile from YAML (`data/profiles/README.md` lists its keys).
///
/// Everything is checked: unknown keys and fields, a column used twice, a value map to a region that is not configured,
/// a zone that does not exist. All errors are reported together, each with line, column and how to fix it.
package enum ProfileFile {
    package static let keys = [
        "source", "supplement", "format", "delimiter", "encoding", "header", "header_rows", "quotes", "records_path",
        "pages",
        "sheets", "records", "columns",
        "required",
        "constants",
        "dates",
        "values", "missing", "lookups", "filter", "units", "decimal", "intervals", "max_interval_hours", "max_reject",
        "max_unreadable", "accept_unreadable", "max_miles", "max_record_bytes",
        "regions", "trip_types",
    ]

    /// The profile that the bytes of `file` state.
    /// - Parameters:
    ///   - vocabulary: the configured lists; `regions` and `trip_types` of the profile take their place.
    ///   - isKnownZone: whether the zone data has a zone of this IANA name.
    ///   - load: reads a file that the profile names. The path has the profile's folder before it.
    package static func read(
        _ bytes: [UInt8], file: String, vocabulary: Vocabulary = .standard, isKnownZone: @escaping (String) -> Bool,
        load: @escaping (String) throws -> [UInt8]
    ) throws(ConfigurationErrors) -> Profile {
        let root: YAMLValue
        do {
            root = try YAMLValue.parse(bytes: bytes, file: file)
        } catch {
            throw ConfigurationErrors([error])
        }
        var reader = ProfileReader(root: root, isKnownZone: isKnownZone, load: load)
        reader.profile.vocabulary = vocabulary
        reader.readAll()
        guard reader.log.errors.isEmpty else { throw reader.log.sorted(from: file) }
        return reader.profile
    }
}

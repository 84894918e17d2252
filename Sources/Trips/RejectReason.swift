/// Why a record cannot be a trip. The raw value is the reason code users see and scripts match on.
package enum RejectReason: String, CaseIterable, Sendable, Hashable {
    case missingTripID = "missing_trip_id"
    case roundedTripID = "rounded_trip_id"
    case noUsableDate = "no_usable_date"
    case fieldCount = "field_count"
    case unterminatedQuote = "unterminated_quote"
    case malformedQuote = "malformed_quote"
    case malformedJSON = "malformed_json"
    case notAnObject = "not_an_object"
    case duplicateKey = "duplicate_key"
    case recordTooLong = "record_too_long"
    case nulByte = "nul_byte"
    case unknownStatus = "unknown_status"
    /// What it means and how to fix it, in one sentence.
    package var explanation: String {
        switch self {
        case .missingTripID: "the record has no trip id; map trip_id to a column that is always filled"
        case .roundedTripID:
            "the trip id is a number that a program has rounded (as 1.23E+11) or written with a fraction (12.0 in JSON), so it "
                + "is not sure which trip has it; have the export made again with ids as text"
        case .noUsableDate:
            "none of the times and no service_date could be read; the profile says how they are written"
        case .fieldCount: "the record has more or fewer fields than the header; look for an unquoted delimiter"
        case .unterminatedQuote: "a quoted field is never closed; double the quotes inside quoted text"
        case .malformedQuote: "there is text after a closing quote; double the quotes inside quoted text"
        case .malformedJSON: "the element is not valid JSON"
        case .notAnObject: "the element is not a JSON object"
        case .duplicateKey: "the object names a needed key twice"
        case .recordTooLong: "the record is longer than the limit; raise max_record_bytes if that is right"
        case .nulByte: "the record holds a NUL byte; the file may be damaged or in another encoding"
        case .unknownStatus: "the status is not one the profile maps; add it under values: status:"
        }
    }
}

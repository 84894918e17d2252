import Trips

/// The columns of a fact, in their order. Every value is a whole number; one that is not known is empty.
package enum FactColumn: String, CaseIterable, Sendable {
    case tripKeyHigh = "trip_key_high"
    case tripKeyLow = "trip_key_low"
    case updatedAt = "updated_at"
    case sequence
    case recordOffset = "record_offset"
    case content
    case month, day, status, region
    case tripType = "trip_type"
    case sourcing
    case durationSeconds = "duration_seconds"
    case responseSeconds = "response_seconds"
    case turnoutSeconds = "turnout_seconds"
    case sceneSeconds = "scene_seconds"
    case transportSeconds = "transport_seconds"
    case turnaroundSeconds = "turnaround_seconds"
    case costCents = "cost_cents"
    case loadedHundredths = "loaded_hundredths"
    case unloadedHundredths = "unloaded_hundredths"
    case patient, warnings

    package static let format = "tripkpi-facts"
    /// Changes when a column is added, removed or means something else.
    package static let version = 1

    /// From 0.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// As SQL names it: 64 or 32 bits, signed.
    package var type: String {
        switch self {
        case .tripKeyHigh, .tripKeyLow, .updatedAt, .sequence, .recordOffset, .content, .costCents, .loadedHundredths,
            .unloadedHundredths, .patient:
            "BIGINT"
        default: "INT"
        }
    }

    /// Whether the value may be missing.
    package var isOptional: Bool {
        switch self {
        case .updatedAt, .sequence, .durationSeconds, .responseSeconds, .turnoutSeconds, .sceneSeconds,
            .transportSeconds, .turnaroundSeconds, .costCents, .loadedHundredths, .unloadedHundredths, .patient:
            true
        default: false
        }
    }

    package var meaning: String {
        switch self {
        case .tripKeyHigh: "The first half of the trip's pseudonym: trip and leg id under the key."
        case .tripKeyLow: "The second half."
        case .updatedAt: "When the record was changed, in microseconds since 1970."
        case .sequence: "The record's sequence, in hundredths."
        case .recordOffset: "The byte of the export's text, unpacked and in UTF-8, at which the record begins."
        case .content: "A number for the bytes of the record under the key: copies of a record have the same."
        case .month: "The local month of the trip, as YYYYMM."
        case .day: "Its local day, in days since 1970."
        case .status: TripStatus.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ") + "."
        case .region: "The place in the list of regions; 0 is \(NamedList.unassigned)."
        case .tripType: "The place in the list of trip types; 0 is \(NamedList.unassigned)."
        case .sourcing: Sourcing.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ") + "."
        case .durationSeconds: "Unit notified to completed, or as the profile says."
        case .responseSeconds: "Unit notified to on scene, or as the profile says."
        case .turnoutSeconds: "Unit notified to en route, or as the profile says."
        case .sceneSeconds: "On scene to left scene, or as the profile says."
        case .transportSeconds: "Left scene to arrived, or as the profile says."
        case .turnaroundSeconds: "Arrived to completed, or as the profile says."
        case .costCents: "The cost in cents; may be below 0."
        case .loadedHundredths: "Loaded miles, in hundredths."
        case .unloadedHundredths: "Unloaded miles, in hundredths."
        case .patient: "The patient's pseudonym under the key."
        case .warnings:
            "A bit for each warning of the record, the lowest first: "
                + WarningCode.allCases.map(\.rawValue).joined(separator: ", ") + "."
        }
    }
}

/// The fields tripkpi understands, under the names used in profiles, rules and samples.
///
/// A profile maps the columns of a source to these; everything after the reader speaks only of these.
package enum CanonicalField: String, CaseIterable, Sendable, Hashable, Codable {
    case tripID = "trip_id"
    case legID = "leg_id"
    case updatedAt = "updated_at"
    case sequence
    case status
    case tripType = "trip_type"
    case region
    case facilityID = "facility_id"
    case serviceDate = "service_date"
    case requestedAt = "requested_at"
    case unitNotifiedAt = "unit_notified_at"
    case enRouteAt = "en_route_at"
    case onSceneAt = "on_scene_at"
    case leftSceneAt = "left_scene_at"
    case arrivedAt = "arrived_at"
    case completedAt = "completed_at"
    case appointmentAt = "appointment_at"
    case providerID = "provider_id"
    case providerName = "provider_name"
    case providerNPI = "provider_npi"
    case vehicleID = "vehicle_id"
    case contractNumber = "contract_number"
    case invoiceNumber = "invoice_number"
    case hcpcsCode = "hcpcs_code"
    case hcpcsModifiers = "hcpcs_modifiers"
    /// Of a charge line: trips of a base rate, miles of a mileage line.
    case units
    /// The call that several vehicles answered.
    case incidentID = "incident_id"
    /// Of a record that is one status change of a trip: which one.
    case eventCode = "event_code"
    /// Of such a record: when it happened.
    case eventAt = "event_at"
    case loadedMiles = "loaded_miles"
    case unloadedMiles = "unloaded_miles"
    case odometerStart = "odometer_start"
    case odometerEnd = "odometer_end"
    /// The distance of the planned trip, never a distance driven. Only `costs` compares the two.
    case estimatedMiles = "estimated_miles"
    case cost
    case patientID = "patient_id"
    case patientName = "patient_name"
    case patientDOB = "patient_dob"
    case patientPhone = "patient_phone"
    case patientAddress = "patient_address"
    case patientZIP = "patient_zip"
    case patientCity = "patient_city"
    case patientState = "patient_state"
    case origin
    case destination
    case notes
    /// Whether a value of this field can identify a person, alone or with others (45 CFR 164.514(b)(2)).
    ///
    /// Only the reader and the de-identifier handle such values: they are never in a store, report, log or error.
    package var isIdentifying: Bool {
        switch self {
        case .tripID, .legID, .facilityID, .serviceDate, .requestedAt, .unitNotifiedAt, .enRouteAt, .onSceneAt,
            .leftSceneAt, .arrivedAt, .completedAt, .appointmentAt, .providerNPI, .vehicleID, .invoiceNumber,
            .incidentID, .eventAt, .patientID, .patientName, .patientDOB, .patientPhone, .patientAddress, .patientZIP,
            .patientCity,
            .patientState, .origin, .destination, .notes:
            true
        case .updatedAt, .sequence, .status, .tripType, .region, .providerID, .providerName, .contractNumber,
            .hcpcsCode, .hcpcsModifiers, .units, .eventCode, .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd,
            .estimatedMiles, .cost:
            false
        }
    }
}

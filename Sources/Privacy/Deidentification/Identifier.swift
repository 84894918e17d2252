package import Trips

/// The 18 identifiers of the individual, relatives, employers and household that Safe Harbor removes, by their letters
/// in 45 CFR 164.514(b)(2)(i).
package enum Identifier: String, CaseIterable, Sendable, Hashable {
    case names = "A"
    case geography = "B"
    case dates = "C"
    case phone = "D"
    case fax = "E"
    case email = "F"
    case socialSecurity = "G"
    case medicalRecord = "H"
    case healthPlan = "I"
    case account = "J"
    case certificate = "K"
    case vehicle = "L"
    case device = "M"
    case webAddress = "N"
    case networkAddress = "O"
    case biometric = "P"
    case photograph = "Q"
    /// Any other unique number, characteristic or code.
    case other = "R"
}

extension CanonicalField {
    /// The identifiers that a column mapped to this field may contain. Free text may contain any. Empty: it does not
    /// identify a person, even together with others.
    package var carriedIdentifiers: Set<Identifier> {
        switch self {
        case .tripID, .legID, .incidentID: [.other]
        case .facilityID, .region, .patientZIP, .patientCity, .patientState: [.geography]
        case .updatedAt, .serviceDate, .requestedAt, .unitNotifiedAt, .enRouteAt, .onSceneAt, .leftSceneAt, .arrivedAt,
            .completedAt, .appointmentAt, .eventAt, .patientDOB:
            [.dates]
        // A provider may be one driver.
        case .providerID, .providerName: [.names, .other]
        case .providerNPI: [.certificate]
        case .vehicleID: [.vehicle, .device]
        case .contractNumber: [.other]
        case .invoiceNumber: [.account]
        case .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd, .estimatedMiles, .units, .cost: [.other]
        case .patientID: [.socialSecurity, .medicalRecord, .healthPlan]
        case .patientName: [.names]
        case .patientPhone: [.phone, .fax]
        case .patientAddress: [.geography]
        case .origin, .destination: [.names, .geography]
        case .notes: Set(Identifier.allCases)
        case .sequence, .status, .tripType, .hcpcsCode, .hcpcsModifiers, .eventCode: []
        }
    }
}

import Trips

/// A record's fields as UTF-8 text, before any quoting. Everything personal is plainly made up: `SYN-0000123`,
/// `Test Patient 0000123`, `555-01xx`, ZIP `0000x`.
struct RecordText {
    let calendar: CalendarText
    private let statuses = ["", "completed", "cancelled", "no_show", "void", "in_transit"].map { Array($0.utf8) }
    private let tripTypes = ["", "Emergency", "Routine", "Standby"].map { Array($0.utf8) }
    private let regions = ["", "North", "South", "East", "West", "Annex"].map { Array($0.utf8) }
    private let endpoints = ["RH", "HR", "SH", "HN"].map { Array($0.utf8) }

    /// Whether the text may hold a delimiter, a quote or a line break.
    static func mayNeedQuotes(_ field: CanonicalField) -> Bool {
        switch field {
        case .notes, .cost, .patientAddress, .origin, .destination: true
        default: false
        }
    }

    func append(_ field: CanonicalField, of record: SampleRecord, to buffer: inout SampleBytes) {
        switch field {
        case .tripID, .legID, .updatedAt, .sequence, .status, .tripType, .region, .facilityID, .serviceDate:
            appendCall(field, of: record, to: &buffer)
        case .requestedAt: append(time: record.times[0], to: &buffer)
        case .unitNotifiedAt: append(time: record.times[1], to: &buffer)
        case .enRouteAt: append(time: record.times[2], to: &buffer)
        case .onSceneAt: append(time: record.times[3], to: &buffer)
        case .leftSceneAt: append(time: record.times[4], to: &buffer)
        case .arrivedAt: append(time: record.times[5], to: &buffer)
        case .completedAt: append(time: record.times[6], to: &buffer)
        case .appointmentAt: append(time: record.times[7], to: &buffer)
        case .providerID, .providerName, .providerNPI, .vehicleID, .contractNumber, .invoiceNumber, .hcpcsCode,
            .hcpcsModifiers:
            appendProvider(field, of: record, to: &buffer)
        case .loadedMiles: append(miles: record.loadedMiles, to: &buffer)
        case .unloadedMiles: append(miles: record.unloadedMiles, to: &buffer)
        case .odometerStart: append(odometerOf: record, after: 0, to: &buffer)
        case .odometerEnd: append(odometerOf: record, after: record.loadedMiles.hundredths, to: &buffer)
        // The sample has no plans.
        case .estimatedMiles: break
        case .cost: append(cost: record.cost, to: &buffer)
        case .patientID, .patientName, .patientDOB, .patientPhone, .patientAddress, .patientZIP, .patientCity,
            .patientState, .origin, .destination, .notes:
            appendPatient(field, of: record, to: &buffer)
        }
    }

    private func appendCall(_ field: CanonicalField, of record: SampleRecord, to buffer: inout SampleBytes) {
        switch field {
        case .tripID:
            if record.fault != .noTripID { buffer.append(number: record.tripNumber, width: 10) }
        case .legID:
            if record.leg > 0 { buffer.append(number: record.leg) }
        case .updatedAt: calendar.append(seconds: record.updatedAt, to: &buffer)
        case .sequence: buffer.append(number: record.sequence)
        case .status: buffer.append(statuses[record.status.rawValue])
        case .tripType: buffer.append(tripTypes[record.tripType.rawValue])
        case .region: buffer.append(regions[record.region])
        case .facilityID:
            buffer.append("FAC-")
            buffer.append(number: record.facility, width: 3)
        default:
            switch record.serviceDay {
            case SampleRecord.absent: break
            case SampleRecord.unreadable: buffer.append("99/99/9999")
            default: calendar.append(day: record.serviceDay, to: &buffer)
            }
        }
    }

    @inline(__always)
    private func append(time: Int, to buffer: inout SampleBytes) {
        switch time {
        case SampleRecord.absent: break
        case SampleRecord.unreadable: buffer.append("99/99/9999 99:99")
        default: calendar.append(seconds: time, to: &buffer)
        }
    }

    private func appendProvider(_ field: CanonicalField, of record: SampleRecord, to buffer: inout SampleBytes) {
        switch field {
        case .providerID: append(providerOf: record, to: &buffer)
        case .providerName:
            guard record.provider > 0 else { break }
            buffer.append(record.provider < 11 ? "Example In-House Crew " : "Example Transport Café ")
            buffer.append(number: record.provider)
        case .providerNPI:
            if record.provider > 0 { buffer.append(number: record.provider, width: 10) }
        case .vehicleID:
            guard record.vehicle != 0 else { break }
            buffer.append(record.vehicle > 0 ? "VA" : "K")
            buffer.append(number: abs(record.vehicle), width: 3)
        case .contractNumber:
            guard record.contract != 0 else { break }
            buffer.append("CT-0000-")
            buffer.append(number: record.contract, width: 3)
        case .invoiceNumber:
            guard record.invoice != 0 else { break }
            buffer.append("INV-")
            buffer.append(number: record.invoice, width: 7)
        case .hcpcsCode:
            buffer.append(record.tripType == .emergency ? "A0427" : "A0428")
        default:
            guard record.provider > 0 || record.modifier > 0 else { break }
            buffer.append(endpoints[record.endpoints])
            if record.modifier > 0 { buffer.append(record.modifier == 1 ? " QN" : " QM") }
        }
    }

    private func append(providerOf record: SampleRecord, to buffer: inout SampleBytes) {
        switch record.provider {
        case 0: break
        case ..<11:
            buffer.append("VA-")
            buffer.append(number: 100 + record.provider)
        case ..<21:
            buffer.append("P-")
            buffer.append(number: 89 + record.provider)
        default:
            buffer.append("X-")
            buffer.append(number: record.provider - 20)
        }
    }
}

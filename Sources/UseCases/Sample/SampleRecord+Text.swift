import Basics
import Trips

extension SampleRecord {
    private static let regions = ["", "North", "South", "East", "West", "Annex"]
    private static let endpointPairs = ["RH", "HR", "SH", "HN"]

    /// Appends a field as UTF-8 text, before any quoting. Everything personal is plainly made up: `SYN-0000123`,
    /// `Test Patient 0000123`, `555-01xx`, ZIP `0000x`.
    func append(_ field: CanonicalField, to buffer: inout [UInt8]) {
        switch field {
        case .tripID: if fault != .noTripID { buffer.append(number: tripNumber, width: 10) }
        case .legID: if leg > 0 { buffer.append(number: leg) }
        case .updatedAt: append(time: updatedAt, to: &buffer)
        case .sequence: buffer.append(number: sequence)
        case .status: buffer.append(status.rawValue)
        case .tripType: buffer.append(tripType.rawValue)
        case .region: buffer.append(Self.regions[region])
        case .facilityID: buffer.append("FAC-", facility, width: 3)
        case .serviceDate:
            switch serviceDay {
            case Self.absent: break
            case Self.unreadable: buffer.append("99/99/9999")
            default: append(day: serviceDay, to: &buffer)
            }
        case .requestedAt: append(time: times[0], to: &buffer)
        case .unitNotifiedAt: append(time: times[1], to: &buffer)
        case .enRouteAt: append(time: times[2], to: &buffer)
        case .onSceneAt: append(time: times[3], to: &buffer)
        case .leftSceneAt: append(time: times[4], to: &buffer)
        case .arrivedAt: append(time: times[5], to: &buffer)
        case .completedAt: append(time: times[6], to: &buffer)
        case .appointmentAt: append(time: times[7], to: &buffer)
        case .providerID, .providerName, .providerNPI, .vehicleID, .contractNumber, .invoiceNumber, .hcpcsCode,
            .hcpcsModifiers:
            appendProvider(field, to: &buffer)
        case .loadedMiles: append(miles: loadedMiles, to: &buffer)
        case .unloadedMiles: append(miles: unloadedMiles, to: &buffer)
        case .odometerStart: appendOdometer(after: 0, to: &buffer)
        case .odometerEnd: appendOdometer(after: loadedMiles.hundredths, to: &buffer)
        // The sample has no plans, and each of its records is a trip.
        case .estimatedMiles, .units, .incidentID, .eventCode, .eventAt: break
        case .cost: append(cost: cost, to: &buffer)
        case .patientID, .patientName, .patientDOB, .patientPhone, .patientAddress, .patientZIP, .patientCity,
            .patientState, .origin, .destination:
            appendPatient(field, to: &buffer)
        case .notes: appendNote(to: &buffer)
        }
    }

    private func append(day: Int, to buffer: inout [UInt8]) {
        let date = CivilDay(daysSince1970: Int32(truncatingIfNeeded: day)).components
        buffer.append(number: date.year, width: 4)
        buffer.append("-", date.month, width: 2)
        buffer.append("-", date.day, width: 2)
    }

    /// `yyyy-MM-dd HH:mm:ss`.
    private func append(time: Int, to buffer: inout [UInt8]) {
        guard time != Self.absent else { return }
        guard time != Self.unreadable else { return buffer.append("99/99/9999 99:99") }
        append(day: time / 86_400, to: &buffer)
        buffer.append(" ", time % 86_400 / 3600, width: 2)
        buffer.append(":", time / 60 % 60, width: 2)
        buffer.append(":", time % 60, width: 2)
    }

    // MARK: - Provider

    private func appendProvider(_ field: CanonicalField, to buffer: inout [UInt8]) {
        switch field {
        case .providerID:
            switch provider {
            case 0: break
            case ..<11: buffer.append("VA-", 100 + provider)
            case ..<21: buffer.append("P-", 89 + provider)
            default: buffer.append("X-", provider - 20)
            }
        case .providerName:
            let name = provider < 11 ? "Example In-House Crew " : "Example Transport Café "
            if provider > 0 { buffer.append(name, provider) }
        case .providerNPI: if provider > 0 { buffer.append(number: provider, width: 10) }
        case .vehicleID: if vehicle != 0 { buffer.append(vehicle > 0 ? "VA" : "K", abs(vehicle), width: 3) }
        case .contractNumber: if contract != 0 { buffer.append("CT-0000-", contract, width: 3) }
        case .invoiceNumber: if invoice != 0 { buffer.append("INV-", invoice, width: 7) }
        case .hcpcsCode: buffer.append(tripType == .emergency ? "A0427" : "A0428")
        default:
            guard provider > 0 || modifier > 0 else { break }
            buffer.append(Self.endpointPairs[endpoints])
            if modifier > 0 { buffer.append(modifier == 1 ? " QN" : " QM") }
        }
    }

    // MARK: - Amounts

    private func append(miles amount: Amount, to buffer: inout [UInt8]) {
        guard amount.hundredths != Self.absent else { return }
        guard amount.notation != .bad else { return buffer.append(amount.hundredths % 2 == 0 ? "unk" : "12..5") }
        if amount.hundredths < 0 { buffer.append("-") }
        buffer.append(hundredths: abs(amount.hundredths), decimals: amount.notation == .short ? 1 : 2)
    }

    /// Odometers are written only beside readable loaded miles, and agree with them.
    private func appendOdometer(after hundredths: Int, to buffer: inout [UInt8]) {
        guard loadedMiles.hundredths >= 0, loadedMiles.notation != .bad else { return }
        buffer.append(hundredths: 1_000_000 + tripNumber % 9_000_000 * 3 + hundredths, decimals: 2)
    }

    private func append(cost amount: Amount, to buffer: inout [UInt8]) {
        guard amount.hundredths != Self.absent else { return }
        switch amount.notation {
        case .plain: buffer.append(hundredths: amount.hundredths, decimals: 2)
        case .short: buffer.append(hundredths: amount.hundredths, decimals: 1)
        case .dollars:
            let thousands = amount.hundredths / 100_000
            buffer.append("$")
            if thousands > 0 {
                buffer.append(number: thousands)
                buffer.append(",")
            }
            buffer.append(number: amount.hundredths / 100 % 1000, width: thousands > 0 ? 3 : 1)
            buffer.append(".", amount.hundredths % 100, width: 2)
        case .parentheses:
            buffer.append("(")
            buffer.append(hundredths: -amount.hundredths, decimals: 2)
            buffer.append(")")
        case .bad: buffer.append(amount.hundredths % 2 == 0 ? "TBD" : "12.345")
        }
    }

    // MARK: - Patient and note

    private func appendPatient(_ field: CanonicalField, to buffer: inout [UInt8]) {
        switch field {
        case .patientID: buffer.append("SYN-", patient, width: 7)
        case .patientName: buffer.append(patient % 40 == 0 ? "Tést Patiënt " : "Test Patient ", patient, width: 7)
        case .patientDOB: buffer.append("1900-01-01")
        case .patientPhone: buffer.append("555-01", patient % 100, width: 2)
        case .patientAddress:
            buffer.append(number: patient % 900 + 1)
            buffer.append(" Example Street, Nowhere")
        case .patientZIP: buffer.append("0000", patient % 10)
        case .patientCity: buffer.append("Nowhere")
        case .patientState: buffer.append("ZZ")
        case .origin:
            buffer.append(tripType == .emergency ? "Example Scene " : "Example Clinic, Café Wing ", patient % 50)
        default: buffer.append("Example Hospital ", facility)
        }
    }

    /// Every character beyond ASCII is in Windows-1252.
    private func appendNote(to buffer: inout [UInt8]) {
        switch noteKind {
        case 0: return
        case 1: buffer.append("synthetic note ")
        case 2: buffer.append("wheelchair, oxygen, synthetic ")
        case 3: buffer.append("said \"synthetic\" twice ")
        case 4: buffer.append("first line\nsecond line, synthetic ")
        default: buffer.append("Café – naïve “synthetic” note, €5 ")
        }
        buffer.append(number: tripNumber % 100)
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// A text and the number after it, with leading zeros up to `width`.
    @inline(__always)
    mutating func append(_ text: String, _ number: Int, width: Int = 1) {
        append(text)
        append(number: number, width: width)
    }

    /// A number from 0, with leading zeros up to `width`.
    @inline(__always)
    mutating func append(number: Int, width: Int = 1) {
        var divisor = 1, digits = 1
        while digits < width || number / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// An amount of hundredths from 0 with one or two decimals.
    fileprivate mutating func append(hundredths: Int, decimals: Int) {
        append(number: hundredths / 100)
        append(".", decimals == 2 ? hundredths % 100 : hundredths / 10 % 10, width: decimals)
    }
}

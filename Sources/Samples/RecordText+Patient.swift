import Trips

extension RecordText {
    func appendPatient(_ field: CanonicalField, of record: SampleRecord, to buffer: inout SampleBytes) {
        switch field {
        case .patientID:
            buffer.append("SYN-")
            buffer.append(number: record.patient, width: 7)
        case .patientName:
            buffer.append(record.patient % 40 == 0 ? "Tést Patiënt " : "Test Patient ")
            buffer.append(number: record.patient, width: 7)
        case .patientDOB: buffer.append("1900-01-01")
        case .patientPhone:
            buffer.append("555-01")
            buffer.append(twoDigits: record.patient % 100)
        case .patientAddress:
            buffer.append(number: record.patient % 900 + 1)
            buffer.append(" Example Street, Nowhere")
        case .patientZIP:
            buffer.append("0000")
            buffer.append(number: record.patient % 10)
        case .patientCity: buffer.append("Nowhere")
        case .patientState: buffer.append("ZZ")
        case .origin:
            buffer.append(record.tripType == .emergency ? "Example Scene " : "Example Clinic, Café Wing ")
            buffer.append(number: record.patient % 50)
        case .destination:
            buffer.append("Example Hospital ")
            buffer.append(number: record.facility)
        default: appendNote(of: record, to: &buffer)
        }
    }

    /// Text beyond ASCII stays inside Windows-1252.
    private func appendNote(of record: SampleRecord, to buffer: inout SampleBytes) {
        switch record.noteKind {
        case 0: return
        case 1: buffer.append("synthetic note ")
        case 2: buffer.append("wheelchair, oxygen, synthetic ")
        case 3: buffer.append("said \"synthetic\" twice ")
        case 4: buffer.append("first line\nsecond line, synthetic ")
        default: buffer.append("Café – naïve “synthetic” note, €5 ")
        }
        buffer.append(number: record.tripNumber % 100)
    }
}

import Costs
import Intake
import Keys
import Profiles
import Trips

/// Digests of what tells bills apart, under the run's key.
struct BillDigests {
    private let digests: Pseudonymizer

    init(_ key: PseudonymKey, _ profile: Profile) {
        digests = Pseudonymizer(key: key, source: profile.source)
    }

    /// 0 for an empty text, else never 0.
    func digest(_ text: Sensitive<String>?, as kind: String) -> UInt64 {
        guard let text = text?.revealed(for: .matching), !text.isEmpty else { return 0 }
        return max(1, UInt64(bitPattern: digests.tripKey(tripID: Array(kind.utf8), legID: Array(text.utf8)).high))
    }
}

/// The rows of a batch as bills.
struct BillColumns {
    let batch: TripBatch
    private let fields: BatchTexts
    private let digests: BillDigests
    private let profile: Profile

    init(_ batch: TripBatch, _ dictionaries: [TextDictionary], _ digests: BillDigests, _ profile: Profile) {
        self.batch = batch
        fields = BatchTexts(batch, dictionaries, profile)
        self.digests = digests
        self.profile = profile
    }

    func bill(_ row: Int, texts: inout [String: Int32]) -> BilledTrip {
        var trip = CostTrip(month: batch.month[row], day: batch.day[row])
        func number(_ field: CanonicalField) -> Int32 {
            let value = fields[field, row]?.revealed(for: .keeping) ?? ""
            if let number = texts[value] { return number }
            let number = Int32(texts.count)
            texts[value] = number
            return number
        }
        func amount(_ value: Int) -> Int? { value == TripBatch.absent ? nil : value }
        trip.providerID = number(.providerID)
        trip.providerName = number(.providerName)
        trip.contract = number(.contractNumber)
        trip.region = batch.region[row]
        trip.tripType = batch.tripType[row]
        trip.sourcing = Sourcing(rawValue: batch.sourcing[row]) ?? .unclassified
        trip.costCents = amount(batch.costCents[row])
        trip.loadedHundredths = amount(batch.loadedHundredths[row])
        trip.unloadedHundredths = amount(batch.unloadedHundredths[row])
        var bill = BilledTrip(trip)
        bill.invoice = digests.digest(fields[.invoiceNumber, row].flatMap(Self.invoice), as: "invoice")
        bill.vehicle = digests.digest(fields[.vehicleID, row], as: "vehicle")
        bill.tripID = digests.digest(fields[.tripID, row], as: "trip id")
        if let start = time(.leftSceneAt, row), let end = time(.arrivedAt, row), start < end {
            bill.onBoard = start..<end
        }
        bill.estimatedHundredths = estimate(row)
        return bill
    }

    /// Fields whose value must not be shown as an invoice: some systems bill by the patient's or the trip's number.
    static let identifying: [CanonicalField] = [
        .tripID, .legID, .patientID, .patientName, .patientDOB, .patientPhone, .patientAddress,
    ]

    /// As the export has it; nil where there is none, or where it is an identifier of the same record.
    func invoice(_ row: Int) -> Sensitive<String>? {
        guard let invoice = fields[.invoiceNumber, row], let number = Self.invoice(invoice) else { return nil }
        let isIdentifier = Self.identifying.contains { field in
            fields[field, row].map { Self.digitsAndLetters($0) == Self.digitsAndLetters(number) } ?? false
        }
        return isIdentifier ? nil : invoice
    }

    private static func digitsAndLetters(_ text: Sensitive<String>) -> String {
        text.revealed(for: .matching).uppercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Folded to one case; nil for what stands for none, such as `N/A` or `000`: a number has a digit above 0.
    static func invoice(_ text: Sensitive<String>) -> Sensitive<String>? {
        let number = text.revealed(for: .matching)
        guard number.utf8.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Sensitive(number.uppercased())
    }

    /// Local seconds since 1970, as the clock on the wall showed them: trips of one vehicle are compared with each other.
    private func time(_ field: CanonicalField, _ row: Int) -> Int? {
        guard let text = fields[field, row]?.revealed(for: .matching), !text.isEmpty else { return nil }
        for pattern in (profile.datePatternsByField[field] ?? []) + profile.datePatterns {
            guard let read = pattern.read(text), let second = read.secondOfDay else { continue }
            return Int(CivilDay.days(year: read.year, month: read.month, day: read.day)) * 86_400 + second
        }
        return Self.isoSeconds(text)
    }

    /// `YYYY-MM-DD`, a T or a blank, `HH:MM` or `HH:MM:SS`; a fraction and an offset after it are left out.
    static func isoSeconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, let day = CivilDay(text.prefix(10)), [0x54, 0x20].contains(bytes[10]),
            let hour = two(bytes, 11), bytes[13] == 0x3A, let minute = two(bytes, 14), hour < 24, minute < 60
        else { return nil }
        let second = bytes.count >= 19 && bytes[16] == 0x3A ? two(bytes, 17) ?? 0 : 0
        return Int(day.daysSince1970) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func two(_ bytes: [UInt8], _ at: Int) -> Int? {
        let tens = Int(bytes[at]) - 0x30, ones = Int(bytes[at + 1]) - 0x30
        return (0...9).contains(tens) && (0...9).contains(ones) ? tens * 10 + ones : nil
    }

    private func estimate(_ row: Int) -> Int? {
        guard let text = fields[.estimatedMiles, row]?.revealed(for: .keeping),
            case .value(let hundredths) = AmountReader.hundredths(text.utf8), hundredths >= 0
        else { return nil }
        guard profile.distanceUnit == .kilometers else { return hundredths }
        return HalfUp.quotient(hundredths, times: 1_000_000, by: 1_609_344)
    }
}

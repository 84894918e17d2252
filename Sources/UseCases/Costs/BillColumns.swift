import Basics
import KPIs
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
    private let forms: [CanonicalField: TimeForms]

    init(_ batch: TripBatch, _ dictionaries: [TextDictionary], _ digests: BillDigests, _ profile: Profile) {
        self.batch = batch
        fields = BatchTexts(batch, dictionaries, profile)
        self.digests = digests
        self.profile = profile
        forms = [.leftSceneAt: profile.timeForms(of: .leftSceneAt), .arrivedAt: profile.timeForms(of: .arrivedAt)]
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
        func amount(_ value: Int) -> Int? { value == AmountState.absent ? nil : value }
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
    /// Of other texts, what has the shape of a phone number, a date or a Social Security number is not shown either.
    static let textsOfPeople: [CanonicalField] = [
        .tripID, .legID, .patientID, .patientName, .patientDOB, .patientPhone, .patientAddress,
    ]

    /// As the export has it; nil where there is none, or where it is a text of the trip or of its patient.
    func invoice(_ row: Int) -> Sensitive<String>? {
        guard let invoice = fields[.invoiceNumber, row], Self.invoice(invoice) != nil else { return nil }
        let isOfPerson = Self.textsOfPeople.contains { field in
            fields[field, row].map { Self.areSame($0, invoice) } ?? false
        }
        return isOfPerson ? nil : invoice
    }

    /// Whether two texts have the same letters and digits, in either case.
    private static func areSame(_ first: Sensitive<String>, _ second: Sensitive<String>) -> Bool {
        func signs(_ text: Sensitive<String>) -> some Sequence<UInt8> {
            text.revealed(for: .matching).utf8.lazy.compactMap { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
                default: nil
                }
            }
        }
        return signs(first).elementsEqual(signs(second))
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
        guard case .time(let time)? = forms[field]?.reading(text), time.hasTime else { return nil }
        return time.localSeconds
    }

    private func estimate(_ row: Int) -> Int? {
        guard let value = fields[.estimatedMiles, row]?.revealed(for: .keeping) else { return nil }
        let text = profile.decimalMark == .comma ? AmountReader.exchangingMarks(value.utf8) : Array(value.utf8)
        guard case .value(let hundredths) = AmountReader.hundredths(text), hundredths >= 0 else { return nil }
        guard profile.distanceUnit == .kilometers else { return hundredths }
        return HalfUp.quotient(hundredths, times: 1_000_000, by: 1_609_344)
    }
}

/// One de-identified trip with its cost: what `GET /trip/{id}` serves. A client never stores it.
public struct TripDetail: Decodable, Sendable, Hashable, Identifiable {
    /// What the list shows of it.
    public var trip: Trip
    /// Dollars; nil where the trip has none.
    public var cost: Cents?
    /// Always `Trip.mask`.
    public var patientId: String
    /// The privacy profile that the row is released under.
    public var privacy: String
    /// One of the summary's trip types.
    public var tripType: String
    /// One of the summary's regions; nil where the profile does not show it.
    public var region: String?
    /// `inHouse`, `contracted` or `unclassified`.
    public var sourcing: String
    /// Seconds from unit notified to on scene; nil: not measured.
    public var response: Int?

    /// As in the list.
    public var id: String { trip.id }

    /// Every value as it is to be published; nothing is checked.
    public init(
        _ trip: Trip, cost: Cents?, privacy: String, tripType: String, region: String?, sourcing: String, response: Int?
    ) {
        self.trip = trip
        self.cost = cost
        patientId = Trip.mask
        self.privacy = privacy
        self.tripType = tripType
        self.region = region
        self.sourcing = sourcing
        self.response = response
    }

    private enum CodingKeys: String, CodingKey {
        case cost, patientId, privacy, tripType, region, sourcing, response
    }

    /// The keys of the trip and of the detail lie side by side.
    public init(from decoder: any Decoder) throws {
        trip = try Trip(from: decoder)
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        cost = try keys.decodeIfPresent(Cents.self, forKey: .cost)
        patientId = try keys.decode(String.self, forKey: .patientId)
        privacy = try keys.decode(String.self, forKey: .privacy)
        tripType = try keys.decode(String.self, forKey: .tripType)
        region = try keys.decodeIfPresent(String.self, forKey: .region)
        sourcing = try keys.decode(String.self, forKey: .sourcing)
        response = try keys.decodeIfPresent(Int.self, forKey: .response)
    }
}

extension TripDetail: CanonicalValue {
    package var canonicalMembers: [CanonicalJSON.Member] {
        trip.canonicalMembers + [
            .init("cost", cost), .init("patientId", patientId), .init("privacy", privacy), .init("tripType", tripType),
            .init("region", region), .init("sourcing", sourcing), .init("response", response),
        ]
    }

    package var canonical: CanonicalJSON { .object(canonicalMembers) }
}

/// A line of `trips.ndjson.gz`: the detail of a trip, and the further fields that the privacy profile allows.
public struct TripRow: Decodable, Sendable, Hashable, Identifiable {
    /// What `GET /trip/{id}` serves of it.
    public var detail: TripDetail
    /// What the privacy profile allows besides.
    public var more: More

    /// As in the list.
    public var id: String { detail.id }

    /// Fields that an API does not serve.
    public struct More: Decodable, Sendable, Hashable {
        /// Seconds; nil: not measured or not shown.
        public var turnout: Int?
        /// Seconds; nil: not measured or not shown.
        public var scene: Int?
        /// Seconds; nil: not measured or not shown.
        public var transport: Int?
        /// Seconds; nil: not measured or not shown.
        public var turnaround: Int?
        /// Statute miles without a patient; nil: not known or not shown.
        public var unloadedDistance: Hundredths?
        /// Years, or `90+`.
        public var age: String?
        /// Nil under safe-harbor.
        public var birthDate: String?
        /// Five digits, or three of them.
        public var zip: String?
        /// Nil under safe-harbor.
        public var city: String?
        /// USPS code.
        public var state: String?

        /// Nothing is known.
        public init() {}
    }

    /// Every value as it is to be published; nothing is checked.
    public init(_ detail: TripDetail, _ more: More) {
        self.detail = detail
        self.more = more
    }

    /// The keys of the detail and of the rest lie side by side.
    public init(from decoder: any Decoder) throws {
        detail = try TripDetail(from: decoder)
        more = try More(from: decoder)
    }
}

extension TripRow: CanonicalValue {
    package var canonical: CanonicalJSON {
        .object(
            detail.canonicalMembers + [
                .init("turnout", more.turnout), .init("scene", more.scene), .init("transport", more.transport),
                .init("turnaround", more.turnaround), .init("unloadedDistance", more.unloadedDistance),
                .init("age", more.age), .init("birthDate", more.birthDate), .init("zip", more.zip),
                .init("city", more.city), .init("state", more.state),
            ])
    }
}

extension KPISummaryV1 {
    /// How good the data of a release are, in whole per cent. Counts of records are for staff.
    ///
    /// A share of records is nil where its count, or the count of the other records, is below
    /// `PrivacyStatement.minimumCell`: nil says no more than "0 to 10", and a share that is shown is of 11 or more. Shares
    /// of trips are quotients of counts that cells of the document show, so they say nothing more.
    public struct QualityShares: Codable, Sendable, Hashable {
        /// Fewer records than this have no shares.
        public static let minimumRecords = 1000

        /// Records that cannot be trips, of the records read.
        public var rejectedRecords: Int?
        /// `costedTrips` of `trips` of the cell over everything; nil where its cost leaves out trips.
        public var tripsWithCost: Int?
        /// Trips of the region `Unassigned`; nil where they are shown only together with other cells.
        public var tripsWithoutRegion: Int?
        /// Trips of the trip type `Unassigned`; nil where they are shown only together with other cells.
        public var tripsWithoutType: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(rejectedRecords: Int?, tripsWithCost: Int?, tripsWithoutRegion: Int?, tripsWithoutType: Int?) {
            self.rejectedRecords = rejectedRecords
            self.tripsWithCost = tripsWithCost
            self.tripsWithoutRegion = tripsWithoutRegion
            self.tripsWithoutType = tripsWithoutType
        }
    }
}

extension KPISummaryV1.QualityShares {
    var canonical: CanonicalJSON {
        .object([
            .init("rejectedRecords", .integer(rejectedRecords)), .init("tripsWithCost", .integer(tripsWithCost)),
            .init("tripsWithoutRegion", .integer(tripsWithoutRegion)),
            .init("tripsWithoutType", .integer(tripsWithoutType)),
        ])
    }

    /// What people read: each share with its name and what it says.
    package var lines: [(title: String, text: String)] {
        [
            ("Records rejected", Self.text(rejectedRecords)), ("Trips with a cost", Self.text(tripsWithCost)),
            ("Trips without a region", Self.text(tripsWithoutRegion)),
            ("Trips without a trip type", Self.text(tripsWithoutType)),
        ]
    }

    /// A rounded 0 or 100 is neither none nor all.
    private static func text(_ percent: Int?) -> String {
        switch percent {
        case nil: "not shown"
        case 0?: "under 1%"
        case 100?: "over 99%"
        case let percent?: "\(percent)%"
        }
    }

    /// What stands beside them in every output.
    package static let legend =
        "In whole per cent. Not shown: too few on one side to be told, or shown only together with other cells."
}

extension KPISummaryV1 {
    /// What became of the records that were read.
    public struct Quality: Decodable, Sendable, Hashable {
        /// Records read: the sum of those below. Nil in the release, as are all counts of records.
        public var read: Int?
        /// Trips not seen before.
        public var added: Int?
        /// Newer versions of trips already there.
        public var updated: Int?
        /// Versions already there.
        public var unchanged: Int?
        /// Versions older than one already there.
        public var superseded: Int?
        /// Charge lines and status changes beyond the first of their trip, which is counted; nil, and no key: there are none.
        public var merged: Int?
        /// Records that the row filter says are no trips.
        public var skipped: Int?
        /// Records that cannot be trips.
        public var rejected: Int?
        /// By warning code; nil in the release.
        public var warnings: [String: Int?]
        /// How old the newest trip is.
        public var freshness: Freshness
        /// What became of the files. Nil, and no key for it and the two below: a document from before they were added.
        public var exports: ExportCounts?
        /// Days without any trip, from the first day of data to the last, in the months that are shown; nil where days
        /// were not counted.
        public var missingDayCount: Int?
        /// The first 31 of them, `YYYY-MM-DD`; nil where days were not counted.
        public var missingDays: [String]?

        /// Every value as it is to be published; nothing is checked.
        public init(
            read: Int?, added: Int?, updated: Int?, unchanged: Int?, superseded: Int?, merged: Int? = nil,
            skipped: Int?, rejected: Int?, warnings: [String: Int?], freshness: Freshness, exports: ExportCounts? = nil,
            missingDayCount: Int? = nil,
            missingDays: [String]? = nil
        ) {
            self.read = read
            self.added = added
            self.updated = updated
            self.unchanged = unchanged
            self.superseded = superseded
            self.merged = merged
            self.skipped = skipped
            self.rejected = rejected
            self.warnings = warnings
            self.freshness = freshness
            self.exports = exports
            self.missingDayCount = missingDayCount
            self.missingDays = missingDays
        }
    }

    /// What became of the files, a count of each.
    public struct ExportCounts: Decodable, Sendable, Hashable {
        /// Their trips are in the figures.
        public var loaded: Int
        /// They could not be loaded as a whole, and nothing of them is in any figure.
        public var failed: Int
        /// They failed, and somebody gave the reason why the figures may go without them.
        public var waived: Int

        /// Every value as it is to be published; nothing is checked.
        public init(loaded: Int, failed: Int = 0, waived: Int = 0) {
            self.loaded = loaded
            self.failed = failed
            self.waived = waived
        }
    }

    /// How old the newest trip is.
    public struct Freshness: Decodable, Sendable, Hashable {
        /// `YYYY-MM-DD`, nil if there is no trip.
        public var newestTrip: String?
        /// Whole days from the newest trip to `generatedAt`; nil if there is no trip.
        public var ageDays: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(newestTrip: String?, ageDays: Int?) {
            self.newestTrip = newestTrip
            self.ageDays = ageDays
        }
    }

    /// How good the data of a release are, in whole per cent. Counts of records are for staff.
    ///
    /// A share of records is nil where its count, or the count of the other records, is below
    /// `PrivacyStatement.minimumCell`: nil says no more than "0 to 10", and a share that is shown is of 11 or more. Shares
    /// of trips are quotients of counts that cells of the document show, so they say nothing more.
    public struct QualityShares: Decodable, Sendable, Hashable {
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

    /// What is promised about the people behind the numbers.
    public struct PrivacyStatement: Decodable, Sendable, Hashable {
        /// In words; an internal document is stamped here.
        public var statement: String
        /// Fewest trips, and patients where they are named, of a group of the release.
        public var minimumCell: Int
        /// Cells of which nothing is shown.
        public var suppressedCells: Int
        /// Whether an independent audit of the published files found only unions of groups. Nil: none was made; a
        /// document for staff has none.
        public var auditPassed: Bool?
        /// `omitted` where the release leaves out each count of trips with or without a value: `used`, `excluded`, `mean`,
        /// `costedTrips` and `costPerTrip` are then nil in every cell. Nil, and no key: these are published.
        public var missingCounts: String?

        /// Every value as it is to be published; nothing is checked.
        public init(
            statement: String, minimumCell: Int, suppressedCells: Int, auditPassed: Bool?,
            missingCounts: String? = nil
        ) {
            self.statement = statement
            self.minimumCell = minimumCell
            self.suppressedCells = suppressedCells
            self.auditPassed = auditPassed
            self.missingCounts = missingCounts
        }
    }

    /// Which rules sorted the trips.
    public struct RuleSetStamp: Decodable, Sendable, Hashable {
        /// The rule set.
        public var name: String
        /// SHA-256 of the rules and rosters.
        public var version: String

        /// Every value as it is to be published; nothing is checked.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }
}

extension KPISummaryV1 {
    /// What `privacy.missingCounts` says of a release without counts of missing values.
    package static let omittedMissingCounts = "omitted"

    /// Whether the document leaves out each count of trips with or without a value.
    package var omitsMissingCounts: Bool { privacy.missingCounts == Self.omittedMissingCounts }

    /// What such a document leaves out: the same sentence in every output.
    package static let missingCountsLegend =
        "Left out by the setting missing_counts: trips used and excluded of each time, their means, costed trips and cost "
        + "per trip."

    /// The stamp of outputs for staff, in which nothing is suppressed; `privacy.statement` begins with it.
    package static let internalStamp = "INTERNAL: contains small counts"

    /// Nothing in it is hidden: every page, sheet and file made of it must carry `internalStamp`.
    package var isInternal: Bool { audience == "staff" || privacy.statement.hasPrefix("INTERNAL") }
}

extension KPISummaryV1.Quality {
    /// Behind the title of the warnings where a part is shown: they are counted by month only.
    package static let warningScope = "(all regions and trip types)"
}

extension KPISummaryV1.QualityShares {
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

    /// The legend for them in every output.
    package static let legend =
        "In whole per cent. Not shown: too few on one side, or shown only together with other cells."
}

extension KPISummaryV1.Quality: CanonicalValue {
    package var canonical: CanonicalJSON {
        let byCode = warnings.sorted { $0.key < $1.key }.map { CanonicalJSON.Member($0.key, $0.value) }
        // The last three keys were added together.
        let isOlder = exports == nil
        return [
            "read": read, "added": added, "updated": updated, "unchanged": unchanged, "superseded": superseded,
            "merged": merged.orAbsent, "skipped": skipped, "rejected": rejected,
            "warnings": CanonicalJSON.object(byCode), "freshness": freshness,
            "exports": exports.orAbsent, "missingDayCount": isOlder ? CanonicalJSON.absent : missingDayCount.canonical,
            "missingDays": isOlder ? CanonicalJSON.absent : missingDays.canonical,
        ]
    }
}

extension KPISummaryV1.ExportCounts: CanonicalValue {
    package var canonical: CanonicalJSON { ["loaded": loaded, "failed": failed, "waived": waived] }
}

extension KPISummaryV1.Freshness: CanonicalValue {
    package var canonical: CanonicalJSON { ["newestTrip": newestTrip, "ageDays": ageDays] }
}

extension KPISummaryV1.QualityShares: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "rejectedRecords": rejectedRecords, "tripsWithCost": tripsWithCost,
            "tripsWithoutRegion": tripsWithoutRegion, "tripsWithoutType": tripsWithoutType,
        ]
    }
}

extension KPISummaryV1.PrivacyStatement: CanonicalValue {
    package var canonical: CanonicalJSON {
        [
            "statement": statement, "minimumCell": minimumCell, "suppressedCells": suppressedCells,
            // Only the stricter policy is stated.
            "auditPassed": auditPassed, "missingCounts": missingCounts.orAbsent,
        ]
    }
}

extension KPISummaryV1.RuleSetStamp: CanonicalValue {
    package var canonical: CanonicalJSON { ["name": name, "version": version] }
}

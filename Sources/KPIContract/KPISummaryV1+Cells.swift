extension KPISummaryV1 {
    /// One cell: `"All"` where summed.
    @dynamicMemberLookup
    public struct Cell: Decodable, Sendable, Hashable {
        /// `YYYY-MM`, or `All`.
        public var month: String
        /// A region's name, `Unassigned`, or `All`.
        public var region: String
        /// A trip type's name, `Unassigned`, or `All`.
        public var tripType: String
        /// Nothing of the cell is shown.
        public var suppressed: Bool
        /// `trips` counts all trips of the cell. If not, it leaves out trips that are shown only together with trips of
        /// other cells (`groups`). Nil: a document of version 1.0.
        public var complete: Bool?
        /// The release lacks late trips or corrections of the cell. Nil: a document of version 1.0.
        public var revisionPending: Bool?
        /// `inHouse` is not shown.
        public var sourcingSuppressed: Bool
        /// `classified`. In a release of version 1.1 also `all`, where `contracted` and `contractedCost` count contracted or
        /// unclassified trips. Nil: a document of version 1.0.
        public var sourcingBasis: String?
        /// Measures that are not of all trips of the cell, names of `PartialMeasure.all`: a count or miles are then of some
        /// of them, and a cost, share, mean or percentile is nil. Nil: a document of version 1.0.
        public var incompleteMeasures: [String]?
        /// By place in `KPICatalog.all`, in the smallest unit; nil where suppressed or undefined.
        package var figures: [Int?]
        /// Measures that were added to the contract after the document was written: it is written again without them.
        package internal(set) var missingKeys: Set<String> = []

        /// A cell without figures.
        public init(
            month: String, region: String, tripType: String, suppressed: Bool, complete: Bool? = nil,
            revisionPending: Bool? = nil, sourcingSuppressed: Bool, sourcingBasis: String? = nil,
            incompleteMeasures: [String]? = nil
        ) {
            self.month = month
            self.region = region
            self.tripType = tripType
            self.suppressed = suppressed
            self.complete = complete
            self.revisionPending = revisionPending
            self.sourcingSuppressed = sourcingSuppressed
            self.sourcingBasis = sourcingBasis
            self.incompleteMeasures = incompleteMeasures
            figures = Array(repeating: nil, count: KPICatalog.all.count)
        }

        /// Whether two cells are the same in all that both documents have.
        package func agrees(with other: Cell) -> Bool {
            var own = self, other = other
            for name in missingKeys.union(other.missingKeys) {
                own[name] = nil
                other[name] = nil
            }
            own.missingKeys = []
            other.missingKeys = []
            return own == other
        }

        /// The figure of a measure by its key, in its smallest unit; nil where suppressed, undefined or unknown.
        package subscript(name: String) -> Int? {
            get { KPICatalog.position(of: name).flatMap { figures[$0] } }
            set { if let position = KPICatalog.position(of: name) { figures[position] = newValue } }
        }

        /// The names of the figures: `cell.trips`, `cell.totalCost` and so on are read and set by them.
        public struct FigureNames: Sendable {
            /// Completed trips.
            public let trips: FigureName<Int> = "trips"
            /// Cancelled trips; in no other figure.
            public let cancelled: FigureName<Int> = "cancelled"
            /// Trips without a patient; in no other figure.
            public let noShow: FigureName<Int> = "noShow"
            /// Trips that the health system ran itself.
            public let inHouse: FigureName<Int> = "inHouse"
            /// Trips that a contractor ran.
            public let contracted: FigureName<Int> = "contracted"
            /// Trips that no rule sorted.
            public let unclassified: FigureName<Int> = "unclassified"
            /// In-house of in-house and contracted trips, rounded half up.
            public let inHousePercent: FigureName<Int> = "inHousePercent"
            /// In-house of in-house and contracted trips.
            public let inHouseShare: FigureName<Share> = "inHouseShare"
            /// What was paid or is payable.
            public let totalCost: FigureName<Cents> = "totalCost"
            /// Cost of the in-house trips.
            public let inHouseCost: FigureName<Cents> = "inHouseCost"
            /// Cost of the contracted trips.
            public let contractedCost: FigureName<Cents> = "contractedCost"
            /// Trips that have a cost.
            public let costedTrips: FigureName<Int> = "costedTrips"
            /// Total cost over the costed trips.
            public let costPerTrip: FigureName<Cents> = "costPerTrip"
            /// Cost of cancelled trips and no-shows; in no other figure. Release: nil.
            public let costNotRun: FigureName<Cents> = "costNotRun"
            /// Miles with a patient on board.
            public let loadedMiles: FigureName<Tenths> = "loadedMiles"
            /// Miles without a patient.
            public let unloadedMiles: FigureName<Tenths> = "unloadedMiles"
            /// Cost over loaded miles, of the trips that have both. Release: nil unless every trip that has one has both.
            public let costPerLoadedMile: FigureName<Cents> = "costPerLoadedMile"
            /// Loaded miles of all miles.
            public let loadedMileRatio: FigureName<Share> = "loadedMileRatio"
            /// Unit notified to completed by default; dateBasis names other events.
            public let duration: FigureName<Interval> = "duration"
            /// Unit notified to on scene.
            public let response: FigureName<Interval> = "response"
            /// Unit notified to en route.
            public let turnout: FigureName<Interval> = "turnout"
            /// On scene to left scene.
            public let scene: FigureName<Interval> = "scene"
            /// Left scene to arrived.
            public let transport: FigureName<Interval> = "transport"
            /// Arrived to completed.
            public let turnaround: FigureName<Interval> = "turnaround"
        }

        /// A count, by its name.
        public subscript(dynamicMember name: KeyPath<FigureNames, FigureName<Int>>) -> Int? {
            get { self[Self.names[keyPath: name].text] }
            set { self[Self.names[keyPath: name].text] = newValue }
        }

        /// An amount with decimals, by its name.
        public subscript<Number: FixedDecimal>(
            dynamicMember name: KeyPath<FigureNames, FigureName<Number>>
        ) -> Number? {
            get { self[Self.names[keyPath: name].text].map(Number.init(units:)) }
            set { self[Self.names[keyPath: name].text] = newValue?.units }
        }

        /// An interval's statistics, by its name.
        public subscript(dynamicMember name: KeyPath<FigureNames, FigureName<Interval>>) -> Interval {
            get { self[interval: MeasuredInterval.place(of: Self.names[keyPath: name].text)] }
            set { self[interval: MeasuredInterval.place(of: Self.names[keyPath: name].text)] = newValue }
        }

        private static let names = FigureNames()
    }

    /// The name of a figure, and the type of its number.
    public struct FigureName<Number>: Sendable, ExpressibleByStringLiteral {
        let text: String

        /// The key in the document.
        public init(stringLiteral text: String) { self.text = text }
    }

    /// The trips of a group of several regions and trip types of one month: what version 1.1 has of `groups`.
    public struct MergedGroup: Decodable, Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String
        /// As long as `tripTypes`: the two together name each region and trip type that the group may hold trips of.
        public var regions: [String]
        /// As long as `regions`.
        public var tripTypes: [String]
        /// Completed trips of the group.
        public var trips: Int

        /// Every value as it is to be published; nothing is checked.
        public init(month: String, regions: [String], tripTypes: [String], trips: Int) {
            self.month = month
            self.regions = regions
            self.tripTypes = tripTypes
            self.trips = trips
        }
    }

    /// An interval's statistics in seconds.
    public struct Interval: Decodable, Sendable, Hashable {
        /// Trips whose interval counts.
        public var used: Int?
        /// Trips where it is missing, negative or too long.
        public var excluded: Int?
        /// Mean seconds.
        public var mean: Tenths?
        /// Median seconds, nearest rank.
        public var p50: Int?
        /// 90th percentile seconds, nearest rank.
        public var p90: Int?

        /// Every value as it is to be published; nothing is checked.
        public init(used: Int?, excluded: Int?, mean: Tenths?, p50: Int?, p90: Int?) {
            self.used = used
            self.excluded = excluded
            self.mean = mean
            self.p50 = p50
            self.p90 = p90
        }
    }
}

extension KPISummaryV1.Cell {
    /// By place in the contract's order: duration, response, turnout, scene, transport, turnaround.
    package subscript(interval place: Int) -> KPISummaryV1.Interval {
        get {
            let own = figures[KPICatalog.places(ofInterval: place)]
            let first = own.startIndex
            return KPISummaryV1.Interval(
                used: own[first], excluded: own[first + 1], mean: own[first + 2].map(Tenths.init(tenths:)),
                p50: own[first + 3], p90: own[first + 4])
        }
        set {
            figures.replaceSubrange(
                KPICatalog.places(ofInterval: place),
                with: [newValue.used, newValue.excluded, newValue.mean?.tenths, newValue.p50, newValue.p90])
        }
    }
}

// The figures are read and written as the catalogue lists them: a measure that is added there is in every document.
extension KPISummaryV1.Cell {
    /// Reads a cell; a missing figure is nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NamedKey.self)
        self.init(
            month: try container.decode(String.self, forKey: NamedKey("month")),
            region: try container.decode(String.self, forKey: NamedKey("region")),
            tripType: try container.decode(String.self, forKey: NamedKey("tripType")),
            suppressed: try container.decode(Bool.self, forKey: NamedKey("suppressed")),
            complete: try container.decodeIfPresent(Bool.self, forKey: NamedKey("complete")),
            revisionPending: try container.decodeIfPresent(Bool.self, forKey: NamedKey("revisionPending")),
            sourcingSuppressed: try container.decode(Bool.self, forKey: NamedKey("sourcingSuppressed")),
            sourcingBasis: try container.decodeIfPresent(String.self, forKey: NamedKey("sourcingBasis")),
            incompleteMeasures: try container.decodeIfPresent([String].self, forKey: NamedKey("incompleteMeasures")))
        for (place, kpi) in KPICatalog.plain.enumerated() {
            if container.contains(NamedKey(kpi.name)) {
                figures[place] = try kpi.format.decode(from: container, forKey: NamedKey(kpi.name))
            } else {
                missingKeys.insert(kpi.name)
            }
        }
        for (place, interval) in MeasuredInterval.all.enumerated() {
            self[interval: place] = try container.decode(KPISummaryV1.Interval.self, forKey: NamedKey(interval.name))
        }
    }

    /// The cell's members in the contract's order, for the document and for line-by-line outputs.
    package var canonicalMembers: [CanonicalJSON.Member] {
        let names: [CanonicalJSON.Member] = [
            .init("month", month), .init("region", region), .init("tripType", tripType),
            .init("suppressed", suppressed), .init("complete", complete.orAbsent),
            .init("revisionPending", revisionPending.orAbsent), .init("sourcingSuppressed", sourcingSuppressed),
            .init("sourcingBasis", sourcingBasis.orAbsent), .init("incompleteMeasures", incompleteMeasures.orAbsent),
        ]
        let plain = zip(KPICatalog.plainForms, figures).map { form, figure in
            if let figure { return CanonicalJSON.Member(form.name, .number(form.format.canonical(figure))) }
            return CanonicalJSON.Member(form.name, missingKeys.contains(form.name) ? .absent : .null)
        }
        let intervals = MeasuredInterval.all.enumerated().map { place, interval in
            CanonicalJSON.Member(interval.name, self[interval: place].canonical)
        }
        return names + plain + intervals
    }
}

extension KPISummaryV1.Interval: CanonicalValue {
    package var canonical: CanonicalJSON {
        .object([
            .init("used", used), .init("excluded", excluded), .init("mean", mean), .init("p50", p50), .init("p90", p90),
        ])
    }
}

extension KPISummaryV1.MergedGroup: CanonicalValue {
    package var canonical: CanonicalJSON {
        ["month": month, "regions": regions, "tripTypes": tripTypes, "trips": trips]
    }
}

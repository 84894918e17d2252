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
        /// By `Measure`, in the smallest unit; nil where suppressed or undefined.
        package var figures: [Int?]
        /// Measures that were added to the contract after the document was written: it is written again without them.
        package internal(set) var missingMeasures: Set<Measure> = []

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
            for measure in missingMeasures.union(other.missingMeasures) {
                own[measure] = nil
                other[measure] = nil
            }
            own.missingMeasures = []
            other.missingMeasures = []
            return own == other
        }

        /// The figure of a measure in its smallest unit; nil where suppressed or undefined.
        package subscript(measure: Measure) -> Int? {
            get { figures[measure.rawValue] }
            set { figures[measure.rawValue] = newValue }
        }

        /// The names of the figures: `cell.trips`, `cell.totalCost` and so on are read and set by them.
        public struct FigureNames: Sendable {
            /// Completed trips.
            public let trips: FigureName<Int> = .init(.trips)
            /// Cancelled trips; in no other figure.
            public let cancelled: FigureName<Int> = .init(.cancelled)
            /// Trips without a patient; in no other figure.
            public let noShow: FigureName<Int> = .init(.noShow)
            /// Trips that the health system ran itself.
            public let inHouse: FigureName<Int> = .init(.inHouse)
            /// Trips that a contractor ran.
            public let contracted: FigureName<Int> = .init(.contracted)
            /// Trips that no rule sorted.
            public let unclassified: FigureName<Int> = .init(.unclassified)
            /// In-house of in-house and contracted trips, rounded half up.
            public let inHousePercent: FigureName<Int> = .init(.inHousePercent)
            /// In-house of in-house and contracted trips.
            public let inHouseShare: FigureName<Share> = .init(.inHouseShare)
            /// What was paid or is payable.
            public let totalCost: FigureName<Cents> = .init(.totalCost)
            /// Cost of the in-house trips.
            public let inHouseCost: FigureName<Cents> = .init(.inHouseCost)
            /// Cost of the contracted trips.
            public let contractedCost: FigureName<Cents> = .init(.contractedCost)
            /// Trips that have a cost.
            public let costedTrips: FigureName<Int> = .init(.costedTrips)
            /// Total cost over the costed trips.
            public let costPerTrip: FigureName<Cents> = .init(.costPerTrip)
            /// Cost of cancelled trips and no-shows; in no other figure. Release: nil.
            public let costNotRun: FigureName<Cents> = .init(.costNotRun)
            /// Miles with a patient on board.
            public let loadedMiles: FigureName<Tenths> = .init(.loadedMiles)
            /// Miles without a patient.
            public let unloadedMiles: FigureName<Tenths> = .init(.unloadedMiles)
            /// Cost over loaded miles, of the trips that have both. Release: nil unless every trip that has one has both.
            public let costPerLoadedMile: FigureName<Cents> = .init(.costPerLoadedMile)
            /// Loaded miles of all miles.
            public let loadedMileRatio: FigureName<Share> = .init(.loadedMileRatio)
            /// Unit notified to completed by default; dateBasis names other events.
            public let duration: IntervalName = .init("duration")
            /// Unit notified to on scene.
            public let response: IntervalName = .init("response")
            /// Unit notified to en route.
            public let turnout: IntervalName = .init("turnout")
            /// On scene to left scene.
            public let scene: IntervalName = .init("scene")
            /// Left scene to arrived.
            public let transport: IntervalName = .init("transport")
            /// Arrived to completed.
            public let turnaround: IntervalName = .init("turnaround")
        }

        /// A count, by its name.
        public subscript(dynamicMember name: KeyPath<FigureNames, FigureName<Int>>) -> Int? {
            get { self[Self.names[keyPath: name].measure] }
            set { self[Self.names[keyPath: name].measure] = newValue }
        }

        /// An amount with decimals, by its name.
        public subscript<Number: FixedDecimal>(
            dynamicMember name: KeyPath<FigureNames, FigureName<Number>>
        ) -> Number? {
            get { self[Self.names[keyPath: name].measure].map(Number.init(units:)) }
            set { self[Self.names[keyPath: name].measure] = newValue?.units }
        }

        /// An interval's statistics, by its name.
        public subscript(dynamicMember name: KeyPath<FigureNames, IntervalName>) -> Interval {
            get { self[interval: Self.names[keyPath: name].place] }
            set { self[interval: Self.names[keyPath: name].place] = newValue }
        }

        private static let names = FigureNames()
    }

    /// The name of a figure, and the type of its number.
    public struct FigureName<Number>: Sendable {
        fileprivate let measure: Measure

        fileprivate init(_ measure: Measure) { self.measure = measure }
    }

    /// The name of an interval, by its place in the contract's order.
    public struct IntervalName: Sendable {
        fileprivate let place: Int

        fileprivate init(_ name: String) { place = MeasuredInterval.place(of: name) }
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
    public struct Interval: Sendable, Hashable {
        /// As `IntervalStatistic` lists them, in the smallest unit.
        fileprivate var figures = [Int?](repeating: nil, count: IntervalStatistic.allCases.count)

        /// Every value as it is to be published; nothing is checked.
        public init(used: Int?, excluded: Int?, mean: Tenths?, p50: Int?, p90: Int?) {
            self.used = used
            self.excluded = excluded
            self.mean = mean
            self.p50 = p50
            self.p90 = p90
        }

        fileprivate init(_ figures: ArraySlice<Int?>) { self.figures = Array(figures) }

        package subscript(statistic: IntervalStatistic) -> Int? {
            get { figures[statistic.place] }
            set { figures[statistic.place] = newValue }
        }
    }
}

extension KPISummaryV1.Interval {
    /// Trips whose interval counts.
    public var used: Int? {
        get { self[.used] }
        set { self[.used] = newValue }
    }

    /// Trips where it is missing, negative or too long.
    public var excluded: Int? {
        get { self[.excluded] }
        set { self[.excluded] = newValue }
    }

    /// Mean seconds.
    public var mean: Tenths? {
        get { self[.mean].map(Tenths.init(tenths:)) }
        set { self[.mean] = newValue?.tenths }
    }

    /// Median seconds, nearest rank.
    public var p50: Int? {
        get { self[.p50] }
        set { self[.p50] = newValue }
    }

    /// 90th percentile seconds, nearest rank.
    public var p90: Int? {
        get { self[.p90] }
        set { self[.p90] = newValue }
    }
}

extension KPISummaryV1.Cell {
    /// By place in the contract's order: duration, response, turnout, scene, transport, turnaround.
    package subscript(interval place: Int) -> KPISummaryV1.Interval {
        get { KPISummaryV1.Interval(figures[KPICatalog.places(ofInterval: place)]) }
        set { figures.replaceSubrange(KPICatalog.places(ofInterval: place), with: newValue.figures) }
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
        try decode(KPICatalog.plain, from: container)
    }

    /// The cell's members in the contract's order, for the document and for line-by-line outputs.
    package var canonicalMembers: [CanonicalJSON.Member] {
        let names: [CanonicalJSON.Member] = [
            .init("month", month), .init("region", region), .init("tripType", tripType),
            .init("suppressed", suppressed), .init("complete", complete.orAbsent),
            .init("revisionPending", revisionPending.orAbsent), .init("sourcingSuppressed", sourcingSuppressed),
            .init("sourcingBasis", sourcingBasis.orAbsent), .init("incompleteMeasures", incompleteMeasures.orAbsent),
        ]
        return names + canonicalFigures(KPICatalog.plain)
    }

    /// Reads measures that are no interval's, and the intervals.
    mutating func decode(_ plain: [KPIDescription], from container: KeyedDecodingContainer<NamedKey>) throws {
        for kpi in plain { try decode(kpi, named: kpi.name, from: container) }
        for (place, interval) in MeasuredInterval.all.enumerated() {
            let own = try container.nestedContainer(keyedBy: NamedKey.self, forKey: NamedKey(interval.name))
            for statistic in IntervalStatistic.allCases {
                try decode(Measure(ofInterval: place, statistic).kpi, named: statistic.rawValue, from: own)
            }
        }
    }

    private mutating func decode(
        _ kpi: KPIDescription, named name: String, from container: KeyedDecodingContainer<NamedKey>
    ) throws {
        if container.contains(NamedKey(name)) {
            self[kpi.measure] = try kpi.format.decode(from: container, forKey: NamedKey(name))
        } else {
            missingMeasures.insert(kpi.measure)
        }
    }

    /// Measures that are no interval's, and the intervals.
    func canonicalFigures(_ plain: [KPIDescription]) -> [CanonicalJSON.Member] {
        plain.map { canonical($0, named: $0.name) }
            + MeasuredInterval.all.enumerated().map { place, interval in
                let own = IntervalStatistic.allCases.map { statistic in
                    canonical(Measure(ofInterval: place, statistic).kpi, named: statistic.rawValue)
                }
                return CanonicalJSON.Member(interval.name, .object(own))
            }
    }

    private func canonical(_ kpi: KPIDescription, named name: String) -> CanonicalJSON.Member {
        if let figure = self[kpi.measure] { return CanonicalJSON.Member(name, .number(kpi.format.canonical(figure))) }
        return CanonicalJSON.Member(name, missingMeasures.contains(kpi.measure) ? .absent : .null)
    }
}

extension KPISummaryV1.MergedGroup: CanonicalValue {
    package var canonical: CanonicalJSON {
        ["month": month, "regions": regions, "tripTypes": tripTypes, "trips": trips]
    }
}

import Basics

extension KPISummaryV1 {
    /// A group of the release: the smallest set of trips that the release has figures of.
    ///
    /// A month's trips are five populations: in-house, contracted, unclassified and cancelled trips, and no-shows. Each
    /// population is divided into groups by region and trip type. All figures of the document are of groups or of unions of
    /// groups.
    public struct Group: Decodable, Sendable, Hashable {
        /// Trips that are divided into groups by themselves.
        public enum Population: String, Decodable, CaseIterable, Sendable, Hashable {
            /// A completed trip's sourcing.
            case inHouse, contracted, unclassified
            /// All completed trips, in a month with too few in-house or contracted trips.
            case completed
            /// A trip that was not run.
            case cancelled, noShow

            /// Whether it has costs, miles and intervals.
            public var isCompleted: Bool { self != .cancelled && self != .noShow }

            /// As people read it after "trips that are".
            package var title: String {
                switch self {
                case .inHouse: "in-house"
                case .contracted: "contracted"
                case .unclassified: "unclassified"
                case .completed: "completed"
                case .cancelled: "cancelled"
                case .noShow: "no-shows"
                }
            }
        }

        /// `YYYY-MM`.
        public var month: String
        /// Which trips of the month.
        public var population: Population
        /// As long as `tripTypes`: the two together name each region and trip type that the group may hold trips of.
        public var regions: [String]
        /// As long as `regions`.
        public var tripTypes: [String]
        /// The release lacks late trips or corrections of the group.
        public var revisionPending: Bool
        /// `trips` and `measures`, as in a cell that is exactly this group.
        package var figures: Cell

        /// A group of which only the number of trips is shown yet.
        package init(
            month: String, population: Population, regions: [String], tripTypes: [String], revisionPending: Bool,
            trips: Int
        ) {
            self.month = month
            self.population = population
            self.regions = regions
            self.tripTypes = tripTypes
            self.revisionPending = revisionPending
            figures = Cell(
                month: month, region: CellKey.all, tripType: CellKey.all, suppressed: false, sourcingSuppressed: true)
            figures.trips = trips
        }

        /// Trips of the group.
        public var trips: Int { figures.trips ?? 0 }

        /// The measures of a group of completed trips that are no interval's.
        package static let measures = KPICatalog.measures([
            .totalCost, .costedTrips, .costPerTrip, .loadedMiles, .unloadedMiles, .costPerLoadedMile, .loadedMileRatio,
        ])

        /// Reads a group; a missing figure is nil.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NamedKey.self)
            self.init(
                month: try container.decode(String.self, forKey: NamedKey("month")),
                population: try container.decode(Population.self, forKey: NamedKey("population")),
                regions: try container.decode([String].self, forKey: NamedKey("regions")),
                tripTypes: try container.decode([String].self, forKey: NamedKey("tripTypes")),
                revisionPending: try container.decode(Bool.self, forKey: NamedKey("revisionPending")),
                trips: try container.decode(Int.self, forKey: NamedKey("trips")))
            guard population.isCompleted else { return }
            try figures.decode(Self.measures, from: container)
        }
    }
}

extension KPISummaryV1.Group.Population {
    /// The measure of a cell that counts these trips.
    package var trips: Measure {
        switch self {
        case .inHouse: .inHouse
        case .contracted: .contracted
        case .unclassified: .unclassified
        case .completed: .trips
        case .cancelled: .cancelled
        case .noShow: .noShow
        }
    }
}

extension KPISummaryV1.Group: CanonicalValue {
    package var canonical: CanonicalJSON {
        let names: [CanonicalJSON.Member] = [
            .init("month", month), .init("population", population.rawValue), .init("regions", regions),
            .init("tripTypes", tripTypes), .init("revisionPending", revisionPending), .init("trips", trips),
        ]
        guard population.isCompleted else { return .object(names) }
        return .object(names + figures.canonicalFigures(Self.measures))
    }
}

extension KPISummaryV1 {
    /// The groups of several regions or trip types of a month: their trips are in no cell by themselves.
    package func mergedGroups(of month: String) -> [Group] {
        (groups ?? []).filter { $0.isMerged && $0.month == month }
    }

    /// `all of Unassigned and West Emergency`
    package func places(of group: Group) -> String {
        let leaves = zip(group.regions, group.tripTypes).map(CellExplanation.Leaf.init)
        let tripTypes = Set(filters.tripTypes).subtracting([CellKey.all])
        return CellSentence.list(CellExplanation.Leaf.names(leaves, regions: filters.regions, tripTypes: tripTypes))
    }
}

extension KPISummaryV1.Group {
    /// What a table shows of a group of completed trips, beside its trips.
    package static let shownMeasures = KPICatalog.measures([.costPerTrip, .durationMean, .responseP90])

    /// `North or South`: in the order of the leaves.
    package var regionsText: String { Self.joined(regions) }

    /// `Emergency or Unassigned`; where the regions have different ones, `Emergency or Unassigned (North); Emergency (South)`.
    package var tripTypesText: String {
        let byRegion = Self.distinct(regions).map { region in
            (region: region, types: Self.joined(zip(regions, tripTypes).filter { $0.0 == region }.map(\.1)))
        }
        let texts = Self.distinct(byRegion.map(\.types))
        guard texts.count > 1 else { return texts.first ?? "" }
        return texts.map { text in
            "\(text) (\(byRegion.filter { $0.types == text }.map(\.region).joined(separator: ", ")))"
        }.joined(separator: "; ")
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    private static func joined(_ names: [String]) -> String { distinct(names).joined(separator: " or ") }

    /// The group's figures as those of a cell. A cost per loaded mile that is left out is hidden, and not undefined.
    package var cell: KPISummaryV1.Cell {
        var cell = figures
        let hasBoth = cell[.totalCost] != nil && cell[.loadedMiles] ?? 0 != 0
        if hasBoth, cell[.costPerLoadedMile] == nil { cell.incompleteMeasures = ["costPerLoadedMile"] }
        return cell
    }

    /// Whether it is of several regions or trip types.
    package var isMerged: Bool { regions.count > 1 }
}

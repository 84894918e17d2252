import Basics
import KPIContract
import KPIs
import Reports
import Trips

/// The figures of a cost workbook by cell: those of the summary and, for staff, how many trips of each sourcing have a cost.
struct CostFigures: Sendable {
    private struct SourcedCell: Hashable {
        var cell: CellKey
        var sourcing: Sourcing
    }

    private let cells: [CellKey: KPISummaryV1.Cell]
    /// Empty without a ledger.
    private var costed: [SourcedCell: Int] = [:]
    /// The months that these are known for.
    private var ledgerMonths: Set<String> = []

    /// A part of the trips that a cell is made of.
    private struct Leaf: Hashable {
        var month: Int32
        var region: UInt8
        var tripType: UInt8
        var sourcing: Sourcing
    }

    init(_ summary: KPISummaryV1, ledger: CostLedger?) {
        cells = Dictionary(
            (summary.cells + summary.monthTotals.compactMap(\.cell)).map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        guard let ledger else { return }
        let leaves = ledger.tally.grouped {
            Leaf(month: $0.month, region: $0.region, tripType: $0.tripType, sourcing: $0.sourcing)
        }
        for (key, sums) in leaves {
            let month = Month(index: key.month).description
            let regions = [CellKey.all, ledger.words.regions.name(of: key.region)]
            let types = [CellKey.all, ledger.words.tripTypes.name(of: key.tripType)]
            for month in ledger.months.contains(key.month) ? [month, CellKey.all] : [month] {
                ledgerMonths.insert(month)
                for (region, type) in regions.flatMap({ region in types.map { (region, $0) } }) {
                    let cell = CellKey(month: month, region: region, tripType: type)
                    costed[SourcedCell(cell: cell, sourcing: key.sourcing), default: 0] += sums.costedTrips
                }
            }
        }
    }

    subscript(_ month: String, region: String = CellKey.all, type: String = CellKey.all) -> KPISummaryV1.Cell? {
        cells[CellKey(month: month, region: region, tripType: type)]
    }

    /// The values of measures; of a cell that is nil all are hidden.
    func values(_ measures: [KPIDescription], _ cell: KPISummaryV1.Cell?) -> [ShownValue] {
        measures.map { kpi in cell.map { value(kpi, $0) } ?? .hidden }
    }

    /// The cost of trips of which none has a cost on record is unknown: the summary has 0 for it.
    private func value(_ kpi: KPIDescription, _ cell: KPISummaryV1.Cell) -> ShownValue {
        let value = ShownValue(kpi, of: cell)
        guard value.whole == 0, let measure = CostMeasure(rawValue: kpi.name), measure.trips(cell) ?? 0 > 0 else {
            return value
        }
        if let sourcing = measure.sourcing { return noCost(of: sourcing, in: cell) }
        guard let costed = cell.costedTrips else { return .costUnknown(mayBeZero: true) }
        return costed == 0 ? .costUnknown() : value
    }

    /// What a sum of 0 over the costs of trips is.
    func noCost(of sourcing: Sourcing, in cell: KPISummaryV1.Cell) -> ShownValue {
        if cell.costedTrips == 0 { return .costUnknown() }
        guard ledgerMonths.contains(cell.month) else { return .costUnknown(mayBeZero: true) }
        return costed[SourcedCell(cell: cell.key, sourcing: sourcing)] ?? 0 == 0 ? .costUnknown() : .number(0, .cents)
    }

    /// The cost of the unclassified trips, which is no measure of the summary: the cost less its two other parts. Hidden
    /// where one of the three is.
    func unclassifiedCost(of cell: KPISummaryV1.Cell) -> ShownValue {
        let costs = [cell.totalCost, cell.inHouseCost, cell.contractedCost].compactMap { $0?.cents }
        let coverages = KPICatalog.measures([.totalCost, .inHouseCost, .contractedCost]).map { $0.coverage(cell) }
        guard costs.count == 3, coverages.allSatisfy({ $0 == .all }) else { return .hidden }
        let cents = costs[0] - costs[1] - costs[2]
        let hasTrips = cell.unclassified ?? 0 > 0
        return cents == 0 && hasTrips ? noCost(of: .unclassified, in: cell) : .number(cents, .cents)
    }

    /// The trips that have a cost, of one sourcing or of all; n/a where the figures do not divide them.
    func costedTrips(of sourcing: Sourcing?, in cell: KPISummaryV1.Cell) -> ShownValue {
        let all = values(KPICatalog.measures([.costedTrips]), cell)[0]
        guard let sourcing else { return all }
        if ledgerMonths.contains(cell.month) {
            return .number(costed[SourcedCell(cell: cell.key, sourcing: sourcing)] ?? 0, .count)
        }
        guard all.coverage == .all, let known = all.whole else { return .notApplicable }
        if known == 0 { return .number(0, .count) }
        // Each trip has a cost: each of one sourcing, too.
        return known == cell.trips ? trips(of: sourcing, in: cell) : .notApplicable
    }

    func trips(of sourcing: Sourcing?, in cell: KPISummaryV1.Cell) -> ShownValue {
        let measure: Measure =
            switch sourcing {
            case nil: .trips
            case .inHouse: .inHouse
            case .contracted: .contracted
            case .unclassified: .unclassified
            }
        return values([measure.kpi], cell)[0]
    }

    /// The cost of trips of one sourcing or of all.
    func cost(of sourcing: Sourcing?, in cell: KPISummaryV1.Cell) -> ShownValue {
        switch sourcing {
        case nil: values(KPICatalog.measures([.totalCost]), cell)[0]
        case .inHouse: values(KPICatalog.measures([.inHouseCost]), cell)[0]
        case .contracted: values(KPICatalog.measures([.contractedCost]), cell)[0]
        case .unclassified: unclassifiedCost(of: cell)
        }
    }

    /// The costs of a cell.
    private enum CostMeasure: String {
        case totalCost, inHouseCost, contractedCost

        var sourcing: Sourcing? {
            switch self {
            case .totalCost: nil
            case .inHouseCost: .inHouse
            case .contractedCost: .contracted
            }
        }

        func trips(_ cell: KPISummaryV1.Cell) -> Int? {
            switch self {
            case .totalCost: cell.trips
            case .inHouseCost: cell.inHouse
            case .contractedCost: cell.contracted
            }
        }
    }
}

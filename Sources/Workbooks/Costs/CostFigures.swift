import Costs
import KPIContract
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
    /// Nothing of the summary is hidden.
    let isForStaff: Bool

    init(_ summary: KPISummaryV1, ledger: CostLedger?) {
        cells = Dictionary(summary.cells.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        isForStaff = summary.isInternal
        guard let ledger else { return }
        for (key, sums) in ledger.tally.lines {
            let month = Month(index: key.month).description
            let regions = [CellKey.all, ledger.words.regions.name(of: key.region)]
            let types = [CellKey.all, ledger.words.tripTypes.name(of: key.tripType)]
            // The months before the period are there to compare with.
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

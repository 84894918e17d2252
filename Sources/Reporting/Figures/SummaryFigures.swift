import Basics
package import KPIContract
import Trips

/// A summary's figures against each other: whatever is shown adds up.
package struct SummaryFigures {
    private let summary: KPISummaryV1

    package init(_ summary: KPISummaryV1) {
        self.summary = summary
    }

    /// Each in words, without a figure.
    package var contradictions: [String] { headlines + quality + summary.cells.flatMap(inside) + sums }

    private var headlines: [String] {
        let totals = summary.cells.filter { $0.region == CellKey.all && $0.tripType == CellKey.all }
        let months = totals.filter { $0.month != CellKey.all && !$0.suppressed }
        var problems: [String] = []
        if totals.first(where: { $0.month == CellKey.all })?.trips != summary.totalTrips {
            problems.append("totalTrips is not the trips of all cells")
        }
        if months.map(\.month) != summary.months { problems.append("months are not the months of the cells shown") }
        if months.map({ Double($0.trips ?? -1) }) != summary.chartData {
            problems.append("chartData is not the trips of the months")
        }
        if summary.cells.count(where: \.suppressed) != summary.privacy.suppressedCells {
            problems.append("privacy.suppressedCells is not the number of suppressed cells")
        }
        return problems
    }

    private var quality: [String] {
        let quality = summary.quality
        let counts = [
            quality.read, quality.added, quality.updated, quality.unchanged, quality.superseded, quality.skipped,
            quality.rejected,
        ]
        guard summary.isInternal else {
            let isSilent = counts.allSatisfy { $0 == nil } && quality.warnings.values.allSatisfy { $0 == nil }
            return isSilent ? [] : ["quality has counts of records, which are for staff"]
        }
        let shown = counts.compactMap(\.self)
        guard shown.count == counts.count else { return ["quality lacks a count of records"] }
        return shown[0] == shown.dropFirst().reduce(quality.merged ?? 0, +)
            ? [] : ["quality.read is not the sum of its parts"]
    }

    private func inside(_ cell: KPISummaryV1.Cell) -> [String] {
        var problems: [String] = []
        let incomplete = Set(cell.measuresNotWhole)
        let parts = ["trips", "inHouse", "contracted", "unclassified"]
        if let split = sum([cell.inHouse, cell.contracted, cell.unclassified]),
            parts.allSatisfy({ !incomplete.contains($0) }), split != cell.trips
        {
            problems.append("\(name(cell)): the split by sourcing is not the trips")
        }
        let intervals = [
            cell.duration, cell.response, cell.turnout, cell.scene, cell.transport, cell.turnaround,
        ]
        for (name, interval) in zip(TripInterval.allCases.map(\.name), intervals) {
            if let both = sum([interval.used, interval.excluded]), !incomplete.contains(name), both != cell.trips {
                problems.append("\(self.name(cell)): \(name) used and excluded are not the trips")
            }
        }
        let counts =
            [cell.costedTrips, cell.costPerTrip?.cents] + intervals.flatMap { [$0.used, $0.excluded, $0.mean?.tenths] }
        if summary.omitsMissingCounts, counts.contains(where: { $0 != nil }) {
            problems.append("\(name(cell)): a count of missing values, which the release leaves out")
        }
        if cell.suppressed, cell.trips != nil { problems.append("\(name(cell)): suppressed, with a figure") }
        return problems
    }

    /// Every total against its parts, in each of the three directions, where all of them are whole.
    private var sums: [String] {
        let directions: [WritableKeyPath<CellKey, String>] = [\.month, \.region, \.tripType]
        var problems: [String] = []
        for direction in directions {
            var parts: [CellKey: [KPISummaryV1.Cell]] = [:]
            for cell in summary.cells {
                var key = cell.key
                guard key[keyPath: direction] != CellKey.all else { continue }
                key[keyPath: direction] = CellKey.all
                parts[key, default: []].append(cell)
            }
            for total in summary.cells {
                guard let cells = parts[total.key], (cells + [total]).allSatisfy(Self.isWhole) else { continue }
                for kpi in Self.additive {
                    if let expected = sum(cells.map(kpi.figure)), let shown = kpi.figure(total), shown != expected {
                        problems.append("\(name(total)): \(kpi.name) is not the sum of its parts")
                    }
                }
            }
        }
        return problems
    }

    private static func isWhole(_ cell: KPISummaryV1.Cell) -> Bool {
        cell.complete != false && cell.measuresNotWhole.isEmpty
    }

    /// Exact sums: miles are rounded to tenths, so they add up only nearly.
    private static let additive = KPICatalog.all.filter { $0.sql != nil && $0.format != .miles }

    private func name(_ cell: KPISummaryV1.Cell) -> String { "\(cell.month), \(cell.region), \(cell.tripType)" }

    /// Nil as soon as one of them is hidden.
    private func sum(_ figures: [Int?]) -> Int? {
        let shown = figures.compactMap(\.self)
        return shown.count == figures.count ? shown.reduce(0, +) : nil
    }
}

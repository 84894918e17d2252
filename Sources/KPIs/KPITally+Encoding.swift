package import Basics
import Trips

// The checkpoint of one month: everything a tally knows of it, in a few bytes a second met.
//
//   version, then as varints: month, days (number, then day and trips of each), warnings (number, then length and bytes
//   of the code, and trips), number of intervals, number of cells, the cells; last the checksum, eight bytes.
//   A cell: region, trip type, the sums, the patients of each population (bound, number, then hash and trips of each,
//   hashes ascending), and for each sourcing and interval used, excluded, seconds and the histogram.
//   A histogram: from second 0 on, `2 · count` for a second that was met, `2 · gap + 1` for seconds that were not; it
//   ends with the last of the `used` trips.
//
// Only cells with trips are in it, by their codes: a list that grew at its end, or a larger maximum interval, still reads.
extension KPITally {
    /// The checkpoint of a month; that of no trips, if it was not met.
    package func encoded(month: Month) -> [UInt8] {
        var writer = TallyWriter()
        writer.byte(CellSums.formatVersion)
        writer.signed(Int(month.index))
        guard let slot = knownSlot(of: month) else {
            for number in [0, 0, Self.intervalCount, 0] { writer.unsigned(number) }
            return writer.sealed()
        }
        let met = (0..<31).filter { days[slot * 31 + $0] != 0 }
        writer.unsigned(met.count)
        for day in met {
            writer.unsigned(day)
            writer.signed(days[slot * 31 + day])
        }
        let warned = WarningCode.allCases.enumerated().map { ($1, warnings[slot * Self.warningCount + $0]) }
            .filter { $0.1 != 0 }
        writer.unsigned(warned.count)
        for (code, trips) in warned {
            writer.unsigned(code.rawValue.utf8.count)
            writer.bytes += code.rawValue.utf8
            writer.signed(trips)
        }
        writer.unsigned(Self.intervalCount)
        let live = cells(of: slot).filter { !sums[$0].isEmpty }
        writer.unsigned(live.count)
        var bins = SecondsBins(histograms)
        for cell in live { encode(cell, to: &writer, &bins) }
        return writer.sealed()
    }

    private func encode(_ cell: Int, to writer: inout TallyWriter, _ bins: inout SecondsBins) {
        writer.byte(UInt8(truncatingIfNeeded: cell / shape.tripTypeCount % shape.regionCount))
        writer.byte(UInt8(truncatingIfNeeded: cell % shape.tripTypeCount))
        var sums = sums[cell]
        sums.visit(with: sums) { number, _ in writer.signed(number) }
        for index in cell * Self.populationCount..<(cell + 1) * Self.populationCount {
            writer.fixed(patients[index].bound)
            writer.unsigned(patients[index].trips.count)
            for (hash, trips) in patients[index].trips.sorted(by: { $0.key < $1.key }) {
                writer.fixed(hash)
                writer.signed(Int(trips))
            }
        }
        for index in Self.histograms(of: cell) {
            writer.signed(intervals[index].used)
            writer.signed(intervals[index].excluded)
            writer.signed(intervals[index].seconds)
            bins.add(index, of: histograms)
            var next = 0
            bins.forEach { second, trips in
                if second > next { writer.unsigned((second - next) << 1 | 1) }
                writer.unsigned(trips << 1)
                next = second + 1
            }
            bins.clear()
        }
    }
}

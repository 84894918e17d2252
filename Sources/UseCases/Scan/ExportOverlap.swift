import ExportBytes
import Trips

/// Trips that several exports of a run have under different ids: they would count twice.
///
/// A trip is taken for the same if region, day, cost, loaded miles, duration and response time are the same, and at least two of the
/// amounts are above 0; where fewer are, in exports without ids, if their records are the same. Two fleets agree in these by chance too, so the trips of a week later are compared as well: a copy agrees on
/// its own day only. Of all exports together, those trips are compared whose figures have the lowest hashes: so a trip that is in two
/// exports is in the sample with both or with neither.
struct ExportOverlap: Sendable {
    private struct Entry {
        /// A hash of what must be the same, but for the day.
        var figures: UInt64
        var day: Int32
        var key: UInt64
        var export: Int
    }

    /// A trip by its figures, on a day.
    private struct Sight: Hashable {
        var figures: UInt64
        var day: Int32
    }

    private var entries: [Entry] = []
    /// No higher hash is kept.
    private var highest = UInt64.max

    private static let sampleSize = 1 << 17
    private static let fewestFigures = 2
    /// Fewer trips say too little.
    private static let fewestExamined = 20

    /// - Parameters:
    ///   - batch: with the locations of its records, which name the exports.
    ///   - hasContents: whether its `tieHashes` are those of the records' bytes.
    mutating func add(_ batch: borrowing TripBatch, hasContents: Bool) {
        let contents = hasContents && !batch.tieHashes.isEmpty
        for row in 0..<batch.count {
            guard let figures = Self.hash(batch, row: row) ?? (contents ? Self.mixed(batch.tieHashes[row]) : nil),
                figures <= highest
            else { continue }
            entries.append(
                Entry(
                    figures: figures, day: batch.day[row], key: batch.keyHashes[row],
                    export: RecordLocation(batch.offsets[row]).export))
        }
        if entries.count > 2 * Self.sampleSize { reduce() }
    }

    mutating func merge(_ other: ExportOverlap) {
        highest = min(highest, other.highest)
        let limit = highest
        entries.removeAll { $0.figures > limit }
        entries += other.entries.lazy.filter { $0.figures <= limit }
        if entries.count > 2 * Self.sampleSize { reduce() }
    }

    private mutating func reduce() {
        entries.sort { $0.figures < $1.figures }
        // Without the figures at the limit: so many trips may have them that nothing else would fit.
        let limit = entries[Self.sampleSize].figures
        highest = limit == 0 ? 0 : limit - 1
        entries.removeAll { $0.figures >= limit }
    }

    /// Nil: too few figures to distinguish a trip.
    private static func hash(_ batch: borrowing TripBatch, row: Int) -> UInt64? {
        let amounts = (
            batch.costCents[row], batch.loadedHundredths[row],
            Int(batch.intervals[TripInterval.duration.rawValue][row]),
            Int(batch.intervals[TripInterval.response.rawValue][row])
        )
        var known = 0
        var hash = mixed(UInt64(batch.region[row]))
        func add(_ amount: Int) {
            // What is missing is below 0 or a marker; zeros distinguish nothing.
            if amount > 0 { known += 1 }
            hash = mixed(hash ^ UInt64(truncatingIfNeeded: amount))
        }
        add(amounts.0)
        add(amounts.1)
        add(amounts.2)
        add(amounts.3)
        return known >= fewestFigures ? hash : nil
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// - Parameter names: of the exports.
    /// - Throws: if most of the trips of one export are in others under other ids.
    func check(_ names: [String]) throws(ExportError) {
        // Figures that several trips of an export have on a day distinguish none of them.
        let sights = Dictionary(grouping: entries) { Sight(figures: $0.figures, day: $0.day) }.mapValues { same in
            same.reduce(into: [Int: Set<UInt64>]()) { $0[$1.export, default: []].insert($1.key) }
                .compactMapValues { $0.count == 1 ? $0.first : nil }
        }
        var examined = [Int](repeating: 0, count: names.count)
        var repeated = examined
        var repeatedByChance = examined
        for (sight, keys) in sights {
            let aWeekLater = sights[Sight(figures: sight.figures, day: sight.day + 7)] ?? [:]
            for (export, key) in keys {
                examined[export] += 1
                if Self.isRepeated(key, of: export, in: keys) { repeated[export] += 1 }
                if Self.isRepeated(key, of: export, in: aWeekLater) { repeatedByChance[export] += 1 }
            }
        }
        for (export, name) in names.enumerated().reversed()
        where examined[export] >= Self.fewestExamined && repeated[export] * 2 > examined[export]
            && repeated[export] > 2 * repeatedByChance[export]
        {
            throw ExportError(
                kind: .unclearRecords, file: name,
                problem:
                    "\(repeated[export]) of \(examined[export]) trips that were compared are in another of the exports under "
                    + "other ids: they would count twice",
                remedy:
                    "leave one of the exports out, or have the ids written alike (a spreadsheet may have removed zeros); if "
                    + "they are other trips, load the exports into a store, where that can be waived")
        }
    }

    /// Whether other exports have a trip with these figures, and none of them under this key.
    private static func isRepeated(_ key: UInt64, of export: Int, in keys: [Int: UInt64]) -> Bool {
        let others = keys.filter { $0.key != export }
        return !others.isEmpty && others.values.allSatisfy { $0 != key }
    }
}

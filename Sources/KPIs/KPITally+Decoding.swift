package import Basics
import Trips

extension KPITally {
    /// Adds the trips of a checkpoint. If it throws, the tally is as it was.
    ///
    /// The checkpoint may be of a tally with fewer regions or trip types, or with a smaller maximum interval.
    ///
    /// - Parameter takesEarlierFormats: whether a release of an earlier version may be read. It knows miles and intervals of
    ///   all completed trips only, so all of them are counted as unclassified.
    package mutating func merge(
        encoded bytes: [UInt8], month: Month, takesEarlierFormats: Bool = false
    ) throws(TallyDecodingError) {
        do throws(TallyDecodingError.Problem) {
            let other = try TallyDecoding(bytes, month: month, shape: shape, takesEarlierFormats).tally
            guard canAdd(other, month: month) else { throw .outOfRange }
            merge(other)
        } catch {
            throw TallyDecodingError(month: month, problem: error)
        }
    }

    /// Whether a release of an earlier version recorded the checkpoint.
    package static func isOfEarlierFormat(_ bytes: [UInt8]) -> Bool {
        bytes.first.map(CellSums.earlierFormatVersions.contains) ?? false
    }

    /// Whether a decoded month can be added: no number of a cell may become one that a checkpoint cannot hold.
    private func canAdd(_ other: KPITally, month: Month) -> Bool {
        guard let slot = knownSlot(of: month), let otherSlot = other.knownSlot(of: month) else { return true }
        return zip(cells(of: slot), other.cells(of: otherSlot)).allSatisfy { cell, otherCell in
            other.sums[otherCell].isEmpty
                || sums[cell].largest(with: other.sums[otherCell]) <= UInt(TallyReader.limit)
        }
    }

    /// Whether the sums of all cells together can be computed. Those of trips that were read always can; numbers in a file
    /// may be made up.
    package var hasSumsInRange: Bool {
        var total: UInt = 0
        for cell in sums where !cell.isEmpty {
            let (sum, overflows) = total.addingReportingOverflow(cell.largest(with: CellSums()))
            guard !overflows, sum <= UInt(Int.max / 4) else { return false }
            total = sum
        }
        return true
    }
}

/// Reads one checkpoint to a tally of its own.
private struct TallyDecoding {
    private var reader: TallyReader
    private(set) var tally: KPITally
    private let slot: Int
    private var page = PageDraft()
    private let version: UInt8

    init(
        _ bytes: [UInt8], month: Month, shape: KPITally.Shape, _ takesEarlierFormats: Bool
    ) throws(TallyDecodingError.Problem) {
        reader = try TallyReader(sealed: bytes)
        tally = KPITally(shape: shape)
        version = try reader.byte()
        guard
            version == CellSums.formatVersion
                || takesEarlierFormats && CellSums.earlierFormatVersions.contains(version)
        else { throw .version(version) }
        guard try reader.signed() == Int(month.index), KPITally.holds(month) else { throw .otherMonth }
        slot = tally.slot(of: month.index)
        let trips = try days()
        try warnings()
        guard try reader.unsigned() == KPITally.intervalCount else { throw .unknownCode }
        var placed = 0
        for _ in 0..<(try reader.unsigned(maximum: 1 << 16)) { placed += try cell() }
        guard reader.left == 0, placed == trips else { throw .inconsistent }
    }

    /// The number of all trips.
    private mutating func days() throws(TallyDecodingError.Problem) -> Int {
        var total = 0
        for _ in 0..<(try reader.unsigned(maximum: 31)) {
            let day = try reader.unsigned(maximum: 30)
            let trips = try reader.count(maximum: 1 << 40)
            tally.days[slot * 31 + day] += trips
            total += trips
        }
        return total
    }

    private mutating func warnings() throws(TallyDecodingError.Problem) {
        for _ in 0..<(try reader.unsigned(maximum: 1 << 16)) {
            guard let code = WarningCode(rawValue: try reader.text()) else { throw .unknownCode }
            tally.warnings[slot * KPITally.warningCount + code.index] += try reader.count(maximum: 1 << 40)
        }
    }

    /// The number of the cell's trips.
    private mutating func cell() throws(TallyDecodingError.Problem) -> Int {
        let region = Int(try reader.byte()), type = Int(try reader.byte())
        let shape = tally.shape
        guard region < shape.regionCount, type < shape.tripTypeCount else { throw .unknownCode }
        let cell = (slot * shape.regionCount + region) * shape.tripTypeCount + type
        guard tally.sums[cell].isEmpty else { throw .inconsistent }
        let isEarlier = version != CellSums.formatVersion
        let sums = try isEarlier ? earlierSums() : sums()
        guard [sums.trips, sums.cancelled, sums.noShow].allSatisfy({ (0...1 << 40).contains($0) }), !sums.isEmpty else {
            throw .outOfRange
        }
        guard sums.isConsistent else { throw .inconsistent }
        tally.sums[cell] = sums
        for population in TripPopulation.allCases {
            let isJoined = isEarlier && population.sourcing != nil
            let counted = isJoined ? TripPopulation.unclassified : population
            let index = cell * KPITally.populationCount + counted.rawValue
            tally.patients[index].merge(try patients(trips: sums.trips(of: counted)))
        }
        for population in isEarlier ? [.unclassified] : TripPopulation.completed {
            for interval in TripInterval.allCases {
                try self.interval(
                    KPITally.histogram(interval, of: cell, population), trips: sums.trips(of: population))
            }
        }
        return sums.trips + sums.cancelled + sums.noShow
    }

    private mutating func sums() throws(TallyDecodingError.Problem) -> CellSums {
        var sums = CellSums(), reader = reader
        try sums.visit(with: sums) { (number, _) throws(TallyDecodingError.Problem) in number = try reader.signed() }
        self.reader = reader
        return sums
    }

    /// Those of versions 2 and 3, in the order in which these wrote them.
    private mutating func earlierSums() throws(TallyDecodingError.Problem) -> CellSums {
        var sums = CellSums(), all = CompletedSums()
        all.trips = try reader.signed()
        sums.cancelled = try reader.signed()
        sums.noShow = try reader.signed()
        for _ in 0..<3 { _ = try reader.signed() }
        for _ in 0..<3 { all.costCents += try reader.signed() }
        for _ in 0..<3 { all.costedTrips += try reader.signed() }
        all.loadedHundredths = try reader.signed()
        all.unloadedHundredths = try reader.signed()
        all.costCentsWithLoadedMiles = try reader.signed()
        all.loadedHundredthsWithCost = try reader.signed()
        all.costedTripsWithLoadedMiles = try reader.signed()
        all.tripsWithLoadedMiles = try reader.signed()
        all.tripsWithUnloadedMiles = try reader.signed()
        if version > 2 { sums.costNotRunCents = try reader.signed() }
        sums.unclassified = all
        return sums
    }

    private mutating func patients(trips: Int) throws(TallyDecodingError.Problem) -> PatientSample {
        let bound = try reader.fixed()
        let count = try reader.unsigned(maximum: trips)
        guard count <= reader.left / 9 else { throw .truncated }
        var known = [UInt64: Int32](minimumCapacity: count)
        var left = trips
        var last: UInt64 = 0
        for _ in 0..<count {
            let hash = try reader.fixed()
            let own = try reader.count(maximum: 1 << 28)
            left -= own
            guard hash > last, hash < bound, own > 0, left >= 0 else { throw .inconsistent }
            known[hash] = Int32(own)
            last = hash
        }
        return PatientSample(size: tally.shape.patientSampleSize, bound: bound, trips: known)
    }

    private mutating func interval(_ index: Int, trips: Int) throws(TallyDecodingError.Problem) {
        var sums = KPITally.IntervalSums()
        sums.used = try reader.count(maximum: trips)
        sums.excluded = try reader.count(maximum: trips)
        sums.seconds = try reader.count()
        guard sums.used + sums.excluded == trips, try seconds(of: sums.used, index) == sums.seconds else {
            throw .inconsistent
        }
        tally.intervals[index] = sums
    }

    /// Reads a histogram of `used` trips; the sum of their seconds.
    private mutating func seconds(of used: Int, _ index: Int) throws(TallyDecodingError.Problem) -> Int {
        let maximum = tally.shape.maximumIntervalSeconds
        var reader = reader
        var left = used, second = 0, sum = 0
        while left > 0 {
            let token = try reader.unsigned()
            let trips = token >> 1
            if token & 1 == 1 {
                second += trips
            } else {
                guard trips > 0, trips <= left, second <= maximum else { throw .outOfRange }
                if second >> 8 != page.number { page.move(to: second >> 8, adding: &tally.histograms, index) }
                page.set(second & 0xFF, trips)
                left -= trips
                sum &+= trips &* second
                second += 1
            }
            guard second <= maximum + 1 else { throw .outOfRange }
        }
        page.move(to: 0, adding: &tally.histograms, index)
        self.reader = reader
        return sum
    }
}

/// The counts of one page of seconds, as they are read.
private struct PageDraft {
    private(set) var number = 0
    /// The lowest eight bits of each count.
    private var low = [UInt8](repeating: 0, count: 256)
    /// Multiples of 256 of those that are larger.
    private var high: [(bin: Int, multiples: Int)] = []
    /// The first second met, and the one after the last.
    private var first = 0
    private var end = 0
    private var total = 0

    /// Bins come in ascending order.
    @inline(__always)
    mutating func set(_ bin: Int, _ trips: Int) {
        low[bin] = UInt8(truncatingIfNeeded: trips)
        if trips > 0xFF { high.append((bin, trips >> 8)) }
        if total == 0 { first = bin }
        end = bin &+ 1
        total &+= trips
    }

    /// Adds what is there to a histogram and begins another page.
    mutating func move(to next: Int, adding histograms: inout SecondsHistograms, _ histogram: Int) {
        if total > 0 {
            histograms.add(page: number, low: low.span, in: first..<end, high: high, total: total, to: histogram)
            if !high.isEmpty { high.removeAll(keepingCapacity: true) }
            total = 0
            let bins = first..<end
            var low = low.mutableSpan
            for bin in bins { low[bin] = 0 }
        }
        number = next
    }
}

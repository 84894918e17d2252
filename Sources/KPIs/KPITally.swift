import Basics
package import Trips

/// The running numbers of one worker: every trip is added to its leaf cell (month × region × trip type), and workers'
/// tallies merge into one.
///
/// `merge` is associative and commutative with the empty tally as identity, and `subtract` undoes it exactly, so the
/// result does not depend on the order of rows, on chunks or on threads. Trips that turn out to be older
/// versions are added to a tally of their own, which is subtracted at the end.
package struct KPITally: Sendable {
    /// What all tallies of a run have in common.
    package struct Shape: Sendable, Hashable {
        /// Number of region and trip type codes, `Unassigned` included.
        package var regionCount: Int
        package var tripTypeCount: Int
        package var maximumIntervalSeconds: Int
        /// Patients kept for each population of a cell; see `PatientSample`.
        package var patientSampleSize: Int

        package init(regionCount: Int, tripTypeCount: Int, maximumIntervalSeconds: Int, patientSampleSize: Int = 24) {
            self.regionCount = regionCount
            self.tripTypeCount = tripTypeCount
            self.maximumIntervalSeconds = maximumIntervalSeconds
            self.patientSampleSize = patientSampleSize
        }

        var cellsPerMonth: Int { regionCount * tripTypeCount }
    }

    struct IntervalSums: Sendable {
        var used = 0
        var excluded = 0
        var seconds = 0
    }

    package let shape: Shape
    /// Months met, in the order met; a month's place here is its slot.
    private(set) var months: [Month] = []
    /// Whether a count was to be taken out that was never added.
    private var hasMissedCounts = false
    /// Slot plus one by month, from January 1900; 0 where the month was not met.
    private var slotByMonth: [Int32] = Array(repeating: 0, count: 12 * 400)
    private static let firstMonth: Int32 = 1900 * 12
    /// By cell: `(slot * regionCount + region) * tripTypeCount + tripType`.
    var sums: [CellSums] = []
    /// By cell and `TripPopulation.rawValue`.
    var patients: [PatientSample] = []
    /// By cell, sourcing and interval: of completed trips.
    var intervals: [IntervalSums] = []
    var histograms: SecondsHistograms
    /// Trips by slot and day of the month (31 a slot).
    var days: [Int] = []
    /// Trips by slot and `WarningCode.index`.
    var warnings: [Int] = []
    /// Completed trips of the batch under way.
    private var completed = CompletedRows()
    /// Of one interval of the batch under way.
    private var listed = ListedSeconds()
    /// Indices into `patients` of the batch under way; -1 where the trip is void.
    private var populations: [Int] = []

    // Numbers, since the hot loops use them: a count of cases would be a global that is looked up for each row.
    // `KPITallyTests` compares them with the cases.
    package static var intervalCount: Int { 6 }
    package static var warningCount: Int { 15 }
    package static var populationCount: Int { 5 }
    static var sourcingCount: Int { 3 }

    package init(shape: Shape) {
        self.shape = shape
        histograms = SecondsHistograms(maximumSeconds: shape.maximumIntervalSeconds)
    }

    /// More months than any export of trips has: 50 years. Memory and outputs grow with them.
    package static let mostMonths = 600

    /// Whether trips lie in more months than `mostMonths`: dates are read wrongly.
    package var hasTooManyMonths: Bool { months.count > Self.mostMonths }

    /// Whether nothing was ever added.
    package var isEmpty: Bool { months.isEmpty }

    package mutating func add(_ batch: TripBatch) {
        if populations.count < batch.count {
            completed.reserve(batch.capacity)
            listed.reserve(batch.capacity)
            populations = Array(repeating: -1, count: batch.capacity)
        }
        placeRows(batch)
        sumCompleted(batch)
        countPatients(batch)
        for interval in 0..<Self.intervalCount {
            addInterval(interval, batch.intervals[interval])
        }
    }

    /// Finds each row's cell and counts what is not measured: other statuses, warnings, days.
    private mutating func placeRows(_ batch: TripBatch) {
        let completed = TripStatus.completed.rawValue, void = TripStatus.void.rawValue
        let cancelled = TripStatus.cancelled.rawValue
        var lastMonth = Int32.min, lastSlot = 0
        self.completed.count = 0
        for row in 0..<batch.count {
            let status = batch.status[row]
            if status == void {
                populations[row] = -1
                continue
            }
            let month = batch.month[row]
            if month != lastMonth {
                lastSlot = slot(of: month)
                lastMonth = month
            }
            let cell =
                (lastSlot &* shape.regionCount &+ Int(batch.region[row])) &* shape.tripTypeCount
                &+ Int(batch.tripType[row])
            let bits = batch.warnings[row]
            if bits != 0 { note(warnings: bits, slot: lastSlot) }
            noteDay(batch.day[row], slot: lastSlot)
            let firstPopulation = cell &* Self.populationCount
            if status == completed {
                let sourcing = Int(min(batch.sourcing[row], Sourcing.unclassified.rawValue))
                self.completed.append(row: row, cell: cell, part: cell &* Self.sourcingCount &+ sourcing)
                populations[row] = firstPopulation &+ sourcing
                continue
            }
            sums[cell].addOther(batch, row: row)
            let population = status == cancelled ? TripPopulation.cancelled : .noShow
            populations[row] = firstPopulation &+ population.rawValue
        }
    }

    private mutating func sumCompleted(_ batch: TripBatch) {
        let completed = self.completed
        let rows = completed.rows.span, cells = completed.cells.span
        var sums = self.sums.mutableSpan
        for index in 0..<completed.count { sums[cells[index]].addCompleted(batch, row: Int(rows[index])) }
    }

    private mutating func countPatients(_ batch: TripBatch) {
        for row in 0..<batch.count where populations[row] >= 0 && batch.patientHashes[row] != 0 {
            patients[populations[row]].add(batch.patientHashes[row])
        }
    }

    private mutating func addInterval(_ interval: Int, _ seconds: [Int32]) {
        // Taken out meanwhile, so that they are not copied.
        var listed = ListedSeconds()
        swap(&listed, &self.listed)
        sumInterval(interval, seconds, &listed)
        histograms.add(listed.seconds, to: listed.histograms, count: listed.count)
        swap(&listed, &self.listed)
    }

    /// Sums an interval, and lists the seconds of the trips that have one.
    private mutating func sumInterval(_ interval: Int, _ seconds: [Int32], _ listed: inout ListedSeconds) {
        let completed = self.completed
        let rows = completed.rows.span, parts = completed.parts.span, column = seconds.span
        var intervals = intervals.mutableSpan
        listed.count = 0
        for index in 0..<completed.count {
            let histogram = parts[index] &* Self.intervalCount &+ interval
            let value = column[Int(rows[index])]
            // Without a jump: which trips lack an interval cannot be guessed.
            let isUsed = value >= 0 ? 1 : 0
            listed.append(value, to: histogram, counts: isUsed)
            var sums = intervals[histogram]
            sums.used &+= isUsed
            sums.excluded &+= 1 &- isUsed
            sums.seconds &+= Int(max(0, value))
            intervals[histogram] = sums
        }
    }

    @inline(__always)
    private mutating func note(warnings bits: UInt32, slot: Int) {
        var bits = bits
        let first = slot &* Self.warningCount
        while bits != 0 {
            warnings[first &+ bits.trailingZeroBitCount] &+= 1
            bits &= bits - 1
        }
    }

    @inline(__always)
    private mutating func noteDay(_ day: Int32, slot: Int) {
        let first = firstDays[slot]
        days[slot &* 31 &+ Int(day &- first)] &+= 1
    }

    /// Days since 1970 of the first of each month, by slot.
    var firstDays: [Int32] = []

    /// The slot of a month that was met; else nil.
    func knownSlot(of month: Month) -> Int? {
        let place = Int(month.index - Self.firstMonth)
        return slotByMonth.indices.contains(place) && slotByMonth[place] != 0 ? Int(slotByMonth[place]) - 1 : nil
    }

    /// Whether a tally has a place for the month: 1900 to 2299.
    static func holds(_ month: Month) -> Bool { (0..<12 * 400).contains(month.index - firstMonth) }

    mutating func slot(of month: Int32) -> Int {
        let place = Int(month - Self.firstMonth)
        if slotByMonth[place] != 0 { return Int(slotByMonth[place]) - 1 }
        let slot = months.count
        let value = Month(index: month)
        months.append(value)
        slotByMonth[place] = Int32(slot + 1)
        firstDays.append(CivilDay.days(year: value.year, month: value.month, day: 1))
        days.append(contentsOf: repeatElement(0, count: 31))
        warnings.append(contentsOf: repeatElement(0, count: Self.warningCount))
        let cells = shape.cellsPerMonth
        sums.append(contentsOf: repeatElement(CellSums(), count: cells))
        patients.append(
            contentsOf: repeatElement(
                PatientSample(size: shape.patientSampleSize), count: cells * Self.populationCount))
        intervals.append(
            contentsOf: repeatElement(IntervalSums(), count: cells * Self.sourcingCount * Self.intervalCount))
        histograms.reserve(intervals.count)
        return slot
    }

    /// Places of a cell in `intervals` and `histograms`.
    static func histograms(of cell: Int) -> Range<Int> {
        cell * sourcingCount * intervalCount..<(cell + 1) * sourcingCount * intervalCount
    }

    /// The place in `intervals` and `histograms` of an interval of the completed trips of a cell and a sourcing.
    static func histogram(_ interval: TripInterval, of cell: Int, _ population: TripPopulation) -> Int {
        (cell * sourcingCount + population.rawValue) * intervalCount + interval.rawValue
    }

    // MARK: - Merge

    package mutating func merge(_ other: KPITally) { combine(other, sign: 1) }

    /// Takes out what `other` holds.
    ///
    /// - Returns: false if `other` holds something that was never added, as a damaged store may make it seem; this tally
    ///   must not be used then.
    @discardableResult
    package mutating func subtract(_ other: KPITally) -> Bool {
        combine(other, sign: -1)
        return !hasMissedCounts && other.months.allSatisfy { isSound(month: $0) }
    }

    private mutating func combine(_ other: KPITally, sign: Int) {
        precondition(shape == other.shape, "tallies of one run have one shape")
        for (otherSlot, month) in other.months.enumerated() {
            combineMonth(slot(of: month.index), other, otherSlot, sign)
        }
    }

    mutating func combineMonth(_ slot: Int, _ other: KPITally, _ otherSlot: Int, _ sign: Int) {
        for day in 0..<31 { days[slot * 31 + day] &+= sign &* other.days[otherSlot * 31 + day] }
        for code in 0..<Self.warningCount {
            warnings[slot * Self.warningCount + code] &+= sign &* other.warnings[otherSlot * Self.warningCount + code]
        }
        for offset in 0..<shape.cellsPerMonth {
            combineCell(slot * shape.cellsPerMonth + offset, other, otherSlot * shape.cellsPerMonth + offset, sign)
        }
    }

    private mutating func combineCell(_ cell: Int, _ other: KPITally, _ otherCell: Int, _ sign: Int) {
        if sign > 0 { sums[cell].merge(other.sums[otherCell]) } else { sums[cell].subtract(other.sums[otherCell]) }
        for population in TripPopulation.allCases {
            let index = cell * Self.populationCount + population.rawValue
            let otherIndex = otherCell * Self.populationCount + population.rawValue
            guard sign < 0 else {
                patients[index].merge(other.patients[otherIndex])
                continue
            }
            patients[index].subtract(other.patients[otherIndex])
            // Without trips there are no patients, even if a sample has dropped some.
            if sums[cell].trips(of: population) == 0 {
                patients[index] = PatientSample(size: shape.patientSampleSize)
            }
        }
        for (index, otherIndex) in zip(Self.histograms(of: cell), Self.histograms(of: otherCell)) {
            intervals[index].used &+= sign &* other.intervals[otherIndex].used
            intervals[index].excluded &+= sign &* other.intervals[otherIndex].excluded
            intervals[index].seconds &+= sign &* other.intervals[otherIndex].seconds
            if !histograms.combine(other.histograms, otherIndex, into: index, sign: sign) { hasMissedCounts = true }
        }
    }
}

extension KPITally {
    /// Adds trips; if it throws, the tally is as it was.
    package mutating func add(_ trips: [TripFacts]) throws(TripOutsideTally) {
        guard !trips.isEmpty else { return }
        var batch = TripBatch(capacity: trips.count, textFields: [])
        for trip in trips { try batch.append(trip, for: shape) }
        add(batch)
    }
}

extension TripBatch {
    /// Adds a trip as a row, for tallies: its texts stay behind.
    package mutating func append(_ trip: TripFacts, for shape: KPITally.Shape) throws(TripOutsideTally) {
        guard trip.region < shape.regionCount, trip.tripType < shape.tripTypeCount,
            Int(trip.intervals.max()) <= shape.maximumIntervalSeconds
        else { throw TripOutsideTally() }
        let row = count
        month[row] = trip.month
        day[row] = trip.day
        status[row] = trip.status
        region[row] = trip.region
        tripType[row] = trip.tripType
        sourcing[row] = trip.sourcing
        warnings[row] = trip.warnings
        for interval in intervals.indices { intervals[interval][row] = trip.intervals[interval] }
        costCents[row] = trip.costCents
        loadedHundredths[row] = trip.loadedHundredths
        unloadedHundredths[row] = trip.unloadedHundredths
        patientHashes[row] = trip.patient
        count += 1
    }
}

package import Basics
package import Trips

// What disclosure control asks of a tally: true numbers of any set of leaves.
extension KPITally {
    /// Every leaf that a month may have, Unassigned included, by region and then trip type.
    package var allLeaves: [LeafScope] {
        (0..<shape.regionCount).flatMap { region in
            (0..<shape.tripTypeCount).map { type in
                LeafScope(region: UInt8(truncatingIfNeeded: region), tripType: UInt8(truncatingIfNeeded: type))
            }
        }
    }

    /// Whether any trip names its patient.
    package var namesPatients: Bool { patients.contains { !$0.isEmpty } }

    /// Whether the patients of every leaf can be counted for sure, and so those of any union of leaves.
    package var isSure: Bool { monthsMet.allSatisfy(isSure(month:)) }

    /// The sums of some leaves of a month together.
    package func sums(of leaves: some Sequence<LeafScope>, in month: Month) -> CellSums {
        var total = CellSums()
        for cell in indices(of: leaves, in: month) { total.merge(sums[cell]) }
        return total
    }

    /// The distinct patients of some leaves of a month together; nil if too many trips were taken out to be sure.
    package func patientCount(
        of leaves: some Sequence<LeafScope>, in month: Month, _ populations: [TripPopulation]
    ) -> PatientCount? {
        patientCount(ofCells: indices(of: leaves, in: month), populations)
    }

    /// The sums of the completed trips of some populations in some leaves of a month.
    package func completedSums(
        of leaves: some Sequence<LeafScope>, in month: Month, _ populations: [TripPopulation]
    ) -> CompletedSums {
        let all = sums(of: leaves, in: month)
        return populations.compactMap(\.sourcing).reduce(into: CompletedSums()) { $0.merge(all[$1]) }
    }

    /// Used, excluded and seconds of an interval of the completed trips of some populations in some leaves of a month.
    package func intervalTotals(
        _ interval: TripInterval, of leaves: some Sequence<LeafScope>, in month: Month, _ populations: [TripPopulation]
    ) -> (used: Int, excluded: Int, sumSeconds: Int) {
        histograms(interval, of: leaves, in: month, populations).reduce(into: (0, 0, 0)) { total, place in
            total.0 += intervals[place].used
            total.1 += intervals[place].excluded
            total.2 += intervals[place].seconds
        }
    }

    /// Places in `intervals` of an interval of completed trips.
    func histograms(
        _ interval: TripInterval, of leaves: some Sequence<LeafScope>, in month: Month, _ populations: [TripPopulation]
    ) -> [Int] {
        let completed = populations.filter { $0.sourcing != nil }
        return indices(of: leaves, in: month).flatMap { cell in
            completed.map { Self.histogram(interval, of: cell, $0) }
        }
    }

    func patientCount(ofCells cells: [Int], _ populations: [TripPopulation]) -> PatientCount? {
        PatientSample.count(
            of: cells.flatMap { cell in
                populations.map { self.patients[cell * Self.populationCount + $0.rawValue] }
            })
    }

    /// Indices into `sums` of those leaves that have trips.
    func indices(of leaves: some Sequence<LeafScope>, in month: Month) -> [Int] {
        guard let slot = knownSlot(of: month) else { return [] }
        return leaves.compactMap { leaf in
            guard Int(leaf.region) < shape.regionCount, Int(leaf.tripType) < shape.tripTypeCount else { return nil }
            let cell = (slot * shape.regionCount + Int(leaf.region)) * shape.tripTypeCount + Int(leaf.tripType)
            return sums[cell].isEmpty ? nil : cell
        }
    }
}

// Comparing a month of two tallies.
extension KPITally {
    /// Whether each leaf of a month has the same figures in two tallies, as far as a release shows them: sums, and every
    /// interval to the second.
    ///
    /// - Parameter populations: each list is compared as one.
    package func hasSameFigures(
        as other: KPITally, inEachLeafOf month: Month, _ populations: [[TripPopulation]]
    ) -> Bool {
        allLeaves.allSatisfy { leaf in
            populations.allSatisfy { hasSameFigures(as: other, in: [leaf], of: month, $0) }
        }
    }

    /// Whether the trips of some populations in some leaves of a month have the same figures in two tallies.
    package func hasSameFigures(
        as other: KPITally, in leaves: [LeafScope], of month: Month, _ populations: [TripPopulation]
    ) -> Bool {
        let own = sums(of: leaves, in: month), others = other.sums(of: leaves, in: month)
        let counts = { (sums: CellSums) in populations.reduce(0) { $0 + sums.trips(of: $1) } }
        guard counts(own) == counts(others),
            completedSums(of: leaves, in: month, populations)
                == other.completedSums(of: leaves, in: month, populations)
        else { return false }
        return TripInterval.allCases.allSatisfy { interval in
            intervalTotals(interval, of: leaves, in: month, populations)
                == other.intervalTotals(interval, of: leaves, in: month, populations)
                && seconds(of: interval, in: leaves, of: month, populations)
                    .elementsEqual(other.seconds(of: interval, in: leaves, of: month, populations), by: ==)
        }
    }

    /// How many completed trips of some populations in some leaves of a month took how many seconds; ascending.
    package func seconds(
        of interval: TripInterval, in leaves: [LeafScope], of month: Month, _ populations: [TripPopulation]
    ) -> [(second: Int, trips: Int)] {
        histograms.counts(of: histograms(interval, of: leaves, in: month, populations))
    }
}

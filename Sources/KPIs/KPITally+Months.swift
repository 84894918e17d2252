package import Basics
package import Trips

// What a tally knows of single months.
extension KPITally {
    /// Months with at least one trip that counts, ascending.
    package var monthsMet: [Month] {
        months.indices.filter { slot in days[slot * 31..<(slot + 1) * 31].contains { $0 != 0 } }.map { months[$0] }
            .sorted()
    }

    /// Whether the patients of every cell of the month can be counted for sure, and so those of all its totals. If not,
    /// too many trips were taken out: the month must be tallied again.
    package func isSure(month: Month) -> Bool {
        guard let slot = knownSlot(of: month) else { return true }
        return cells(of: slot).allSatisfy { cell in
            TripPopulation.allCases.allSatisfy { population in
                sums[cell].trips(of: population) == 0
                    || patients[cell * Self.populationCount + population.rawValue].count != nil
            }
        }
    }

    /// Whether no count of the month is below zero.
    func isSound(month: Month) -> Bool {
        guard let slot = knownSlot(of: month) else { return true }
        let warned = warnings[slot * Self.warningCount..<(slot + 1) * Self.warningCount]
        guard days[slot * 31..<(slot + 1) * 31].allSatisfy({ $0 >= 0 }), warned.allSatisfy({ $0 >= 0 }) else {
            return false
        }
        return cells(of: slot).allSatisfy { cell in
            sums[cell].hasNoNegativeCount
                && Self.histograms(of: cell).allSatisfy {
                    intervals[$0].used >= 0 && intervals[$0].excluded >= 0 && intervals[$0].seconds >= 0
                }
        }
    }

    /// A tally of this month's trips alone.
    package func only(month: Month) -> KPITally {
        var result = KPITally(shape: shape)
        if let slot = knownSlot(of: month) {
            result.combineMonth(result.slot(of: month.index), self, slot, 1)
        }
        return result
    }

    /// Trips with a warning, by code.
    package var warningCounts: [WarningCode: Int] {
        var counts: [WarningCode: Int] = [:]
        for (place, count) in warnings.enumerated() where count != 0 {
            counts[WarningCode.allCases[place % Self.warningCount], default: 0] += count
        }
        return counts
    }

    /// Forgets all trips of the month.
    package mutating func remove(month: Month) {
        guard let slot = knownSlot(of: month) else { return }
        for day in slot * 31..<(slot + 1) * 31 { days[day] = 0 }
        for index in slot * Self.warningCount..<(slot + 1) * Self.warningCount { warnings[index] = 0 }
        for cell in cells(of: slot) {
            sums[cell] = CellSums()
            for index in cell * Self.populationCount..<(cell + 1) * Self.populationCount {
                patients[index] = PatientSample(size: shape.patientSampleSize)
            }
            for index in Self.histograms(of: cell) {
                intervals[index] = IntervalSums()
                histograms.clear(index)
            }
        }
    }

    /// How many trips that count (completed, cancelled, no-show) the local days have; days without any are left out.
    /// Ascending.
    package func tripsByDay(in selected: ClosedRange<Month>? = nil) -> [(day: CivilDay, trips: Int)] {
        months.indices.filter { selected?.contains(months[$0]) ?? true }.sorted { months[$0] < months[$1] }
            .flatMap { slot in
                (0..<31).filter { days[slot * 31 + $0] > 0 }.map { day in
                    (CivilDay(daysSince1970: firstDays[slot] + Int32(day)), days[slot * 31 + day])
                }
            }
    }

    /// The latest local date of a trip of these months; nil if there is none.
    package func latestDay(in selected: ClosedRange<Month>? = nil, without withheld: Set<Month> = []) -> CivilDay? {
        tripsByDay(in: selected).last { !withheld.contains($0.day.month) }?.day
    }

    /// The newest day with a trip, by which data are called fresh or old. A day after tomorrow is a slip of a clock or of
    /// a hand, and says nothing of that.
    package func newestDay(on today: CivilDay) -> CivilDay? {
        tripsByDay().last { $0.day.daysSince1970 <= today.daysSince1970 + 1 }?.day
    }

    func cells(of slot: Int) -> Range<Int> { slot * shape.cellsPerMonth..<(slot + 1) * shape.cellsPerMonth }
}

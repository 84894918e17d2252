import KPIs
import Privacy
import Testing
import TestSupport
import Trips

/// What a cell may show, at 0, 1, 10 and 11.
struct DisclosureControlTests {
    static let january = Month(year: 2026, month: 1)

    /// A cell whose counts are all large, beside an overall cell that is too.
    static func table(patients: PatientCount = .unknown, _ edit: (inout CellSums) -> Void) -> KPITable {
        var groups = TripGroups()
        for sourcing in Sourcing.allCases {
            groups.add(100, month: january) {
                $0.sourcing = sourcing
                $0.costCents = 40_000
                $0.loadedHundredths = 1_000
                $0.unloadedHundredths = 500
                $0.cancelled = 20
                $0.noShow = 20
                $0.seconds = [.duration: 3_600, .response: 600]
            }
        }
        var table = groups.table()
        table.countsPatients = patients != .unknown
        for index in table.cells.indices where table.cells[index].scope == CellScope(month: january) {
            edit(&table.cells[index].sums)
            table.cells[index].patients = patients
        }
        return table
    }

    static func cell(
        patients: PatientCount = .unknown, mode: DisclosureMode = .suppressed, _ edit: (inout CellSums) -> Void
    ) throws -> PublishedCell {
        let published = try DisclosureControl(isComplementary: false)
            .publish(table(patients: patients, edit), mode: mode)
        return try #require(published.cell(at: CellScope(month: january)))
    }

    @Test("A cell of 1 to 10 trips is hidden with all its measures", arguments: [1, 10])
    func smallTripsHideTheCell(trips: Int) throws {
        let cell = try Self.cell { $0.trips = trips }
        #expect(cell.suppressed && cell.sourcingSuppressed)
        let figures: [Int?] = [
            cell.trips, cell.cancelled, cell.noShow, cell.inHouse, cell.contracted, cell.unclassified,
            cell.inHousePercent, cell.inHouseTenThousandths, cell.costedTrips, cell.totalCostCents,
            cell.inHouseCostCents, cell.contractedCostCents, cell.costPerTripCents, cell.loadedTenths,
            cell.unloadedTenths, cell.costPerLoadedMileCents, cell.loadedTenThousandths,
        ]
        #expect(figures.allSatisfy { $0 == nil })
        #expect(cell.patients == nil)
        #expect(cell.intervals.allSatisfy { $0 == .hidden } && cell.intervals.count == TripInterval.allCases.count)
    }

    @Test("0 and 11 trips are shown", arguments: [0, 11])
    func zeroAndElevenTripsAreShown(trips: Int) throws {
        var group = TripGroups.Group(trips, month: Self.january, region: 1, tripType: 1)
        group.costCents = 100
        let sums = group.sums
        let cell = try Self.cell { $0 = sums }
        #expect(!cell.suppressed)
        #expect(cell.trips == trips)
        #expect(cell.totalCostCents == trips * 100)
        #expect(cell.costPerTripCents == (trips == 0 ? nil : 100))
        #expect(cell.inHousePercent == (trips == 0 ? nil : 100))
    }

    @Test(
        "Patients from 1 to 10 hide the cell however many its trips",
        arguments: [
            (PatientCount.exactly(0), false), (.exactly(1), true), (.exactly(10), true), (.atLeastCap, false),
            (.unknown, false),
        ])
    func smallPatientsHideTheCell(patients: PatientCount, hidden: Bool) throws {
        let cell = try Self.cell(patients: patients) { _ in }
        #expect(cell.suppressed == hidden)
        #expect(cell.patients == (hidden ? nil : patients))
    }

    @Test("One small class hides the split, its shares and its costs", arguments: Sourcing.allCases, [0, 1, 10, 11])
    func smallClassHidesTheSplit(sourcing: Sourcing, count: Int) throws {
        let cell = try Self.cell { $0.tripsBySourcing[sourcing] = count }
        let hidden = count == 1 || count == 10
        #expect(cell.sourcingSuppressed == hidden)
        #expect(!cell.suppressed && cell.trips == 300)
        let figures: [Int?] = [
            cell.inHouse, cell.contracted, cell.unclassified, cell.inHousePercent, cell.inHouseTenThousandths,
            cell.inHouseCostCents, cell.contractedCostCents,
        ]
        #expect(figures.allSatisfy { ($0 == nil) == hidden })
        #expect(cell.totalCostCents != nil)
    }

    @Test("Cancelled and no-show are hidden each for itself", arguments: [(0, 0), (1, nil), (10, nil), (11, 11)])
    func smallCancelledAndNoShow(count: Int, shown: Int?) throws {
        let cancelled = try Self.cell { $0.cancelled = count }
        #expect(cancelled.cancelled == shown && cancelled.noShow == 60)
        let noShow = try Self.cell { $0.noShow = count }
        #expect(noShow.noShow == shown && noShow.cancelled == 60)
    }

    @Test("Internal output hides nothing")
    func internalHidesNothing() throws {
        let cell = try Self.cell(patients: .exactly(3), mode: .internalUse) {
            $0.trips = 5
            $0.cancelled = 1
            $0.tripsBySourcing.contracted = 2
        }
        #expect(!cell.suppressed && !cell.sourcingSuppressed)
        #expect(cell.trips == 5 && cell.cancelled == 1 && cell.contracted == 2 && cell.patients == .exactly(3))
    }

    @Test("Nothing is published if the overall total is hidden", arguments: [1, 10])
    func hiddenOverallTotalThrows(trips: Int) throws {
        var groups = TripGroups()
        groups.add(trips, month: Self.january)
        #expect(throws: DisclosureError.overallTotalHidden(minimumCell: 11)) {
            try DisclosureControl(minimumCell: 11).publish(groups.table(), mode: .suppressed)
        }
        #expect(try DisclosureControl().publish(groups.table(), mode: .internalUse).overall.trips == trips)
    }

    @Test("An empty table and one of 11 trips are published", arguments: [0, 11])
    func shownOverallTotal(trips: Int) throws {
        var groups = TripGroups()
        groups.add(trips, month: Self.january)
        #expect(try DisclosureControl().publish(groups.table(), mode: .suppressed).overall.trips == trips)
    }

    @Test("A month of few trips or patients is left out, unless nothing else is there")
    func monthsToWithhold() {
        let control = DisclosureControl()
        let months = (0..<4).map(Self.january.advanced(by:))
        var groups = TripGroups()
        groups.add(30, month: months[0]) { $0.patients = 30 }
        groups.add(10, month: months[1], region: 1) { $0.patients = 10 }
        groups.add(40, month: months[2], region: 2) { $0.patients = 3 }
        groups.add(0, month: months[3]) { $0.cancelled = 4 }
        #expect(control.monthsToWithhold(groups.table()) == [months[1], months[2]])
        groups.groups.removeAll { $0.month == months[0] || $0.month == months[3] }
        #expect(control.monthsToWithhold(groups.table()).isEmpty)
    }

    @Test("Where too few trips protect nothing else, the total of all is shown alone")
    func onlyTheTotal() throws {
        var groups = TripGroups()
        groups.add(6, month: Self.january, region: 1) { $0.costCents = 10_000 }
        groups.add(5, month: Self.january, region: 2) { $0.costCents = 10_000 }
        let published = try DisclosureControl().publish(groups.table(), mode: .suppressed)
        #expect(published.overall.trips == 11 && published.overall.costPerTripCents == 10_000)
        // January is all months there are, and Emergency is not all types: Routine has none.
        let shown = published.cells.filter { $0.trips != nil }.map(\.scope)
        #expect(shown == [CellScope(), CellScope(month: Self.january)])
    }

    @Test("Suppressed cells are counted")
    func suppressedCellsAreCounted() throws {
        var groups = TripGroups()
        groups.add(30, month: Self.january, region: 1, tripType: 1)
        groups.add(4, month: Self.january, region: 2, tripType: 2)
        let published = try DisclosureControl(isComplementary: false)
            .publish(groups.table(), mode: .suppressed)
        // South, Routine and South × Routine, each over all months and in January.
        #expect(published.suppressedCells == 6)
        #expect(published.cells.count { $0.suppressed } == 6)
    }

    @Test("Small warning counts are hidden, absent ones are 0", arguments: [(0, 0), (1, nil), (10, nil), (11, 11)])
    func smallWarnings(count: Int, shown: Int?) throws {
        var table = Self.table { _ in }
        table.warningsByMonth = [Self.january: [.badCost: count]]
        let warnings = try DisclosureControl(minimumCell: 11).publish(table, mode: .suppressed).warnings
        #expect(warnings[.badCost] == .some(shown))
        #expect(warnings[.badTime] == .some(0))
        #expect(warnings.count == WarningCode.allCases.count)
        #expect(try DisclosureControl().publish(table, mode: .internalUse).warnings[.badCost] == .some(count))
    }

    @Test("A threshold that cannot be kept is refused", arguments: [0, 1, 12])
    func thresholdOutOfRange(minimumCell: Int) {
        let table = Self.table(patients: .atLeastCap) { _ in }
        #expect(throws: DisclosureError.thresholdOutOfRange(minimumCell: minimumCell, largest: 11)) {
            try DisclosureControl(minimumCell: minimumCell).publish(table, mode: .suppressed)
        }
    }
}

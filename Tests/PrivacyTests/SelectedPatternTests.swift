import KPIs
import Privacy
import TestSupport
import Testing
import Trips

struct SelectedPatternTests {
    private static let january = Month(year: 2026, month: 1)
    private static let months = (0..<4).map(january.advanced(by:))

    private static func groups(_ random: inout SplitMix64) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList(["North", "South", "East"])
        for month in months {
            for region in UInt8(1)...3 {
                for tripType in UInt8(1)...2 {
                    let sizes = [0, 4, 9, 15, 30, 60]
                    groups.add(
                        sizes.randomElement(using: &random) ?? 0, month: month, region: region, tripType: tripType
                    ) {
                        $0.costCents = 40_000
                        $0.seconds = [.duration: 3_600]
                        $0.noShow = Int.random(in: 0...20, using: &random)
                    }
                    groups.add(
                        Int.random(in: 0...3, using: &random) * 6, month: month, region: region, tripType: tripType
                    ) {
                        $0.sourcing = .contracted
                    }
                }
            }
        }
        return groups
    }

    /// The groups that are selected.
    private static func part(_ groups: TripGroups, _ selection: KPISelection) -> TripGroups {
        var part = groups
        part.groups.removeAll { group in
            !(selection.months?.contains(group.month) ?? true) || !(selection.regions?.contains(group.region) ?? true)
                || !(selection.tripTypes?.contains(group.tripType) ?? true)
        }
        return part
    }

    private static let figures: [@Sendable (PublishedCell) -> Int?] = [
        { $0.trips }, { $0.noShow }, { $0.inHouse }, { $0.contracted }, { $0.costedTrips }, { $0.totalCostCents },
        { $0.intervals[TripInterval.duration.rawValue].used },
    ]

    @Test("What a report of a part shows is in the whole, or the sum of what is", arguments: UInt64(1)...30)
    func partsShowNoMore(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let control = DisclosureControl()
        let groups = Self.groups(&random)
        let withheld = control.monthsToWithhold(groups.table())
        let wholeTable = groups.table(withholding: withheld)
        guard let whole = try? control.publish(wholeTable, mode: .suppressed) else { return }
        var shown = 0
        for selection in [
            KPISelection(months: Self.months[1]...Self.months[2]), KPISelection(regions: [1, 3]),
            KPISelection(months: Self.months[0]...Self.months[0], tripTypes: [2]),
            KPISelection(regions: [2], tripTypes: [1]),
        ] {
            let own = Self.part(groups, selection)
            var table = own.table(withholding: withheld)
            table.withheldMonths = withheld.filter { selection.months?.contains($0) ?? true }.sorted()
            guard let published = try? control.publish(table, selection: selection, by: control.pattern(of: wholeTable))
            else { continue }
            for cell in published.cells {
                let summands = whole.cells.filter { candidate in
                    let scope = candidate.scope
                    return scope.month != nil && (cell.scope.month ?? scope.month) == scope.month
                        && (selection.months.map { months in scope.month.map(months.contains) ?? false } ?? true)
                        && scope.region != nil && (cell.scope.region ?? scope.region) == scope.region
                        && (selection.regions.map { codes in scope.region.map(codes.contains) ?? false } ?? true)
                        && scope.tripType != nil && (cell.scope.tripType ?? scope.tripType) == scope.tripType
                        && (selection.tripTypes.map { codes in scope.tripType.map(codes.contains) ?? false } ?? true)
                }
                for figure in Self.figures {
                    guard let value = figure(cell) else { continue }
                    shown += 1
                    // Only where a whole axis is left out may a leaf be hidden behind a total that is shown.
                    let values = summands.compactMap(figure)
                    if values.count == summands.count { #expect(values.reduce(0, +) == value) }
                    let isSum = selection.months != nil && selection.regions != nil && selection.tripTypes != nil
                    if isSum { #expect(values.count == summands.count) }
                }
            }
        }
        #expect(shown > 0)
    }

    @Test("A part of which a summand is hidden hides the sum, where the whole would give it away")
    func hiddenSummand() throws {
        var groups = TripGroups()
        groups.regions = NamedList(["North", "South", "East", "West"])
        for region in UInt8(1)...4 {
            groups.add(region == 1 ? 5 : 40, month: Self.january, region: region)
        }
        let control = DisclosureControl()
        let whole = groups.table()
        let published = try control.publish(whole, mode: .suppressed)
        let hidden = published.regionCodes.filter { published.cell(at: CellScope(region: $0))?.suppressed == true }
        #expect(hidden.count == 2 && hidden.contains(1))
        let shown = published.regionCodes.filter { !hidden.contains($0) }
        // North and a region that is shown: the sum less that region would be North.
        let selection = KPISelection(regions: [1, shown[0]])
        #expect(throws: DisclosureError.overallTotalHidden(minimumCell: 11)) {
            try control.publish(
                Self.part(groups, selection).table(), selection: selection, by: control.pattern(of: whole))
        }
        let others = KPISelection(regions: Set(shown))
        let part = try control.publish(
            Self.part(groups, others).table(), selection: others, by: control.pattern(of: whole))
        #expect(part.overall.trips == 80)
    }

    @Test("A part whose months are all withheld is not published")
    func onlyWithheldMonths() throws {
        var groups = TripGroups()
        groups.add(40, month: Self.january)
        groups.add(4, month: Self.months[1])
        let control = DisclosureControl()
        let withheld = control.monthsToWithhold(groups.table())
        #expect(withheld == [Self.months[1]])
        let selection = KPISelection(months: Self.months[1]...Self.months[1])
        let table = Self.part(groups, selection).table(withholding: withheld)
        #expect(throws: DisclosureError.overallTotalHidden(minimumCell: 11)) {
            try control.publish(
                table, selection: selection, by: control.pattern(of: groups.table(withholding: withheld)))
        }
    }
}

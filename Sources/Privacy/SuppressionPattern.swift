import KPIs
import Trips

/// What each cell of a table hides: for its own small counts, and so that other cells do not give those away.
///
/// It is made system by system (`CountSystem`): first which cells go as a whole, for too few trips or patients; then, of
/// the cells that stay, the counts and the sums that need it. Each system is audited as soon as it is made.
struct SuppressionPattern: Sendable {
    /// By cell, in the order of the table.
    private(set) var parts: [HiddenParts]
    let minimumCell: Int
    private let costDominance: CostDominance?
    private let lattice: CellLattice
    private let cells: [KPICell]
    /// By cell, what earlier sets showed as it is; nothing if it is empty.
    private let known: [HiddenParts]

    /// By what is hidden, then by cell: by how much the count is another one in some world that an outsider cannot tell
    /// from the true one.
    private(set) var play: [HiddenParts: [Int]] = [:]

    /// - Parameters:
    ///   - isComplementary: false only to show what primary suppression alone gives away.
    init(
        _ table: KPITable, minimumCell: Int, costDominance: CostDominance? = nil, isComplementary: Bool = true
    ) throws(DisclosureError) {
        try self.init(
            table.cells, in: CellLattice(table), countsPatients: table.countsPatients, minimumCell: minimumCell,
            costDominance: costDominance, isComplementary: isComplementary)
    }

    /// - Parameters:
    ///   - cells: in the order of the lattice.
    ///   - countsPatients: whether any trip names its patient.
    ///   - hiddenBefore: what a cell hides besides; nothing if it is empty.
    ///   - known: what readers know of a cell from earlier sets; nothing if it is empty.
    init(
        _ cells: [KPICell], in lattice: CellLattice, countsPatients: Bool, hiddenBefore: [HiddenParts] = [],
        known: [HiddenParts] = [],
        minimumCell: Int, costDominance: CostDominance? = nil, isComplementary: Bool = true
    ) throws(DisclosureError) {
        self.minimumCell = minimumCell
        self.costDominance = costDominance
        self.lattice = lattice
        self.cells = cells
        self.known = known
        let primary = PrimarySuppression(minimumCell: minimumCell, costDominance: costDominance)
        var own = cells.map(primary.parts(of:))
        for (cell, parts) in zip(own.indices, hiddenBefore) { own[cell].formUnion(parts) }
        parts = own
        guard !parts[CellLattice.overall].contains(.whole) else {
            throw .overallTotalHidden(minimumCell: minimumCell)
        }
        guard isComplementary else { return }
        do throws(DisclosureError) {
            if Self.hidesAllButTheTotal(hiddenBefore, in: lattice) {
                throw DisclosureError.cannotBeProtected(minimumCell: minimumCell)
            }
            try hideWholeCells(countsPatients: countsPatients)
            try hideCounts()
            try hideSums()
            hideMeans()
        } catch .cannotBeProtected {
            // Too few trips for anything but the total of all. Zeros go too: nothing else is said, but that each month
            // has a trip.
            let others = lattice.sizes[0] - 2
            guard cells[CellLattice.overall].sums.trips - others >= minimumCell else {
                throw .cannotBeProtected(minimumCell: minimumCell)
            }
            play = [:]
            parts = cells.indices.map { lattice.isOverall($0) ? own[$0] : .whole }
        }
    }

    /// Then the total is all that is said again, and no zero is told from the others.
    static func hidesAllButTheTotal(_ hidden: [HiddenParts], in lattice: CellLattice) -> Bool {
        let others = hidden.indices.filter { !lattice.isOverall($0) }
        return !others.isEmpty && others.allSatisfy { hidden[$0].contains(.whole) }
    }

    /// Means times counts are sums, and the sums of several cells with their counts give hidden counts back.
    private mutating func hideMeans() {
        for index in parts.indices where !parts[index].isDisjoint(with: [.costedTrips, .totalCost]) {
            parts[index].insert(.costPerLoadedMile)
            // With its count the mean is the sum.
            if !parts[index].contains(.costedTrips) { parts[index].insert(.costPerTrip) }
        }
        hideMeans(.costPerTrip, of: .costedTrips, sum: .totalCost) { $0.sums.costedTrips }
        for interval in TripInterval.allCases {
            hideMeans(.mean(of: interval), of: .counts(of: interval), sum: .mean(of: interval)) {
                $0.intervals[interval.rawValue].used
            }
        }
    }

    /// - Parameters:
    ///   - counts: what the mean is over.
    ///   - sum: what is hidden where the sum itself is not shown.
    private mutating func hideMeans(
        _ mean: HiddenParts, of counts: HiddenParts, sum: HiddenParts, count: (KPICell) -> Int
    ) {
        let isCountHidden = parts.map { !$0.isDisjoint(with: [.whole, counts]) }
        let isMeanHidden = parts.map { !$0.isDisjoint(with: [.whole, mean]) }
        var system = MeanSystem(lattice) { leaf in
            (isCountHidden[leaf] || isMeanHidden[leaf]) && count(cells[leaf]) > 0
        }
        // Where an axis has one part only, that is the same as "All": what is decided for one goes for both.
        let twins = parts.indices.map(lattice.widest)
        for index in parts.indices where !isCountHidden[index] && (!isMeanHidden[index] || !parts[index].contains(sum))
        {
            system.know(index)
        }
        // The most useful first.
        let candidates = parts.indices.filter { twins[$0] == $0 && isCountHidden[$0] && !isMeanHidden[$0] }.sorted {
            (-lattice.level(of: $0), -cells[$0].sums.trips, $0) < (-lattice.level(of: $1), -cells[$1].sums.trips, $1)
        }
        for index in candidates where !system.show(index) { parts[index].insert(mean) }
        for index in parts.indices where parts[twins[index]].contains(mean) { parts[index].insert(mean) }
    }

    private mutating func hideWholeCells(countsPatients: Bool) throws(DisclosureError) {
        let trips = [cells.map(\.sums.trips)], patients = countsPatients ? [addedUp(cells.map(leafPatients))] : []
        // What one asks for may be what the other needs more of.
        while true {
            try protect(.whole, .unknownAndEnough, trips, mayHideOverall: false)
            guard !patients.isEmpty else { return }
            let hidden = parts.count { $0.contains(.whole) }
            try protect(.whole, .enough, patients, mayHideOverall: false)
            try hideTotalsOfFewPatients()
            if parts.count(where: { $0.contains(.whole) }) == hidden { return }
        }
    }

    private mutating func hideTotalsOfFewPatients() throws(DisclosureError) {
        let remaining = RemainingPatients(lattice: lattice, cells: cells, minimumCell: minimumCell)
        var isHidden = parts.map { $0.contains(.whole) }
        for cell in parts.indices {
            while let missing = remaining.missing(in: cell, isHidden) {
                if lattice.isOverall(missing) { throw .cannotBeProtected(minimumCell: minimumCell) }
                isHidden[missing] = true
                parts[missing].insert(.whole)
            }
        }
    }

    private mutating func hideCounts() throws(DisclosureError) {
        let shown = parts.map { !$0.contains(.whole) }
        try protect(.cancelled, .unknownAndEnough, [cells.map(\.sums.cancelled)])
        try protect(.noShow, .unknownAndEnough, [cells.map(\.sums.noShow)])
        try protect(.sourcing, .unknown, bySourcing(\.tripsBySourcing), totalIsShown: shown)
        try protect(
            .costedTrips, .unknown, [cells.map(\.sums.costedTrips), cells.map { $0.sums.trips - $0.sums.costedTrips }],
            totalIsShown: shown)
        for interval in TripInterval.allCases {
            let used = cells.map { $0.intervals[interval.rawValue].used }
            let excluded = cells.map { $0.intervals[interval.rawValue].excluded }
            // The mean times the trips used is a sum.
            try protect(.counts(of: interval), .enough, [used])
            try protect(.counts(of: interval), .unknown, [used, excluded], totalIsShown: shown)
        }
    }

    /// Of what is nearly one provider's, before sums are hidden for other reasons: what these hide beside a mean that is
    /// shown can be guessed too well to stand in for it.
    private mutating func hideDominatedCosts() {
        guard let costDominance else { return }
        guard cells.allSatisfy(costDominance.canTell) else {
            for index in parts.indices where CostDominance.hasCosts(cells[index]) { parts[index].formUnion(.costs) }
            return
        }
        let contributors = cells.map { $0.costContributors ?? CostContributors() }
        func hide(
            _ part: HiddenParts, _ all: (CostContributors) -> ProviderCosts,
            classes: [(CostContributors) -> ProviderCosts], isHidden: (HiddenParts) -> Bool
        ) {
            let costs = DominatedCosts(
                rule: costDominance, lattice: lattice,
                costs: classes.map { ofClass in contributors.map { ofClass($0) } }, all: contributors.map(all))
            let hidden = costs.hidden(beside: parts.map { $0.contains(.whole) || isHidden($0) })
            for index in parts.indices where hidden[index] { parts[index].formUnion(part) }
        }
        hide(.costs, \.all, classes: [\.contracted, \.unclassified]) { $0.isSuperset(of: .costs) }
        if contributors.contains(where: { $0.unclassified != ProviderCosts() }) {
            for costs in [\CostContributors.contracted, \.unclassified] {
                hide(.costSplit, { $0[keyPath: costs] }, classes: [{ $0[keyPath: costs] }]) {
                    !$0.isDisjoint(with: [.totalCost, .costSplit, .sourcing])
                }
            }
        }
        hide(.costPerLoadedMile, \.withLoadedMiles, classes: [\.withLoadedMiles]) {
            !$0.isDisjoint(with: [.totalCost, .costPerLoadedMile, .loadedMiles])
        }
    }

    private mutating func hideSums() throws(DisclosureError) {
        hideDominatedCosts()
        // The sum by the mean would be the count.
        for index in parts.indices where parts[index].contains(.costedTrips) { parts[index].insert(.totalCost) }
        try protect(.totalCost, .enough, [cells.map(\.sums.costedTrips)])
        for index in parts.indices where !parts[index].isDisjoint(with: [.totalCost, .sourcing]) {
            parts[index].insert(.costSplit)
        }
        try protect(.costSplit, .enough, bySourcing(\.costedTripsBySourcing))
        try protect(.loadedMiles, .enough, [cells.map(\.sums.tripsWithLoadedMiles)])
        try protect(.unloadedMiles, .enough, [cells.map(\.sums.tripsWithUnloadedMiles)])
    }

    /// Hides one part in as many more cells as it takes, and audits what came of it.
    private mutating func protect(
        _ part: HiddenParts, _ goal: CountSystem.Goal, _ counts: [[Int]], totalIsShown: [Bool]? = nil,
        mayHideOverall: Bool = true
    ) throws(DisclosureError) {
        var system = CountSystem(
            lattice, goal, counts: counts, totalIsShown: totalIsShown, mayHideOverall: mayHideOverall,
            isKnown: known.isEmpty ? nil : known.map { $0.contains(part) },
            hidden: parts.map { !$0.isDisjoint(with: [part, .whole]) })
        guard let witnesses = ComplementarySuppression(minimumCell: minimumCell).protect(&system) else {
            throw .cannotBeProtected(minimumCell: minimumCell)
        }
        guard DisclosureAudit(minimumCell: minimumCell).passes(system, witnesses) else { throw .auditFailed }
        for index in parts.indices where system.isHidden[index] { parts[index].insert(part) }
        note(witnesses, of: part)
    }

    private mutating func note(_ witnesses: [Witness], of part: HiddenParts) {
        var most = play[part] ?? Array(repeating: 0, count: lattice.count)
        for changes in Set(witnesses.map(\.changes)) {
            for (_, ofClass) in Dictionary(grouping: changes, by: \.countClass) {
                var differences: [Int: Int] = [:]
                for change in ofClass {
                    for cell in lattice.cells(holding: change.leaf) {
                        differences[cell, default: 0] += change.difference
                    }
                }
                for (cell, difference) in differences { most[cell] = max(most[cell], abs(difference)) }
            }
        }
        play[part] = most
    }

    private func bySourcing(_ counts: (CellSums) -> SourcingTriple) -> [[Int]] {
        Sourcing.allCases.map { sourcing in cells.map { counts($0.sums)[sourcing] } }
    }

    /// Distinct patients of a leaf, as far as they are counted; trips where none of its trips names its patient.
    private func leafPatients(_ cell: KPICell) -> Int {
        switch cell.patients {
        case .exactly(let count): count
        case .atLeastCap: PatientCount.cap
        case .unknown: cell.sums.trips
        }
    }

    /// The leaves' values with each "All" as the sum of its parts: a person in two parts counts twice here, in none of
    /// them less than once.
    private func addedUp(_ values: [Int]) -> [Int] {
        var sums = Array(repeating: 0, count: values.count)
        for leaf in values.indices where lattice.isLeaf(leaf) {
            for cell in lattice.cells(holding: leaf) { sums[cell] += values[leaf] }
        }
        return sums
    }
}

import Privacy
import TestSupport
import Testing

/// What is hidden stays hidden from someone who knows all that is shown, and tries every table there could be.
struct ComplementarySuppressionTests {
    private static let minimumCell = TinyTable.minimumCell
    private let control = ComplementarySuppression(minimumCell: Self.minimumCell)
    private let audit = DisclosureAudit(minimumCell: Self.minimumCell)

    @Test(
        "No hidden count can be computed, nor bounded below the minimum; what is pinned stays shown",
        arguments: UInt64(1)...8, [0, 20, 50])
    func nothingCanBeWorkedOut(seed: UInt64, pinnedPercent: Int) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            guard var system = TinyTable.random(&random, pinnedPercent: pinnedPercent) else { continue }
            guard let witnesses = control.protect(&system) else { continue }
            #expect(audit.passes(system, witnesses))
            #expect(!zip(system.isHidden, system.isPinned).contains { $0 && $1 })
            for (cell, values) in TinyTable.possibleValues(system).enumerated() where system.isHidden[cell] {
                #expect(values.count > 1, "\(system.counts) \(system.isHidden): cell \(cell)")
                #expect(values.contains { $0 >= Self.minimumCell }, "\(system.counts) \(system.isHidden): cell \(cell)")
            }
        }
    }

    @Test("Tables that can be protected are, all but a few")
    func findsWhatThereIs() {
        var random = SplitMix64(seed: 11)
        var possible = 0, found = 0
        for round in 0..<600 {
            guard var system = TinyTable.random(&random, pinnedPercent: round % 3 * 20) else { continue }
            let canBe = TinyTable.canBeProtected(system)
            let isProtected = control.protect(&system) != nil
            #expect(canBe || !isProtected)
            if canBe { possible += 1 }
            if isProtected { found += 1 }
        }
        #expect(found * 100 >= possible * 97, "\(found) of \(possible)")
    }

    @Test("Where a pinned cell is small, or all others are pinned, nothing is published")
    func pinnedCellsCanForbidAll() {
        let lattice = CellLattice(parts: [1, 3, 1])
        var counts = Array(repeating: 0, count: lattice.count)
        for (leaf, count) in zip(lattice.leaves, [2, 9, 9]) {
            for cell in lattice.cells(holding: leaf) { counts[cell] += count }
        }
        let isSmall = counts.map { $0 < Self.minimumCell }
        func system(isPinned: [Bool]) -> CountSystem {
            CountSystem(
                lattice, .unknownAndEnough, counts: [counts], mayHideOverall: false, isPinned: isPinned,
                hidden: isSmall)
        }
        var open = system(isPinned: isSmall.map { _ in false })
        #expect(control.protect(&open) != nil)
        // The other cell that was hidden is pinned: the third one goes instead.
        var next = system(isPinned: open.isHidden.indices.map { open.isHidden[$0] && !isSmall[$0] })
        #expect(control.protect(&next) != nil)
        #expect(zip(open.isHidden, next.isHidden).contains { $0 && !$1 })
        var shut = system(isPinned: isSmall.map { !$0 })
        #expect(control.protect(&shut) == nil)
        var published = system(isPinned: isSmall)
        #expect(control.protect(&published) == nil)
    }

    @Test("Larger tables, split in classes or not, pass the audit and hide nothing pinned", arguments: UInt64(1)...12)
    func largerTables(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lattice = CellLattice(parts: [5, 4, 3])
        for classCount in 1...3 {
            let counts = (0..<classCount).map { _ in
                TinyTable.counts(in: lattice, of: [0, 1, 2, 5, 8, 13, 20], &random)
            }
            let isSmall = (0..<lattice.count).map { cell in
                counts.contains { (1..<Self.minimumCell).contains($0[cell]) }
            }
            let isPinned = isSmall.map { !$0 && Int.random(in: 0..<100, using: &random) < 10 }
            var system = CountSystem(
                lattice, classCount == 1 ? .unknownAndEnough : .unknown, counts: counts,
                totalIsShown: classCount == 1 ? nil : isSmall.map { _ in true }, isPinned: isPinned, hidden: isSmall)
            guard let witnesses = control.protect(&system) else { continue }
            #expect(audit.passes(system, witnesses))
            #expect(zip(isSmall, system.isHidden).allSatisfy { !$0 || $1 })
        }
    }

    @Test("Hiding small cells alone gives many of them away: the attack has teeth")
    func primarySuppressionAloneIsNotEnough() {
        var random = SplitMix64(seed: 3)
        var broken = 0, tables = 0
        for _ in 0..<100 {
            guard let system = TinyTable.random(&random), system.isHidden.contains(true) else { continue }
            tables += 1
            let values = TinyTable.possibleValues(system)
            if system.isHidden.indices.contains(where: { system.isHidden[$0] && values[$0].count == 1 }) { broken += 1 }
        }
        #expect(broken * 2 > tables)
    }

    @Test("The same table gives the same pattern, in whatever order its trips came and whatever else is done meanwhile")
    func isDeterministic() async {
        let lattice = CellLattice(parts: [4, 4, 3])
        for seed in UInt64(0)..<10 {
            var random = SplitMix64(seed: seed)
            let trips = (0..<300).compactMap { _ in lattice.leaves.randomElement(using: &random) }
            let orders = (0..<4).map { _ in trips.shuffled(using: &random) }
            let results = await withTaskGroup(of: Pattern.self) { group in
                for order in orders { group.addTask { Self.pattern(lattice, trips: order) } }
                return await group.reduce(into: Set<Pattern>()) { $0.insert($1) }
            }
            #expect(results.count == 1)
        }
    }

    private struct Pattern: Hashable {
        var isHidden: [Bool]
        var witnesses: [Witness]?
    }

    private static func pattern(_ lattice: CellLattice, trips: [Int]) -> Pattern {
        var counts = Array(repeating: 0, count: lattice.count)
        for leaf in trips { for cell in lattice.cells(holding: leaf) { counts[cell] += 1 } }
        var system = CountSystem(
            lattice, .unknownAndEnough, counts: [counts], mayHideOverall: false,
            hidden: counts.map { (1..<minimumCell).contains($0) })
        let witnesses = ComplementarySuppression(minimumCell: minimumCell).protect(&system)
        return Pattern(isHidden: system.isHidden, witnesses: witnesses)
    }

    @Test(
        "The audit finds a hidden cell that is shown after all, or was pinned, a missing witness and a false one",
        arguments: UInt64(1)...8)
    func auditFails(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            guard var system = TinyTable.random(&random), let witnesses = control.protect(&system),
                let one = witnesses.indices.randomElement(using: &random)
            else { continue }
            let witness = witnesses[one]
            var fewer = witnesses
            fewer.remove(at: one)
            #expect(!audit.passes(system, fewer))
            // Any change made larger or smaller, left out, or made elsewhere.
            for place in witness.changes.indices {
                for tamper in Self.tamperings {
                    var changes = witness.changes
                    tamper(&changes, place)
                    let tampered = Witness(cell: witness.cell, countClass: witness.countClass, changes: changes)
                    #expect(!audit.passes(system, fewer + [tampered]))
                }
            }
            var shown = system
            shown.isHidden[witness.cell] = false
            #expect(!audit.passes(shown, witnesses))
            var isPinned = system.isPinned
            isPinned[witness.cell] = true
            let pinned = CountSystem(
                system.lattice, system.goal, counts: system.counts, isPinned: isPinned, hidden: system.isHidden)
            #expect(!audit.passes(pinned, witnesses))
        }
    }

    private static let tamperings: [@Sendable (inout [Witness.Change], Int) -> Void] = [
        { $0[$1].difference += 1 }, { $0[$1].difference -= 1 }, { $0[$1].difference = 0 }, { $0.remove(at: $1) },
        { $0[$1].leaf = 0 }, { $0[$1].leaf = 10_000 }, { $0[$1].leaf = -1 }, { $0[$1].countClass = 1 },
        { $0[$1].countClass = -1 },
    ]
}

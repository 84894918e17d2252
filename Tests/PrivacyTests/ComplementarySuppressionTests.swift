import Privacy
import TestSupport
import Testing

/// What is hidden stays hidden from someone who knows all that is shown, and tries every table there could be.
struct ComplementarySuppressionTests {
    private static let minimumCell = 4

    /// A small table of random counts, with its small cells hidden; nil if the overall count is small itself.
    private static func system(_ random: inout SplitMix64) -> CountSystem? {
        let lattice = CellLattice(parts: [Int.random(in: 1...2, using: &random), 2, 1])
        var counts = Array(repeating: 0, count: lattice.count)
        for leaf in lattice.leaves {
            let count = [0, 1, 2, 3, 4, 6].randomElement(using: &random) ?? 0
            for cell in lattice.cells(holding: leaf) { counts[cell] += count }
        }
        guard counts[0] >= minimumCell else { return nil }
        return CountSystem(
            lattice, .unknownAndEnough, counts: [counts], mayHideOverall: false,
            hidden: counts.map { (1..<minimumCell).contains($0) })
    }

    /// Every table of whole numbers that shows what this one shows, by cell: the values each hidden cell takes in them.
    private static func possible(_ system: CountSystem) -> [Set<Int>] {
        let lattice = system.lattice, counts = system.counts[0]
        var values = Array(repeating: Set<Int>(), count: lattice.count)
        var table = Array(repeating: 0, count: lattice.count)
        func fill(_ place: Int) {
            guard place < lattice.leaves.count else {
                let isLikeIt = table.indices.allSatisfy {
                    system.isHidden[$0] ? table[$0] > 0 : table[$0] == counts[$0]
                }
                if isLikeIt { for cell in table.indices { values[cell].insert(table[cell]) } }
                return
            }
            let leaf = lattice.leaves[place]
            for count in system.isHidden[leaf] ? 1...counts[0] : counts[leaf]...counts[leaf] {
                for cell in lattice.cells(holding: leaf) { table[cell] += count }
                if table[0] <= counts[0] { fill(place + 1) }
                for cell in lattice.cells(holding: leaf) { table[cell] -= count }
            }
        }
        fill(0)
        return values
    }

    @Test("No hidden count can be computed, nor bounded below the minimum", arguments: UInt64(1)...8)
    func nothingCanBeWorkedOut(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            guard var system = Self.system(&random) else { continue }
            guard let witnesses = ComplementarySuppression(minimumCell: Self.minimumCell).protect(&system) else {
                continue
            }
            #expect(DisclosureAudit(minimumCell: Self.minimumCell).passes(system, witnesses))
            for (cell, values) in Self.possible(system).enumerated() where system.isHidden[cell] {
                #expect(values.count > 1, "\(system.counts) \(system.isHidden): cell \(cell)")
                #expect(values.contains { $0 >= Self.minimumCell }, "\(system.counts) \(system.isHidden): cell \(cell)")
            }
        }
    }

    @Test("Hiding small cells alone gives many of them away: the attack has teeth")
    func primarySuppressionAloneIsNotEnough() {
        var random = SplitMix64(seed: 3)
        var broken = 0, tables = 0
        for _ in 0..<100 {
            guard let system = Self.system(&random), system.isHidden.contains(true) else { continue }
            tables += 1
            let values = Self.possible(system)
            if system.isHidden.indices.contains(where: { system.isHidden[$0] && values[$0].count == 1 }) { broken += 1 }
        }
        #expect(broken * 2 > tables)
    }

    @Test("The same table gives the same pattern")
    func isDeterministic() {
        for seed in UInt64(0)..<40 {
            var first = SplitMix64(seed: seed), second = SplitMix64(seed: seed)
            guard var left = Self.system(&first), var right = Self.system(&second) else { continue }
            let control = ComplementarySuppression(minimumCell: Self.minimumCell)
            #expect(control.protect(&left) == control.protect(&right))
            #expect(left.isHidden == right.isHidden)
        }
    }

    @Test(
        "The audit finds a hidden cell that is shown after all, a missing witness and a false one",
        arguments: UInt64(1)...8)
    func auditFails(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let audit = DisclosureAudit(minimumCell: Self.minimumCell)
        for _ in 0..<40 {
            guard var system = Self.system(&random) else { continue }
            guard let witnesses = ComplementarySuppression(minimumCell: Self.minimumCell).protect(&system),
                let one = witnesses.indices.randomElement(using: &random)
            else { continue }
            var fewer = witnesses
            fewer.remove(at: one)
            #expect(!audit.passes(system, fewer))
            var changes = witnesses[one].changes
            changes[0].difference += 1
            fewer.append(Witness(cell: witnesses[one].cell, countClass: 0, changes: changes))
            #expect(!audit.passes(system, fewer))
            var shown = system
            shown.isHidden[witnesses[one].cell] = false
            #expect(!audit.passes(shown, witnesses))
        }
    }
}

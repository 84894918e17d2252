import Basics
import Rules
import TestSupport
import Testing
import Trips

@Suite struct ConditionMachineTests {
    /// The fast path against the plain meaning: random clauses, values, days; dictionaries that grow and are emptied.
    @Test func givesTheAnswersOfThePlainEvaluator() {
        for seed in UInt64(0)..<150 {
            var source = RandomConditions(seed: seed)
            let clauses = (0..<Int.random(in: 1...5, using: &source.random)).map { _ in
                ConditionMachine.Clause(
                    condition: source.condition(depth: 3), from: source.bound(), to: source.bound())
            }
            var machine = ConditionMachine(clauses: clauses)
            var columns = machine.fields.map { _ in Column() }
            for batch in 0..<4 {
                if batch == 2 { columns = columns.map { $0.emptied() } }
                check(&machine, clauses, &columns, &source, seed: seed)
            }
        }
    }

    private func check(
        _ machine: inout ConditionMachine, _ clauses: [ConditionMachine.Clause], _ columns: inout [Column],
        _ source: inout RandomConditions, seed: UInt64
    ) {
        let count = 40
        let rows = (0..<count).map { _ in machine.fields.map { _ in source.pick(RandomConditions.values) } }
        let days: [CivilDay?] = (0..<count).map { _ in seed % 7 == 0 ? nil : source.day() }
        let codes = machine.fields.enumerated().map { index, field in
            rows.map { columns[index].code(of: $0[index], need: machine.need(of: field)) }
        }
        var result: [Int16] = []
        machine.firstMatches(
            codes: codes, dictionaries: columns.map(\.dictionary), days: days.compactMap { $0?.daysSince1970 },
            count: count, into: &result)
        let fields = machine.fields
        for row in 0..<count {
            let value: (String) -> String? = { name in fields.firstIndex(of: name).map { rows[row][$0] } }
            let expected = clauses.firstIndex { clause in
                let dates = Roster.Entry(key: "", from: clause.from, to: clause.to, sourcing: .inHouse)
                return dates.isInForce(on: days[row]) && clause.condition.holds(for: value, on: days[row])
            }
            #expect(Int(result[row]) == expected ?? -1, "seed \(seed), row \(row): \(rows[row])")
        }
    }

    /// A column as a reader keeps it: code 0 for blank, a code for each distinct value.
    private struct Column {
        var dictionary = TextDictionary()
        var codes: [String: UInt32] = [:]

        mutating func code(of value: String, need: TextNeed) -> UInt32 {
            guard value.contains(where: { $0 != " " }) else { return 0 }
            if need == .presence { return 1 }
            if let code = codes[value] { return code }
            let code = dictionary.append(value)
            codes[value] = code
            return code
        }

        func emptied() -> Column {
            var column = self
            column.dictionary.removeAll()
            column.codes = [:]
            return column
        }
    }

    @Test func aFieldAskedOnlyForPresenceNeedsNoValues() {
        let machine = ConditionMachine(clauses: [
            .init(condition: .any([.present(field: "a"), .not(.present(field: "b"))])),
            .init(condition: .prefix(field: "b", prefixes: ["x"])),
        ])
        #expect(machine.fields == ["a", "b"])
        #expect(machine.need(of: "a") == .presence)
        #expect(machine.need(of: "b") == .value)
    }

    @Test func manyClassesOfValuesKeepTheirPlaces() {
        let clauses = (0..<200).map {
            ConditionMachine.Clause(condition: .isIn(field: "a", values: ["v\($0)"]))
        }
        var machine = ConditionMachine(clauses: clauses)
        var dictionary = TextDictionary()
        var result: [Int16] = []
        for value in 0..<200 {
            let code = dictionary.append("v\(value)")
            machine.firstMatches(
                codes: [Array(0...code)], dictionaries: [dictionary], days: [], count: Int(code) + 1, into: &result)
            #expect(Array(result.prefix(Int(code) + 1)) == Array(-1...Int16(value)))
        }
    }

    /// More combinations than the tables may hold: they are emptied and learnt anew, the answers stay.
    @Test func outgrownTablesAreLearntAnew() {
        let names = (0..<1500).map { "v\($0)" }
        let clauses = ["a", "b"].flatMap { field in
            names.map { ConditionMachine.Clause(condition: .isIn(field: field, values: [$0])) }
        }
        var machine = ConditionMachine(clauses: clauses)
        var dictionary = TextDictionary()
        for name in names { _ = dictionary.append(name) }
        var random = SplitMix64(seed: 3)
        var result: [Int16] = []
        for _ in 0..<4 {
            let codes = (0..<2).map { _ in (0..<3000).map { _ in UInt32.random(in: 0...1500, using: &random) } }
            machine.firstMatches(
                codes: codes, dictionaries: [dictionary, dictionary], days: [], count: 3000, into: &result)
            for row in 0..<3000 {
                let one = Int(codes[0][row]), other = Int(codes[1][row])
                let expected = one > 0 ? one - 1 : other > 0 ? 1500 + other - 1 : -1
                #expect(Int(result[row]) == expected)
            }
        }
    }

    @Test func noClausesMatchNothing() {
        var machine = ConditionMachine(clauses: [])
        var result: [Int16] = []
        machine.firstMatches(codes: [], dictionaries: [], days: [], count: 3, into: &result)
        #expect(result == [-1, -1, -1])
    }
}

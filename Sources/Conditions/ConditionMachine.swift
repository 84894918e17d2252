package import Trips

/// Conditions made ready for many records: each distinct value of a field is tested once, each distinct combination of
/// outcomes is decided once.
///
/// A worker owns one; it fills its tables as it meets values. A record costs one table step a field and one look-up of
/// the decision; nothing is compared and nothing allocated. It gives the answers of `Condition.holds(for:on:)`.
package struct ConditionMachine: Sendable {
    /// One condition with the days on which it applies (both included; nil: no bound).
    package struct Clause: Sendable {
        package var condition: Condition
        package var from: CivilDay?
        package var to: CivilDay?

        package init(condition: Condition, from: CivilDay? = nil, to: CivilDay? = nil) {
            self.condition = condition
            self.from = from
            self.to = to
        }
    }

    /// The fields the conditions look at, in the order in which `firstMatches` wants their codes.
    package let fields: [String]

    private let program: ConditionProgram
    private var tables: [FieldClasses]
    /// For each level (before field 0, after field 0, …) the way to each state: the state before and the class taken.
    private var origins: [[(state: Int32, class: Int32)]] = []
    /// The decision at `state * segments + segment`; `undecided` if not met yet.
    private var decisions: [Int16] = []
    private var states: [Int32] = []

    private static let undecided: Int16 = -2
    /// Tables that would outgrow this are emptied and learnt anew: memory stays bounded whatever the rules.
    private static let maximumTable = 1 << 22
    private static let rowsBetweenChecks = 1024

    /// At most 32 767 clauses.
    package init(clauses: [Clause]) {
        program = ConditionProgram(clauses)
        tables = program.fields
        fields = tables.map(\.name)
        forgetStates()
    }

    /// Whether only the presence of a field matters, or its value.
    package func need(of field: String) -> TextNeed {
        tables.first { $0.name == field }?.need ?? .presence
    }

    /// For each of the first `count` records the index of the first clause that holds, or -1, written to `result`.
    ///
    /// `codes[f][row]` is the code of field `fields[f]` in `dictionaries[f]` (for a field of which only presence is
    /// needed: 0 or 1). `days` may be empty if no clause is dated and no roster is used; where it is, days count as
    /// not known.
    package mutating func firstMatches(
        codes: [[UInt32]], dictionaries: [TextDictionary], days: [Int32], count: Int, into result: inout [Int16]
    ) {
        if result.count < count { result.append(contentsOf: repeatElement(-1, count: count - result.count)) }
        if states.count < count { states = Array(repeating: 0, count: count) }
        for field in tables.indices { tables[field].catchUp(with: dictionaries[field]) }
        var start = 0
        while start < count {
            let end = min(count, start + Self.rowsBetweenChecks)
            if isOutgrown { forgetStates() }
            match(codes: codes, days: days, rows: start..<end, into: &result)
            start = end
        }
    }

    private mutating func match(codes: [[UInt32]], days: [Int32], rows: Range<Int>, into result: inout [Int16]) {
        var states: [Int32] = []
        swap(&states, &self.states)
        for row in rows { states[row] = 0 }
        for field in tables.indices {
            var row = rows.lowerBound
            while true {
                row = tables[field].advance(&states, codes: codes[field], from: row, to: rows.upperBound)
                guard row < rows.upperBound else { break }
                let code = Int(codes[field][row])
                learn(field: field, state: states[row], class: tables[field].classOfCode[code])
            }
        }
        decide(states, days: days, rows: rows, into: &result)
        swap(&states, &self.states)
    }

    private var isOutgrown: Bool {
        decisions.count > Self.maximumTable || tables.contains { $0.next.count > Self.maximumTable }
    }

    private mutating func forgetStates() {
        for field in tables.indices { tables[field].forgetStates() }
        origins = Array(repeating: [], count: tables.count + 1)
        decisions.removeAll(keepingCapacity: true)
        addState(level: 0, from: 0, class: 0)
    }

    /// A new state at a level, its number.
    @discardableResult
    private mutating func addState(level: Int, from state: Int32, class index: Int32) -> Int32 {
        origins[level].append((state, index))
        if level < tables.count {
            tables[level].addState()
        } else {
            decisions.append(contentsOf: repeatElement(Self.undecided, count: program.segments.count))
        }
        return Int32(origins[level].count - 1)
    }

    private mutating func learn(field: Int, state: Int32, class index: Int32) {
        let following = addState(level: field + 1, from: state, class: index)
        tables[field].learn(state: Int(state), class: Int(index), leadsTo: following)
    }

    private mutating func decide(_ states: [Int32], days: [Int32], rows: Range<Int>, into result: inout [Int16]) {
        let segments = program.segments
        let segmentCount = segments.count
        let isDated = !days.isEmpty && segmentCount > 2
        let plainSegment = days.isEmpty ? 0 : 1
        var row = rows.lowerBound
        while row < rows.upperBound {
            let segment = isDated ? segments.segment(of: days[row]) : plainSegment
            let place = Int(states[row]) &* segmentCount &+ segment
            var decision = decisions[place]
            if decision == Self.undecided {
                decision = firstMatch(state: Int(states[row]), segment: segment)
                decisions[place] = decision
            }
            result[row] = decision
            row &+= 1
        }
    }

    private func firstMatch(state: Int, segment: Int) -> Int16 {
        var classes = Array(repeating: 0, count: tables.count)
        var state = state
        for field in tables.indices.reversed() {
            let origin = origins[field + 1][state]
            classes[field] = Int(origin.class)
            state = Int(origin.state)
        }
        return program.firstMatch(segment: segment) { field, test in
            tables[field].holds(test: test, class: classes[field], segment: segment)
        }
    }
}

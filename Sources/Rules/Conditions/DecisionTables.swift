internal import Trips

/// Decides records by the classes of their values: each distinct value is tested once, each distinct combination of
/// classes is decided once for each day segment.
///
/// A record walks from state to state, one step a field; the state after the last field is that of the combination.
/// Tables that would outgrow their bound are emptied and filled again, so memory stays bounded whatever the rules.
struct DecisionTables<Decision: FixedWidthInteger & SignedInteger & Sendable>: Sendable {
    /// The classes of a record's values, and the segment of its day.
    struct Combination {
        let fields: [FieldClasses]
        let classes: [Int]
        let segment: Int

        /// Whether a test holds; nil where that is not known.
        func outcome(of number: ConditionProgram.TestNumber) -> Bool? {
            fields[number.field].outcome(test: number.test, class: classes[number.field], segment: segment)
        }
    }

    var fields: [FieldClasses]
    private let segments: DaySegments
    /// For each level (before field 0, after field 0, …) the origin of each state: the state before and the class.
    private var origins: [[(state: Int32, class: Int32)]] = []
    /// The decision at `state * segments + segment`; `undecided` if not met yet.
    private var decisions: [Decision] = []
    private var states: [Int32] = []

    /// No decision may be this number.
    private static var undecided: Decision { Decision.min }
    private static var maximumTable: Int { 1 << 22 }
    private static var rowsBetweenChecks: Int { 1024 }

    init(fields: [FieldClasses], segments: DaySegments) {
        self.fields = fields
        self.segments = segments
        forgetStates()
    }

    /// For each of the first `count` records its decision, written to `result`; `decide` makes those not met yet.
    ///
    /// `codes[f][row]` is the code of `fields[f]` in `dictionaries[f]`. `days` may be empty: days count as not known.
    mutating func decide(
        codes: [[UInt32]], dictionaries: [TextDictionary], days: [Int32], count: Int, into result: inout [Decision],
        by decide: (Combination) -> Decision
    ) {
        if result.count < count { result.append(contentsOf: repeatElement(-1, count: count - result.count)) }
        if states.count < count { states = Array(repeating: 0, count: count) }
        for field in fields.indices { fields[field].catchUp(with: dictionaries[field]) }
        var start = 0
        while start < count {
            let end = min(count, start + Self.rowsBetweenChecks)
            if isOutgrown { forgetStates() }
            walk(codes: codes, rows: start..<end)
            lookUp(days: days, rows: start..<end, into: &result, decide)
            start = end
        }
    }

    /// The decision about one record, whose class in `fields[f]` is `classes[f]`; nil: its combination is new.
    func decision(classes: [Int32], day: Int32) -> Decision? {
        var state: Int32 = 0
        for field in fields.indices {
            state = fields[field].following(state, class: Int(classes[field]))
            if state < 0 { return nil }
        }
        let decision = decisions[Int(state) &* segments.count &+ segments.segment(of: day)]
        return decision == Self.undecided ? nil : decision
    }

    /// Makes the decision about one record whose combination is new.
    mutating func decide(classes: [Int32], day: Int32, by decide: (Combination) -> Decision) -> Decision {
        if isOutgrown { forgetStates() }
        var state: Int32 = 0
        for field in fields.indices {
            let known = fields[field].following(state, class: Int(classes[field]))
            state = known < 0 ? learn(field: field, state: state, class: classes[field]) : known
        }
        let segment = segments.segment(of: day)
        let decision = decide(combination(state, segment))
        decisions[Int(state) &* segments.count &+ segment] = decision
        return decision
    }

    private mutating func walk(codes: [[UInt32]], rows: Range<Int>) {
        var states: [Int32] = []
        swap(&states, &self.states)
        for row in rows { states[row] = 0 }
        for field in fields.indices {
            var row = rows.lowerBound
            while true {
                row = fields[field].advance(&states, codes: codes[field], from: row, to: rows.upperBound)
                guard row < rows.upperBound else { break }
                let code = Int(codes[field][row])
                _ = learn(field: field, state: states[row], class: fields[field].classOfCode[code])
            }
        }
        swap(&states, &self.states)
    }

    private mutating func lookUp(
        days: [Int32], rows: Range<Int>, into result: inout [Decision], _ decide: (Combination) -> Decision
    ) {
        let segments = segments
        let segmentCount = segments.count
        let isDated = !days.isEmpty && segmentCount > 2
        let plainSegment = days.isEmpty ? 0 : 1
        var row = rows.lowerBound
        while row < rows.upperBound {
            let segment = isDated ? segments.segment(of: days[row]) : plainSegment
            let place = Int(states[row]) &* segmentCount &+ segment
            var decision = decisions[place]
            if decision == Self.undecided {
                decision = decide(combination(states[row], segment))
                decisions[place] = decision
            }
            result[row] = decision
            row &+= 1
        }
    }

    private func combination(_ state: Int32, _ segment: Int) -> Combination {
        var classes = Array(repeating: 0, count: fields.count)
        var state = Int(state)
        for field in fields.indices.reversed() {
            let origin = origins[field + 1][state]
            classes[field] = Int(origin.class)
            state = Int(origin.state)
        }
        return Combination(fields: fields, classes: classes, segment: segment)
    }

    private var isOutgrown: Bool {
        decisions.count > Self.maximumTable || fields.contains { $0.next.count > Self.maximumTable }
    }

    private mutating func forgetStates() {
        for field in fields.indices { fields[field].forgetStates() }
        origins = Array(repeating: [], count: fields.count + 1)
        decisions.removeAll(keepingCapacity: true)
        _ = addState(level: 0, from: 0, class: 0)
    }

    /// A new state at a level, its number.
    private mutating func addState(level: Int, from state: Int32, class index: Int32) -> Int32 {
        origins[level].append((state, index))
        if level < fields.count {
            fields[level].addState()
        } else {
            decisions.append(contentsOf: repeatElement(Self.undecided, count: segments.count))
        }
        return Int32(origins[level].count - 1)
    }

    /// The new state that follows a state by a class of the field.
    private mutating func learn(field: Int, state: Int32, class index: Int32) -> Int32 {
        let following = addState(level: field + 1, from: state, class: index)
        fields[field].learn(state: Int(state), class: Int(index), leadsTo: following)
        return following
    }
}

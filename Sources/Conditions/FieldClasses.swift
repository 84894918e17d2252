internal import Trips

/// One field of `DecisionTables`: which class of outcomes each distinct value falls into, and the step from a record's
/// state before the field to its state after it.
struct FieldClasses: Sendable {
    private let tests: [AtomTest]
    /// Where each test's outcomes begin in a class; for rosters as many as there are segments.
    private let offsets: [Int]
    private let outcomeCount: Int
    private let segmentCount: Int
    /// The outcomes of all tests by class, nil where not known; class 0 is that of an absent value.
    private var outcomes: [[Bool?]]
    private var classByOutcomes: [[Bool?]: Int32]

    /// Class by code of the dictionary; -1: not met yet.
    private(set) var classOfCode: [Int32] = []
    private var generation = 0
    /// Whether the codes are 0 and 1, for absent and present, and no dictionary tells the values.
    private var hasNoValues = false
    /// State after the field at `state * stride + class`; -1: not met yet.
    private(set) var next: [Int32] = []
    private(set) var stride = 4

    init(tests: [AtomTest], segmentCount: Int) {
        self.tests = tests
        self.segmentCount = segmentCount
        var offsets: [Int] = []
        var count = 0
        for test in tests {
            offsets.append(count)
            count += test.isRoster ? segmentCount : 1
        }
        self.offsets = offsets
        outcomeCount = count
        let absent: [Bool?] = Array(repeating: false, count: count)
        outcomes = [absent]
        classByOutcomes = [absent: 0]
    }

    /// Outcomes that are handed in, not found by testing: at first none is known.
    init(recordedOutcomes count: Int) {
        tests = []
        segmentCount = 1
        offsets = Array(0..<count)
        outcomeCount = count
        outcomes = [Array(repeating: nil, count: count)]
        classByOutcomes = [outcomes[0]: 0]
    }

    var need: TextNeed { tests.allSatisfy(\.isPresence) ? .presence : .value }

    /// Whether a test holds for a class on the days of a segment; nil: not known.
    func outcome(test: Int, class index: Int, segment: Int) -> Bool? {
        let isRoster = tests.indices.contains(test) && tests[test].isRoster
        return outcomes[index][offsets[test] + (isRoster ? segment : 0)]
    }

    /// Tests the values that the dictionary has got since the last time.
    mutating func catchUp(with dictionary: TextDictionary) {
        if need == .presence && dictionary.count == 1 {
            classOfCode = [0, intern(Array(repeating: true, count: outcomeCount))]
            hasNoValues = true
            return
        }
        if hasNoValues || dictionary.generation != generation || classOfCode.count > dictionary.count {
            classOfCode.removeAll(keepingCapacity: true)
            generation = dictionary.generation
            hasNoValues = false
        }
        while classOfCode.count < dictionary.count {
            let value = dictionary[UInt32(classOfCode.count)].revealed(for: .matching)
            classOfCode.append(classify(value))
        }
    }

    /// The class of a value that is known by a number of its own, which stays the same; nil: not met yet.
    func classOfValue(id: Int) -> Int32? {
        id < classOfCode.count && classOfCode[id] >= 0 ? classOfCode[id] : nil
    }

    /// Puts a value that is known by a number of its own into a class.
    mutating func learnValue(id: Int, classify: (inout FieldClasses) -> Int32) -> Int32 {
        if id >= classOfCode.count {
            classOfCode.append(contentsOf: repeatElement(-1, count: id + 1 - classOfCode.count))
        }
        let index = classify(&self)
        classOfCode[id] = index
        return index
    }

    /// The class of a value by the outcomes of the tests; blank: 0.
    mutating func classify(_ value: String) -> Int32 {
        let trimmed = FoldedText.trimmed(value)
        guard !trimmed.isEmpty else { return 0 }
        let folded = FoldedText.folded(trimmed)
        var all: [Bool?] = []
        all.reserveCapacity(outcomeCount)
        for test in tests {
            all += test.outcomes(trimmed: trimmed, folded: folded, segmentCount: segmentCount).map(Optional.some)
        }
        return intern(all)
    }

    /// The class of these outcomes.
    mutating func intern(_ all: [Bool?]) -> Int32 {
        if let known = classByOutcomes[all] { return known }
        let index = Int32(outcomes.count)
        outcomes.append(all)
        classByOutcomes[all] = index
        if outcomes.count > stride { widen() }
        return index
    }

    /// Doubles the stride; what is known keeps its place.
    private mutating func widen() {
        let states = next.count / stride
        var wider = Array(repeating: Int32(-1), count: states * stride * 2)
        for state in 0..<states {
            for index in 0..<stride { wider[state * stride * 2 + index] = next[state * stride + index] }
        }
        next = wider
        stride *= 2
    }

    /// Makes room for a state before the field.
    mutating func addState() {
        next.append(contentsOf: repeatElement(-1, count: stride))
    }

    mutating func learn(state: Int, class index: Int, leadsTo following: Int32) {
        next[state * stride + index] = following
    }

    mutating func forgetStates() {
        next.removeAll(keepingCapacity: true)
    }

    /// The state after the field; -1: not met yet.
    func following(_ state: Int32, class index: Int) -> Int32 { next[Int(state) &* stride &+ index] }

    /// Steps records from `row` on, in place, as far as the steps are known; the first one whose step is not.
    func advance(_ states: inout [Int32], codes: [UInt32], from row: Int, to end: Int) -> Int {
        let next = next, classOfCode = classOfCode, stride = stride
        var row = row
        while row < end {
            let following = next[Int(states[row]) &* stride &+ Int(classOfCode[Int(codes[row])])]
            if following < 0 { return row }
            states[row] = following
            row &+= 1
        }
        return row
    }
}

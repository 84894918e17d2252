internal import Trips

/// One field of `DecisionTables`: the class of outcomes of each distinct value, and the step from a record's state
/// before the field to its state after it.
struct FieldClasses: Sendable {
    private let tests: [PreparedTest]
    /// Where each test's outcomes begin in a class, and the step to that of the next segment: 0 but for rosters.
    private let places: [(offset: Int, stride: Int)]
    private let outcomeCount: Int
    private let segmentCount: Int
    /// The outcomes of all tests by class, nil where not known; class 0 is that of an absent value.
    private var outcomes: [[Bool?]]
    private var classByOutcomes: [[Bool?]: Int32]

    /// Class by code of the dictionary; -1: not met yet.
    private(set) var classOfCode: [Int32] = []
    private var generation = 0
    /// Whether the codes are 0 and 1, for absent and present, and no dictionary has the values.
    private var hasNoValues = false
    /// State after the field at `state * stride + class`; -1: not met yet.
    private(set) var next: [Int32] = []
    private(set) var stride = 4

    init(tests: [PreparedTest], segmentCount: Int) {
        var places: [(offset: Int, stride: Int)] = []
        var count = 0
        for test in tests {
            places.append((count, test.isRoster ? 1 : 0))
            count += test.isRoster ? segmentCount : 1
        }
        self.init(
            tests: tests, segmentCount: segmentCount, places: places, absent: Array(repeating: false, count: count))
    }

    /// Outcomes that are handed in, not found by testing: at first none is known.
    init(recordedOutcomes count: Int) {
        self.init(
            tests: [], segmentCount: 1, places: (0..<count).map { ($0, 0) }, absent: Array(repeating: nil, count: count)
        )
    }

    private init(tests: [PreparedTest], segmentCount: Int, places: [(offset: Int, stride: Int)], absent: [Bool?]) {
        self.tests = tests
        self.segmentCount = segmentCount
        self.places = places
        outcomeCount = absent.count
        outcomes = [absent]
        classByOutcomes = [absent: 0]
    }

    var need: TextNeed { tests.allSatisfy(\.isPresence) ? .presence : .value }

    /// Whether a test holds for a class on the days of a segment; nil: not known.
    func outcome(test: Int, class index: Int, segment: Int) -> Bool? {
        outcomes[index][places[test].offset + segment * places[test].stride]
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

    /// The class of a value that a store knows by a fixed number; nil: not met yet.
    func classOfValue(number: Int) -> Int32? {
        number < classOfCode.count && classOfCode[number] >= 0 ? classOfCode[number] : nil
    }

    /// Keeps the class of a value that a store knows by a fixed number.
    mutating func keep(class index: Int32, ofValue number: Int) {
        if number >= classOfCode.count {
            classOfCode.append(contentsOf: repeatElement(-1, count: number + 1 - classOfCode.count))
        }
        classOfCode[number] = index
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

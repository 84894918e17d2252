internal import Trips

/// One field of a `ConditionMachine`: which class of outcomes each distinct value falls into, and the step from a
/// record's state before the field to its state after it.
struct FieldClasses: Sendable {
    let name: String
    private let tests: [AtomTest]
    /// Where each test's outcomes begin in a class; for rosters as many as there are segments.
    private let offsets: [Int]
    private let outcomeCount: Int
    private let segmentCount: Int
    /// The outcomes of all tests by class; class 0 is that of an absent value.
    private(set) var outcomes: [[Bool]]
    private var classByOutcomes: [[Bool]: Int32]

    /// Class by code of the dictionary.
    private(set) var classOfCode: [Int32] = []
    private var generation = 0
    /// State after the field at `state * stride + class`; -1: not met yet.
    private(set) var next: [Int32] = []
    private(set) var stride = 4

    init(name: String, tests: [AtomTest], segmentCount: Int) {
        self.name = name
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
        let absent = Array(repeating: false, count: count)
        outcomes = [absent]
        classByOutcomes = [absent: 0]
    }

    var need: TextNeed { tests.allSatisfy(\.isPresence) ? .presence : .value }

    /// Whether a test holds for a class on the days of a segment.
    func holds(test: Int, class index: Int, segment: Int) -> Bool {
        outcomes[index][offsets[test] + (tests[test].isRoster ? segment : 0)]
    }

    /// Tests the values that the dictionary has got since the last time.
    mutating func catchUp(with dictionary: TextDictionary) {
        if need == .presence {
            guard classOfCode.isEmpty else { return }
            classOfCode = [0, intern(Array(repeating: true, count: outcomeCount))]
            return
        }
        if dictionary.generation != generation || classOfCode.count > dictionary.count {
            classOfCode.removeAll(keepingCapacity: true)
            generation = dictionary.generation
        }
        while classOfCode.count < dictionary.count {
            let value = dictionary[UInt32(classOfCode.count)].revealed(for: .matching)
            classOfCode.append(classify(value))
        }
    }

    private mutating func classify(_ value: String) -> Int32 {
        let trimmed = FoldedText.trimmed(value)
        guard !trimmed.isEmpty else { return 0 }
        let folded = FoldedText.folded(trimmed)
        var all: [Bool] = []
        all.reserveCapacity(outcomeCount)
        for test in tests {
            all += test.outcomes(trimmed: trimmed, folded: folded, segmentCount: segmentCount)
        }
        return intern(all)
    }

    private mutating func intern(_ all: [Bool]) -> Int32 {
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

import Basics

/// The clauses of a `ConditionMachine` with every test of a field replaced by its number.
struct ConditionProgram: Sendable {
    /// A test by the index of its field and its index among the tests of the field.
    struct TestNumber: Sendable, Hashable {
        let field: Int
        let test: Int
    }

    struct Clause: Sendable {
        let condition: ConditionTree<TestNumber>
        /// By day segment: whether the clause is in force.
        let inForce: [Bool]
    }

    /// Which clause is the first that holds.
    enum Match: Sendable {
        case clause(Int)
        case none
        /// Whether this clause holds depends on a test of which the outcome is not known.
        case undetermined(clause: Int, TestNumber)
    }

    let clauses: [Clause]
    let segments: DaySegments
    /// Each field with its distinct tests; fields in the order of first mention.
    let fields: [(name: String, tests: [FieldTest])]

    init(_ clauses: [ConditionMachine.Clause]) {
        let rosterEntries = clauses.flatMap(\.condition.tests).flatMap(\.rosterEntries)
        let segments = DaySegments(
            spans: clauses.map { ($0.from, $0.to) } + rosterEntries.map { ($0.from, $0.to) })
        var fields: [(name: String, tests: [FieldTest])] = []
        self.clauses = clauses.map { clause in
            let numbered = clause.condition.map { test in
                let field = fields.firstIndex { $0.name == test.field } ?? fields.count
                if field == fields.count { fields.append((test.field, [])) }
                let number = fields[field].tests.firstIndex(of: test) ?? fields[field].tests.count
                if number == fields[field].tests.count { fields[field].tests.append(test) }
                return TestNumber(field: field, test: number)
            }
            return Clause(condition: numbered, inForce: segments.inForce(from: clause.from, to: clause.to))
        }
        self.segments = segments
        self.fields = fields
    }

    /// The classes of the values of a field.
    func classes(ofField field: Int) -> FieldClasses {
        FieldClasses(
            tests: fields[field].tests.map { PreparedTest($0, segments: segments) }, segmentCount: segments.count)
    }

    /// The first clause that holds. An outcome of nil is not known; what does not depend on it is decided all the same.
    func firstMatch(segment: Int, outcome: (TestNumber) -> Bool?) -> Match {
        for (index, clause) in clauses.enumerated() where clause.inForce[segment] {
            switch clause.condition.evaluate(outcome) {
            case true?: return .clause(index)
            case false?: continue
            case nil:
                guard let test = clause.condition.firstUnknown(outcome) else { continue }
                return .undetermined(clause: index, test)
            }
        }
        return .none
    }
}

/// The calendar cut at every day on which a dated clause or roster entry begins or ends: within a segment all of them
/// do not change. Segment 0 is the one of days that are not known.
struct DaySegments: Sendable {
    /// First days of segments 2, 3, …; segment 1 reaches back for ever. Ascending.
    private let cuts: [Int32]
    /// Segment by day from the first cut on, where the cuts lie close enough together.
    private let table: [Int32]

    /// - Parameter spans: first and last days, both included; nil for no bound.
    init(spans: [(from: CivilDay?, to: CivilDay?)]) {
        var days: Set<Int32> = []
        for span in spans {
            if let from = span.from { days.insert(from.daysSince1970) }
            if let to = span.to { days.insert(to.daysSince1970 + 1) }
        }
        cuts = days.sorted()
        guard let first = cuts.first, let last = cuts.last, last - first < Self.maximumTable else {
            table = []
            return
        }
        var table: [Int32] = []
        var segment: Int32 = 1
        for day in first...last {
            if days.contains(day) { segment += 1 }
            table.append(segment)
        }
        self.table = table
    }

    private static let maximumTable: Int32 = 1 << 16

    /// How many segments there are, with the one for unknown days.
    var count: Int { cuts.count + 2 }

    /// By segment: whether a period covers it. Bounds are days at which the calendar is cut, or nil.
    func inForce(from: CivilDay?, to: CivilDay?) -> [Bool] {
        (0..<count).map { CivilDay.isInForce(from: from, to: to, on: day(of: $0)) }
    }

    /// A day of the segment.
    private func day(of segment: Int) -> CivilDay? {
        switch segment {
        case 0: nil
        case 1: CivilDay(daysSince1970: cuts.first.map { $0 - 1 } ?? 0)
        default: CivilDay(daysSince1970: cuts[segment - 2])
        }
    }

    func segment(of day: Int32) -> Int {
        guard let first = cuts.first, day >= first else { return 1 }
        if !table.isEmpty {
            let offset = Int(day) - Int(first)
            return offset < table.count ? Int(table[offset]) : cuts.count + 1
        }
        var low = 0, high = cuts.count
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle] <= day { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }
}

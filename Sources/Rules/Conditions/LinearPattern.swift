/// A regular expression whose matching takes time in proportion to value × pattern, whatever they are.
///
/// Patterns come from rule files and meet values from exports, so no pattern may hang a run. This is Thompson's
/// simulation of all alternatives at once, without backtracking (Cox, *Regular Expression Matching Can Be Simple And
/// Fast*, 2007). `Regex` of the standard library backtracks: see decision 0019. A test compares both.
///
/// Syntax: `.` `^` `$` `|` `( )` `(?: )` `[ ]` `[^ ]` `* + ? {n} {n,} {n,m}` (a lazy `?` after them changes
/// nothing), `\d \w \s \D \W \S` (ASCII), `\b \B`, `\t \n \r`, a backslash before punctuation, and `(?i)` at the very
/// start. Look-around, back-references, named groups and properties are errors.
package struct LinearPattern: Sendable {
    /// One instruction. Targets are relative, so that parts of a program can be put together.
    enum Step: Sendable {
        case scalar(@Sendable (UInt32) -> Bool)
        /// Goes on at both.
        case split(Int, Int)
        case jump(Int)
        case start
        case end
        /// True for `\b`, false for `\B`.
        case wordBoundary(Bool)
        case match
    }

    package let text: String
    private let steps: [Step]

    /// Throws the fault of the pattern with its place.
    package init(_ text: String) throws(PatternFault) {
        var parser = PatternParser(text)
        steps = try parser.parse() + [.match]
        self.text = text
    }

    /// Whether the pattern matches somewhere in the value.
    package func matches(_ value: String) -> Bool {
        let scalars = value.unicodeScalars.map(\.value)
        var current = StepList(capacity: steps.count), following = StepList(capacity: steps.count)
        for position in 0...scalars.count {
            // A match may begin at every position.
            if follow(0, in: scalars, at: position, into: &current) { return true }
            guard position < scalars.count else { return false }
            for index in current.members {
                guard case .scalar(let accepts) = steps[index], accepts(scalars[position]) else { continue }
                if follow(index + 1, in: scalars, at: position + 1, into: &following) { return true }
            }
            swap(&current, &following)
            following.removeAll()
        }
        return false
    }

    /// Adds an instruction and all that follow without consuming a scalar. True: the match is reached.
    private func follow(_ first: Int, in scalars: [UInt32], at position: Int, into list: inout StepList) -> Bool {
        list.pending.append(first)
        while let index = list.pending.popLast() {
            guard list.insert(index) else { continue }
            switch steps[index] {
            case .match: return true
            case .scalar: break
            case .jump(let distance): list.pending.append(index + distance)
            case .split(let one, let other):
                list.pending.append(index + other)
                list.pending.append(index + one)
            case .start: if position == 0 { list.pending.append(index + 1) }
            case .end: if position == scalars.count { list.pending.append(index + 1) }
            case .wordBoundary(let wanted):
                let before = position > 0 && PatternParser.isWord(scalars[position - 1])
                let after = position < scalars.count && PatternParser.isWord(scalars[position])
                if (before != after) == wanted { list.pending.append(index + 1) }
            }
        }
        return false
    }

    /// The instructions alive at one position.
    private struct StepList {
        private(set) var members: [Int] = []
        /// Instructions to be added, last first.
        var pending: [Int] = []
        private var isMember: [Bool]

        init(capacity: Int) {
            isMember = Array(repeating: false, count: capacity)
        }

        mutating func insert(_ index: Int) -> Bool {
            guard !isMember[index] else { return false }
            isMember[index] = true
            members.append(index)
            return true
        }

        mutating func removeAll() {
            for index in members { isMember[index] = false }
            members.removeAll(keepingCapacity: true)
        }
    }
}

/// What is wrong with a pattern.
package struct PatternFault: Error, Sendable {
    package let message: String
    package let hint: String
    /// Scalars before the fault.
    package let offset: Int
}

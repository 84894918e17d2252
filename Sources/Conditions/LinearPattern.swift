/// A regular expression whose matching takes time in proportion to value × pattern, whatever they are.
///
/// Patterns come from rule files and meet values from exports, so no pattern may hang a run: this is Thompson's
/// simulation of all alternatives at once, without backtracking. `Regex` of the standard library backtracks and is not
/// Sendable; a test holds this to it on what both take.
///
/// Understood: `.` `^` `$` `|` `( )` `(?: )` `[ ]` `[^ ]` `* + ? {n} {n,} {n,m}` (a lazy `?` after them changes
/// nothing), `\d \w \s \D \W \S` (ASCII), `\b \B`, `\t \n \r`, a backslash before punctuation, and `(?i)` at the very
/// start. Not understood, and said so: look-around, back-references, named groups, properties.
package struct LinearPattern: Sendable {
    /// One instruction; targets are indices of instructions.
    enum Step: Sendable {
        case scalar(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case start
        case end
        case wordBoundary(Bool)
        case match
    }

    package let text: String
    private let steps: [Step]

    /// Throws what is wrong with the pattern, and where in it.
    package init(_ text: String) throws(PatternFault) {
        var parser = PatternParser(text)
        let node = try parser.parse()
        var compiler = PatternCompiler()
        try compiler.emit(node)
        self.text = text
        steps = compiler.steps + [.match]
    }

    /// Whether it matches somewhere in the value.
    package func matches(_ value: String) -> Bool {
        let scalars = value.unicodeScalars.map(\.value)
        var current = ThreadList(capacity: steps.count), following = ThreadList(capacity: steps.count)
        for position in 0...scalars.count {
            // A match may begin at every position.
            if follow(0, in: scalars, at: position, into: &current) { return true }
            guard position < scalars.count else { return false }
            for index in current.members {
                guard case .scalar(let set) = steps[index], set.contains(scalars[position]) else { continue }
                if follow(index + 1, in: scalars, at: position + 1, into: &following) { return true }
            }
            swap(&current, &following)
            following.removeAll()
        }
        return false
    }

    /// Adds an instruction and all that follow without consuming anything; true if the match is reached.
    private func follow(_ first: Int, in scalars: [UInt32], at position: Int, into list: inout ThreadList) -> Bool {
        var pending = [first]
        while let index = pending.popLast() {
            guard list.insert(index) else { continue }
            switch steps[index] {
            case .match: return true
            case .scalar: break
            case .jump(let target): pending.append(target)
            case .split(let one, let other):
                pending.append(other)
                pending.append(one)
            case .start: if position == 0 { pending.append(index + 1) }
            case .end: if position == scalars.count { pending.append(index + 1) }
            case .wordBoundary(let wanted):
                let before = position > 0 && ScalarSet.wordScalars.contains(scalars[position - 1])
                let after = position < scalars.count && ScalarSet.wordScalars.contains(scalars[position])
                if (before != after) == wanted { pending.append(index + 1) }
            }
        }
        return false
    }
}

/// What is wrong with a pattern.
package struct PatternFault: Error, Sendable {
    package let message: String
    package let hint: String
    /// Scalars before the fault.
    package let offset: Int
}

/// The instructions alive at one position.
private struct ThreadList {
    private(set) var members: [Int] = []
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

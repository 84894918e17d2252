/// Reads the syntax that `LinearPattern` documents.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var foldsCase = false

    static let maximumScalars = 1024
    static let maximumDepth = 32
    static let maximumRepeat = 256

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(PatternFault) -> PatternNode {
        guard scalars.count <= Self.maximumScalars else {
            throw fault("the pattern is longer than \(Self.maximumScalars) characters", "use in-file for long lists")
        }
        if scalars.starts(with: Array("(?i)".unicodeScalars)) {
            foldsCase = true
            position = 4
        }
        let node = try alternatives()
        guard position == scalars.count else { throw fault("a “)” has no “(”", #"write \) for a parenthesis"#) }
        return node
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func fault(_ message: String, _ hint: String) -> PatternFault {
        PatternFault(message: message, hint: hint, offset: position)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private func set(_ set: ScalarSet) -> PatternNode { .scalar(foldsCase ? set.foldingCase : set) }

    private mutating func alternatives() throws(PatternFault) -> PatternNode {
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(PatternFault) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            nodes.append(try repeated(try atom()))
        }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func repeated(_ node: PatternNode) throws(PatternFault) -> PatternNode {
        let bounds: (minimum: Int, maximum: Int?)
        switch current {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            position += 1
            bounds = try counts()
        default: return node
        }
        position += 1
        _ = take("?")
        if current == "*" || current == "+" || current == "{" || current == "?" {
            throw fault("a repetition follows a repetition", "put the inner one into “(?: )”")
        }
        return .repetition(node, minimum: bounds.minimum, maximum: bounds.maximum)
    }

    /// `n}`, `n,}` or `n,m}`; stops before the brace.
    private mutating func counts() throws(PatternFault) -> (minimum: Int, maximum: Int?) {
        guard let minimum = number() else { throw fault("a number is missing after “{”", #"write \{ for a brace"#) }
        var maximum: Int? = minimum
        if take(",") { maximum = number() }
        guard current == "}" else { throw fault("a “{” is not closed", #"write {2} or {2,4}, or \{ for a brace"#) }
        guard minimum <= Self.maximumRepeat, maximum ?? 0 <= Self.maximumRepeat, minimum <= maximum ?? .max else {
            throw fault("repeat counts run from low to high, to \(Self.maximumRepeat)", "write {2,4}")
        }
        return (minimum, maximum)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = current, ("0"..."9").contains(scalar) {
            value = min(100_000, (value ?? 0) * 10 + Int(scalar.value - 0x30))
            position += 1
        }
        return value
    }

    private mutating func atom() throws(PatternFault) -> PatternNode {
        guard let scalar = current else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return set(try bracketed())
        case "\\":
            position += 1
            return try escape()
        case "*", "+", "?", "{": throw fault("there is nothing to repeat", #"write \* for the character itself"#)
        default:
            position += 1
            switch scalar {
            case ".": return .scalar(.anyButLineEnds)
            case "^": return .start
            case "$": return .end
            default: return set(ScalarSet([scalar.value...scalar.value]))
            }
        }
    }

    private mutating func group() throws(PatternFault) -> PatternNode {
        position += 1
        if take("?"), !take(":") {
            throw fault("only “( )”, “(?: )” and a leading “(?i)” are understood", "rewrite the group")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw fault("groups are nested too deeply", "flatten the pattern") }
        let node = try alternatives()
        guard take(")") else { throw fault("a “(” is not closed", #"write \( for a parenthesis"#) }
        return node
    }

    private mutating func escape() throws(PatternFault) -> PatternNode {
        switch current {
        case "b":
            position += 1
            return .wordBoundary(true)
        case "B":
            position += 1
            return .wordBoundary(false)
        default: return set(try escapedSet())
        }
    }

    /// The scalar or class after a backslash.
    private mutating func escapedSet() throws(PatternFault) -> ScalarSet {
        guard let scalar = current else { throw fault("the pattern ends with a backslash", #"write \\"#) }
        position += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.complement
        case "w": return .wordScalars
        case "W": return ScalarSet.wordScalars.complement
        case "s": return .blanks
        case "S": return ScalarSet.blanks.complement
        case "t": return ScalarSet([9...9])
        case "n": return ScalarSet([10...10])
        case "r": return ScalarSet([13...13])
        default:
            let isLetterOrDigit = ScalarSet.wordScalars.contains(scalar.value) && scalar != "_"
            guard scalar.isASCII, !isLetterOrDigit else {
                position -= 1
                throw fault("this escape is not understood", #"use \d \w \s \b, or a backslash before punctuation"#)
            }
            return ScalarSet([scalar.value...scalar.value])
        }
    }

    private mutating func bracketed() throws(PatternFault) -> ScalarSet {
        position += 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = current, scalar != "]" {
            let low = try member()
            guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                ranges += low.ranges
                continue
            }
            position += 1
            let high = try member()
            guard let first = low.only, let last = high.only, first <= last else {
                throw fault("this range of characters runs backwards or has a class at its end", "write a-z")
            }
            ranges.append(first...last)
        }
        guard take("]") else { throw fault("a “[” is not closed", #"write \[ for a bracket"#) }
        guard !ranges.isEmpty else { throw fault("the brackets are empty", #"list characters, or write \[\]"#) }
        let set = ScalarSet(ranges)
        guard isNegated else { return set }
        return (foldsCase ? set.foldingCase : set).complement
    }

    /// One scalar or class within brackets.
    private mutating func member() throws(PatternFault) -> ScalarSet {
        guard let scalar = current else { throw fault("a “[” is not closed", #"write \[ for a bracket"#) }
        guard scalar != "[" else { throw fault("a “[” within brackets", #"write \["#) }
        position += 1
        if scalar == "\\" { return try escapedSet() }
        return ScalarSet([scalar.value...scalar.value])
    }
}

extension ScalarSet {
    /// The set's single scalar, if it has just one.
    fileprivate var only: UInt32? {
        guard ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
        return range.lowerBound
    }
}

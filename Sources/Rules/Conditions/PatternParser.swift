/// Compiles the syntax that `LinearPattern` documents. Each function returns the instructions of what it reads.
struct PatternParser {
    typealias Program = [LinearPattern.Step]
    /// Which scalars a character class accepts.
    typealias Accepts = @Sendable (UInt32) -> Bool

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var foldsCase = false

    static let maximumScalars = 1024
    static let maximumDepth = 32
    static let maximumRepeat = 256
    /// A pattern of more instructions is refused.
    static let maximumSteps = 4096

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(PatternFault) -> Program {
        guard scalars.count <= Self.maximumScalars else {
            throw fault("the pattern is longer than \(Self.maximumScalars) characters", "use in-file for long lists")
        }
        if scalars.starts(with: "(?i)".unicodeScalars) {
            foldsCase = true
            position = 4
        }
        let program = try alternatives()
        guard position == scalars.count else { throw fault("a “)” has no “(”", #"write \) for a parenthesis"#) }
        return program
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

    private mutating func alternatives() throws(PatternFault) -> Program {
        let first = try sequence()
        guard take("|") else { return first }
        let others = try alternatives()
        try check(size: first.count + others.count)
        return [.split(1, first.count + 2)] + first + [.jump(others.count + 1)] + others
    }

    private mutating func sequence() throws(PatternFault) -> Program {
        var program: Program = []
        while let scalar = current, scalar != "|", scalar != ")" {
            program += try repeated(try atom(scalar))
            try check(size: program.count)
        }
        return program
    }

    private func check(size: Int) throws(PatternFault) {
        guard size <= Self.maximumSteps else {
            throw PatternFault(
                message: "the pattern is too large", hint: "use smaller repeat counts, or in-file for long lists",
                offset: 0)
        }
    }

    private mutating func repeated(_ body: Program) throws(PatternFault) -> Program {
        let bounds: (minimum: Int, maximum: Int?)
        switch current {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            position += 1
            bounds = try counts()
        default: return body
        }
        position += 1
        _ = take("?")
        if let scalar = current, "*+{?".unicodeScalars.contains(scalar) {
            throw fault("a repetition follows a repetition", "put the inner one into “(?: )”")
        }
        let optional = (bounds.maximum ?? bounds.minimum + 1) - bounds.minimum
        try check(size: bounds.minimum * body.count + optional * (body.count + 1))
        var program = Program(repeatElement(body, count: bounds.minimum).joined())
        guard bounds.maximum != nil else {
            return program + [.split(1, body.count + 2)] + body + [.jump(-body.count - 1)]
        }
        for left in stride(from: optional, to: 0, by: -1) {
            program += [.split(1, left * (body.count + 1))] + body
        }
        return program
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
        while let scalar = current, Self.isDigit(scalar.value) {
            value = min(100_000, (value ?? 0) * 10 + Int(scalar.value - 0x30))
            position += 1
        }
        return value
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternFault) -> Program {
        if "*+?{".unicodeScalars.contains(scalar) {
            throw fault("there is nothing to repeat", #"write \* for the character itself"#)
        }
        position += 1
        switch scalar {
        case "(": return try group()
        case "[": return [.scalar(try brackets())]
        case "\\" where take("b"): return [.wordBoundary(true)]
        case "\\" where take("B"): return [.wordBoundary(false)]
        case "\\": return [.scalar(try escaped().accepts)]
        case ".": return [.scalar { $0 != 0x0A && $0 != 0x0D }]
        case "^": return [.start]
        case "$": return [.end]
        default: return [.scalar(range(scalar.value...scalar.value))]
        }
    }

    private mutating func group() throws(PatternFault) -> Program {
        if take("?"), !take(":") {
            throw fault("only “( )”, “(?: )” and a leading “(?i)” are understood", "rewrite the group")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw fault("groups are nested too deeply", "flatten the pattern") }
        let program = try alternatives()
        guard take(")") else { throw fault("a “(” is not closed", #"write \( for a parenthesis"#) }
        return program
    }

    /// After a backslash: a class, or a scalar and its class.
    private mutating func escaped() throws(PatternFault) -> (accepts: Accepts, scalar: UInt32?) {
        guard let scalar = current else { throw fault("the pattern ends with a backslash", #"write \\"#) }
        let controls: [Unicode.Scalar: UInt32] = ["t": 9, "n": 10, "r": 13]
        guard controls[scalar] != nil || "dDwWsS".unicodeScalars.contains(scalar) || Self.isPunctuation(scalar) else {
            throw fault("this escape is not understood", #"use \d \w \s \b, or a backslash before punctuation"#)
        }
        position += 1
        switch scalar {
        case "d": return (Self.isDigit, nil)
        case "D": return ({ !Self.isDigit($0) }, nil)
        case "w": return (Self.isWord, nil)
        case "W": return ({ !Self.isWord($0) }, nil)
        case "s": return (Self.isBlank, nil)
        case "S": return ({ !Self.isBlank($0) }, nil)
        default:
            let value = controls[scalar] ?? scalar.value
            return (range(value...value), value)
        }
    }

    private mutating func brackets() throws(PatternFault) -> Accepts {
        let isNegated = take("^")
        var members: [Accepts] = []
        while let scalar = current, scalar != "]" {
            let low = try member()
            guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                members.append(low.accepts)
                continue
            }
            position += 1
            let high = try member()
            guard let first = low.scalar, let last = high.scalar, first <= last else {
                throw fault("this range of characters runs backwards or has a class at its end", "write a-z")
            }
            members.append(range(first...last))
        }
        guard take("]") else { throw fault("a “[” is not closed", #"write \[ for a bracket"#) }
        guard !members.isEmpty else { throw fault("the brackets are empty", #"list characters, or write \[\]"#) }
        return { [members] scalar in members.contains { $0(scalar) } != isNegated }
    }

    /// One scalar or class within brackets.
    private mutating func member() throws(PatternFault) -> (accepts: Accepts, scalar: UInt32?) {
        guard let scalar = current else { throw fault("a “[” is not closed", #"write \[ for a bracket"#) }
        guard scalar != "[" else { throw fault("a “[” within brackets", #"write \["#) }
        position += 1
        if scalar == "\\" { return try escaped() }
        return (range(scalar.value...scalar.value), scalar.value)
    }

    /// With `(?i)` the other ASCII case of a letter is accepted too.
    private func range(_ range: ClosedRange<UInt32>) -> Accepts {
        guard foldsCase else { return { range.contains($0) } }
        return { range.contains($0) || (Self.isLetter($0) && range.contains($0 ^ 0x20)) }
    }

    private static let isLetter: Accepts = { (0x41...0x5A).contains($0 & ~0x20) }
    private static let isDigit: Accepts = { (0x30...0x39).contains($0) }
    private static let isBlank: Accepts = { (0x09...0x0D).contains($0) || $0 == 0x20 }
    /// What `\w` accepts, and between what `\b` sees a boundary.
    static let isWord: Accepts = { isLetter($0) || isDigit($0) || $0 == 0x5F }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar == "_" || !isWord(scalar.value))
    }
}

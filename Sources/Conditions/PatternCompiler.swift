/// A pattern as a tree.
indirect enum PatternNode {
    case empty
    case scalar(ScalarSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repetition(PatternNode, minimum: Int, maximum: Int?)
    case start
    case end
    case wordBoundary(Bool)
}

/// Turns a pattern's tree into the instructions of `LinearPattern`.
struct PatternCompiler {
    private(set) var steps: [LinearPattern.Step] = []

    /// A pattern of more instructions is refused.
    static let maximumSteps = 4096

    /// Counts nodes too: repeated empty groups emit nothing and must not take for ever.
    private var visits = 0

    mutating func emit(_ node: PatternNode) throws(PatternFault) {
        visits += 1
        guard steps.count < Self.maximumSteps, visits < 16 * Self.maximumSteps else {
            throw PatternFault(
                message: "the pattern is too large", hint: "use smaller repeat counts, or in-file for long lists",
                offset: 0)
        }
        switch node {
        case .empty: break
        case .scalar(let set): steps.append(.scalar(set))
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .alternatives(let nodes): try emitAlternatives(nodes)
        case .repetition(let node, let minimum, let maximum):
            for _ in 0..<minimum { try emit(node) }
            guard let maximum else { return try emitLoop(node) }
            try emitOptional(node, count: maximum - minimum)
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .wordBoundary(let wanted): steps.append(.wordBoundary(wanted))
        }
    }

    private mutating func emitAlternatives(_ nodes: [PatternNode]) throws(PatternFault) {
        var exits: [Int] = []
        for (index, node) in nodes.enumerated() {
            guard index < nodes.count - 1 else {
                try emit(node)
                break
            }
            let split = steps.count
            steps.append(.jump(0))
            try emit(node)
            exits.append(steps.count)
            steps.append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        for exit in exits { steps[exit] = .jump(steps.count) }
    }

    private mutating func emitLoop(_ node: PatternNode) throws(PatternFault) {
        let split = steps.count
        steps.append(.jump(0))
        try emit(node)
        steps.append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
    }

    private mutating func emitOptional(_ node: PatternNode, count: Int) throws(PatternFault) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(steps.count)
            steps.append(.jump(0))
            try emit(node)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
}

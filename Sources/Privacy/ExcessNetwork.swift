/// Nodes with too much or too little, and edges over which any amount may flow from one to another.
struct ExcessNetwork {
    private let count: Int
    /// Row by row: whether any amount may flow from one node to another.
    private var isOpen: [Bool]
    /// Row by row: how much of what has flowed may flow back.
    private var back: [Int]
    private var excess: [Int]

    init(nodes: Int) {
        count = nodes
        isOpen = Array(repeating: false, count: nodes * nodes)
        back = Array(repeating: 0, count: nodes * nodes)
        excess = Array(repeating: 0, count: nodes)
    }

    mutating func connect(_ from: Int, _ to: Int) { isOpen[from * count + to] = true }

    /// Moves an amount that has to flow; a negative one goes the other way.
    mutating func move(_ amount: Int, _ from: Int, _ to: Int) {
        excess[from] -= amount
        excess[to] += amount
    }

    /// Lets flow what can. The nodes that are reached from those that still have too much; nil if there are none.
    mutating func blockedSide() -> [Bool]? {
        while true {
            let sources = excess.indices.filter { excess[$0] > 0 }
            if sources.isEmpty { return nil }
            var before = Array(repeating: -1, count: count), queue = sources, next = 0
            for source in sources { before[source] = source }
            var sink: Int?
            while next < queue.count, sink == nil {
                let node = queue[next]
                next += 1
                for other in 0..<count where before[other] < 0 && canFlow(node, other) {
                    before[other] = node
                    queue.append(other)
                    if excess[other] < 0 {
                        sink = other
                        break
                    }
                }
            }
            guard let sink else { return before.map { $0 >= 0 } }
            push(to: sink, before)
        }
    }

    private func canFlow(_ from: Int, _ to: Int) -> Bool {
        isOpen[from * count + to] || back[from * count + to] > 0
    }

    private mutating func push(to sink: Int, _ before: [Int]) {
        var amount = -excess[sink], node = sink
        while before[node] != node {
            let from = before[node]
            if !isOpen[from * count + node] { amount = min(amount, back[from * count + node]) }
            node = from
        }
        amount = min(amount, excess[node])
        excess[node] -= amount
        excess[sink] += amount
        node = sink
        while before[node] != node {
            let from = before[node]
            // First what has flowed the other way goes back.
            let returned = min(amount, back[from * count + node])
            back[from * count + node] -= returned
            back[node * count + from] += amount - returned
            node = from
        }
    }
}

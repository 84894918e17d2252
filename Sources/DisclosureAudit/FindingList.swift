/// What an audit found. A sentence names file, cell and measure, and never a figure: it may end up in a log.
struct FindingList {
    /// Further findings say nothing new.
    static let limit = 200

    private(set) var sentences: [String] = []
    private var isFull = false

    var isEmpty: Bool { sentences.isEmpty }

    /// The sentence is only made if there is room for it.
    mutating func add(_ sentence: @autoclosure () -> String) {
        guard sentences.count < Self.limit else {
            if !isFull { sentences.append("further findings are not listed") }
            isFull = true
            return
        }
        sentences.append(sentence())
    }

    mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { add(sentence()) }
    }
}

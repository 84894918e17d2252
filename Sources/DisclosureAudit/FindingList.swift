/// What an audit found. A sentence names file, cell and measure, and never a figure: it may end up in a log.
final class FindingList {
    /// Further findings say nothing new.
    static let limit = 200

    private(set) var sentences: [String]

    init(_ sentences: [String] = []) { self.sentences = sentences }

    /// The sentence is only made if there is room for it.
    func add(_ sentence: @autoclosure () -> String) {
        if sentences.count < Self.limit {
            sentences.append(sentence())
        } else if sentences.count == Self.limit {
            sentences.append("further findings are not listed")
        }
    }

    func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { add(sentence()) }
    }
}

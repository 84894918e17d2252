/// How a month's figure compares with those of the other months of its control chart.
package enum ControlVerdict: String, Sendable, CaseIterable {
    case better, worse, higher, lower, usual

    /// As people read it.
    package var words: String {
        self == .usual ? "about the same as usual" : "\(rawValue) than usual"
    }
}

extension ControlVerdict {
    /// Nil where it is as usual, or neither direction is better.
    package var isBetter: Bool? {
        switch self {
        case .better: true
        case .worse: false
        case .higher, .lower, .usual: nil
        }
    }
}

/// How much of a text field the rules need to know.
package enum TextNeed: Int, Sendable, Hashable, Comparable {
    /// Only whether there is a value: the codes are 0 and 1, and the dictionary stays empty.
    case presence
    /// The value itself.
    case value

    package static func < (left: TextNeed, right: TextNeed) -> Bool { left.rawValue < right.rawValue }
}

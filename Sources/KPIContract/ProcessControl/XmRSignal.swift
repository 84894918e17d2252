/// Why a month of an XmR chart is unlikely to be chance alone.
package struct XmRSignal: Sendable, Hashable {
    package enum Direction: String, Sendable {
        /// Above the mean, or rising.
        case high
        /// Below the mean, or falling.
        case low
    }

    package let rule: XmRRule
    package let direction: Direction

    package init(_ rule: XmRRule, _ direction: Direction) {
        self.rule = rule
        self.direction = direction
    }
}

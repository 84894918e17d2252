package import Basics

/// A month's checkpoint that cannot be used. The trips it was made of are still there: the month can be tallied again.
package struct TallyDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Error, Sendable, Hashable {
        case truncated, checksum
        /// Written by another version of tripkpi.
        case version(UInt8)
        case otherMonth
        /// A region or trip type beyond the configured lists, a warning or an interval that is not known.
        case unknownCode
        /// An interval longer than the limit, or a number beyond any tally.
        case outOfRange
        /// Its parts do not add up.
        case inconsistent
    }

    package var month: Month
    package var problem: Problem

    package init(month: Month, problem: Problem) {
        self.month = month
        self.problem = problem
    }

    package var description: String {
        "\(detail); tally the month again from its trips"
    }

    /// Without a remedy.
    package var detail: String { "the checkpoint of \(month) cannot be used: \(reason)" }

    private var reason: String {
        switch problem {
        case .truncated: "it ends too early"
        case .checksum: "it is damaged"
        case .version(let version): "its format, version \(version), is not known to this tripkpi"
        case .otherMonth: "it is of another month"
        case .unknownCode: "it has a region, trip type, interval or warning that is not configured"
        case .outOfRange: "one of its numbers lies beyond the configured limits"
        case .inconsistent: "its parts do not add up"
        }
    }
}

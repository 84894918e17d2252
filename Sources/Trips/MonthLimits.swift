package import Basics

/// The first and last month of the figures, for data with wrong dates at their edges.
///
/// Trips of other months are read, loaded and in the counts of records as all are, so that these add up; they are in no
/// figure, released or shown. Without the limits they are in the figures again.
package struct MonthLimits: Sendable, Hashable {
    /// Nil: there is no such limit.
    package let first: Month?
    package let last: Month?

    package static let none = MonthLimits(first: nil, last: nil)

    /// - Precondition: first is not after last.
    package init(first: Month?, last: Month?) {
        if let first, let last { precondition(first <= last) }
        self.first = first
        self.last = last
    }

    package var isNone: Bool { self == .none }

    package func contains(_ month: Month) -> Bool {
        month >= first ?? month && month <= last ?? month
    }

    /// The months of both; nil if there is none.
    package func intersection(_ months: ClosedRange<Month>) -> ClosedRange<Month>? {
        let from = max(months.lowerBound, first ?? months.lowerBound)
        let to = min(months.upperBound, last ?? months.upperBound)
        return from <= to ? from...to : nil
    }

    /// What the figures are restricted to, for people; empty without limits.
    package var phrases: [String] {
        switch (first, last) {
        case (nil, nil): []
        case (let first?, nil): ["only months from \(first) on, by the settings"]
        case (nil, let last?): ["only months up to \(last), by the settings"]
        case (let first?, let last?): ["only months from \(first) to \(last), by the settings"]
        }
    }

    /// As parts of a digest; none without limits, so that digests from before there were limits stay valid.
    package var digestParts: [String] {
        isNone ? [] : ["months \(first?.description ?? "") to \(last?.description ?? "")"]
    }
}

/// A rule of an XmR chart, in the order in which they are tried: the first that applies to a month is named.
package enum XmRRule: String, Sendable, CaseIterable {
    /// Above the upper or below the lower process limit.
    case outsideLimits
    /// One of at least seven months in a row that each rise, or each fall.
    case trend
    /// One of two months in the outer third of the limits, of three in a row on the same side of the mean.
    case twoOfThree
    /// One of at least seven months in a row on the same side of the mean.
    case shift
}

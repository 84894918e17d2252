/// A measure by month as an XmR chart: the mean, the process limits, and the months that are unlikely to be chance alone.
///
/// The rules are those of NHS England's Making Data Count, as its R package NHSRplotthedots has them: limits at the mean ±
/// 2.66 times the mean moving range, without moving ranges that are themselves outliers (3.267 times their mean, or more).
///
/// Figures are whole numbers of the measure's smallest unit, and every comparison is one of whole numbers: the same figures
/// give the same signals on every machine.
package struct XmRChart: Sendable, Hashable {
    /// Fewer months with a figure have no limits.
    package static let fewestMonths = 12
    /// So many in a row are a trend or a shift.
    package static let runLength = 7

    /// As given: a figure for each calendar month, nil where there is none.
    package let figures: [Int?]
    package let mean: XmRLimit
    package let lowerLimit: XmRLimit
    package let upperLimit: XmRLimit
    /// As long as `figures`.
    package let signals: [XmRSignal?]

    /// - Parameters:
    ///   - figures: consecutive calendar months, oldest first; nil for a month without a figure, or with one that is not
    ///     comparable. A run does not go on over it.
    ///   - step: figures are published in steps of so many units: less than one from the mean is no signal.
    /// - Returns: nil for fewer than 12 figures, or if no two of them are of adjacent months.
    package init?(_ figures: [Int?], step: Int = 1) {
        let known = figures.compactMap(\.self)
        guard known.count >= Self.fewestMonths, let ranges = MovingRanges(figures) else { return nil }
        let scale = XmRScale(sum: known.reduce(0) { $0 + Int128($1) }, count: Int128(known.count), ranges, step: step)
        self.figures = figures
        mean = scale.limit(hundredths: 0)
        lowerLimit = scale.limit(hundredths: -XmRScale.hundredthsOfLimit)
        upperLimit = scale.limit(hundredths: XmRScale.hundredthsOfLimit)
        signals = SignalSearch(figures, scale).signals
    }
}

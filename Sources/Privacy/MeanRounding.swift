import Trips

/// How a mean is shown whose count is hidden.
///
/// A finer one would tell the count: times of whole minutes add up to whole minutes, and of few counts the mean times the
/// count is one. With 11 trips or more every count is possible beside 10 seconds, and beside a dollar for costs in
/// multiples of 10 dollars.
package struct MeanRounding: Sendable {
    /// Twice as coarse: where the mean lies so close to the middle between two that a few trips more would change which.
    private let factor: Int

    package init(isCoarse: Bool = false) {
        factor = isCoarse ? 2 : 1
    }

    /// To 10 seconds, half up.
    package func tenths(_ meanTenths: Int) -> Int { round(meanTenths, to: 100 * factor) }

    /// To a dollar, half up.
    package func costCents(_ meanCents: Int) -> Int { round(meanCents, to: 100 * factor) }

    private func round(_ value: Int, to unit: Int) -> Int {
        HalfUp.quotient(value, by: unit).map { $0 * unit } ?? 0
    }
}

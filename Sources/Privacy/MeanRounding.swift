import Trips

/// How a mean is shown whose count is hidden.
///
/// A finer one would tell the count: times of whole minutes add up to whole minutes, and of few counts the mean times the
/// count is one. With 11 trips or more every count is possible beside 10 seconds, and beside a dollar for costs in
/// multiples of 10 dollars.
package enum MeanRounding {
    /// To 10 seconds, half up.
    package static func tenths(_ meanTenths: Int) -> Int { HalfUp.quotient(meanTenths, by: 100).map { $0 * 100 } ?? 0 }

    /// To a dollar, half up.
    package static func costCents(_ meanCents: Int) -> Int { HalfUp.quotient(meanCents, by: 100).map { $0 * 100 } ?? 0 }
}

import Basics

extension TripFacts {
    /// Above any trip's cost in cents or distance in hundredths of a mile; totals over all trips do not overflow.
    private static let largestAmount = 1 << 40

    /// Whether a trip can have these values: damaged bytes must not become the index of an array or overflow a total.
    /// Regions, trip types and the longest interval are for a tally to check, which knows its lists.
    package var isPossible: Bool {
        guard Month.storable ~= month else { return false }
        let first = CivilDay.days(year: Int(month) / 12, month: Int(month) % 12 + 1, day: 1)
        return first...first + 30 ~= day && TripStatus(rawValue: status) != nil && Sourcing(rawValue: sourcing) != nil
            && warnings >> UInt32(Self.warningCount) == 0 && intervals.min() >= IntervalState.tooLong
            && Self.isPossible(amount: costCents) && Self.isPossible(amount: loadedHundredths)
            && Self.isPossible(amount: unloadedHundredths)
    }

    private static let warningCount = WarningCode.allCases.count

    private static func isPossible(amount: Int) -> Bool {
        amount == AmountState.absent || isPossible(amount: .some(amount))
    }

    /// - Parameter amount: nil: none.
    package static func isPossible(amount: Int?) -> Bool { amount.map { -largestAmount...largestAmount ~= $0 } ?? true }
}

extension Month {
    /// The indices of the months that a store or a tally can hold.
    package static let storable: ClosedRange<Int32> = 1900 * 12...2300 * 12 - 1
}

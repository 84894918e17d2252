extension TripFacts {
    /// Takes over the values that a part of the trip has: cost, miles, intervals, patient, provider, contract, codes, region and
    /// trip type. What the part does not have stays.
    ///
    /// Month, day and status are always the trip's own. An interval is of one part, because the store has no times. Rule, class and
    /// test results follow from the rest, so the caller finds them again.
    package mutating func fill(from part: TripFacts) {
        if part.region != 0 { region = part.region }
        if part.tripType != 0 { tripType = part.tripType }
        warnings |= part.warnings
        for interval in TripInterval.allCases where part.intervals[interval.rawValue] != IntervalState.missing {
            intervals[interval.rawValue] = part.intervals[interval.rawValue]
        }
        if part.costCents != AmountState.absent { costCents = part.costCents }
        if part.loadedHundredths != AmountState.absent { loadedHundredths = part.loadedHundredths }
        if part.unloadedHundredths != AmountState.absent { unloadedHundredths = part.unloadedHundredths }
        if part.patient != 0 { patient = part.patient }
        for (text, _) in StoredText.publicFields where part[text] != 0 { self[text] = part[text] }
    }
}

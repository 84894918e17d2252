extension SampleModel {
    /// Miles that fit the time on the road, and a cost that fits the miles: $6.10 a mile in-house, $12.50 contracted,
    /// over a base by trip type.
    func fillAmounts(_ record: inout SampleRecord, transportSeconds: Int, _ random: inout SampleRandom) {
        guard record.status != .cancelled, record.status != .noShow else {
            if random.below(50) == 0 { record.cost.hundredths = 7500 }
            return
        }
        let milesPerHour = 28 + random.below(25)
        let loaded = max(10, transportSeconds * milesPerHour * 100 / 3600)
        record.loadedMiles = miles(loaded, &random)
        record.unloadedMiles = miles(loaded * (30 + random.below(90)) / 100, &random)
        let isContracted = record.provider >= 11
        let isEmergency = record.tripType == .emergency
        let baseCents = isContracted ? (isEmergency ? 85_000 : 32_000) : (isEmergency ? 41_000 : 19_000)
        let cents = baseCents + loaded * (isContracted ? 1250 : 610) / 100 + random.below(10_000)
        record.cost = cost(cents, &random)
    }

    private func miles(_ hundredths: Int, _ random: inout SampleRandom) -> SampleRecord.Amount {
        let place = random.below(100_000)
        switch place {
        case ..<3000: return SampleRecord.Amount()
        case ..<3200: return SampleRecord.Amount(hundredths: hundredths, notation: .bad)
        case ..<3250: return SampleRecord.Amount(hundredths: -hundredths, notation: .plain)
        case ..<70_000: return SampleRecord.Amount(hundredths: hundredths / 10 * 10, notation: .short)
        default: return SampleRecord.Amount(hundredths: hundredths, notation: .plain)
        }
    }

    private func cost(_ cents: Int, _ random: inout SampleRandom) -> SampleRecord.Amount {
        let place = random.below(100_000)
        switch place {
        case ..<4000: return SampleRecord.Amount()
        case ..<4300: return SampleRecord.Amount(hundredths: cents, notation: .bad)
        case ..<4500: return SampleRecord.Amount(hundredths: -(cents / 20), notation: .parentheses)
        case ..<7000: return SampleRecord.Amount(hundredths: cents, notation: .dollars)
        case ..<9000: return SampleRecord.Amount(hundredths: cents / 10 * 10, notation: .short)
        default: return SampleRecord.Amount(hundredths: cents, notation: .plain)
        }
    }
}

import Trips

/// Makes any record of a sample from its number: an ordinary trip, a faulty record, or another version of a trip.
struct SampleModel {
    let plan: SampleOptions
    let calendar: SampleCalendar
    let zone: SampleZone
    private let order: RowOrder?
    /// A correction follows its trip within this many records, before shuffling.
    private static let correctionReach = 50_000

    init(plan: SampleOptions, zone: SampleZone) {
        self.plan = plan
        self.zone = zone
        calendar = SampleCalendar(plan: plan)
        order = plan.isShuffled && plan.rows > 1 ? RowOrder(count: plan.rows, seed: plan.seed) : nil
    }

    private enum SampledKind {
        case trip, faulty, correction
    }

    private func kind(of index: Int) -> SampledKind {
        var random = SampleRandom(seed: plan.seed, stream: 1, index: index)
        let millionth = random.below(1_000_000)
        if millionth < plan.correctionsPerMillion { return .correction }
        return millionth < plan.correctionsPerMillion + plan.faultyPerMillion ? .faulty : .trip
    }

    /// The record at a position of the file.
    func record(at position: Int) -> SampleRecord {
        let index = order?.index(at: position) ?? position
        switch kind(of: index) {
        case .trip: return trip(index)
        case .faulty: return faulty(index)
        case .correction:
            var random = SampleRandom(seed: plan.seed, stream: 2, index: index)
            guard let first = firstVersion(before: index, &random) else { return trip(index) }
            return otherVersion(of: trip(first), &random)
        }
    }

    private func firstVersion(before index: Int, _ random: inout SampleRandom) -> Int? {
        guard index > 0 else { return nil }
        var first = index - 1 - random.below(min(index, Self.correctionReach))
        while first >= 0, kind(of: first) != .trip { first -= 1 }
        return first >= 0 ? first : nil
    }

    private func faulty(_ index: Int) -> SampleRecord {
        var random = SampleRandom(seed: plan.seed, stream: 3, index: index)
        var record = trip(index)
        let kinds = plan.hasStructuralFaults ? 5 : 3
        record.fault = SampleRecord.Fault(rawValue: 1 + random.below(kinds)) ?? .noTripID
        switch record.fault {
        case .noDate:
            let time = random.below(2) == 0 ? SampleRecord.absent : SampleRecord.unreadable
            record.times = SIMD8(repeating: SampleRecord.absent)
            record.times[TripEvent.unitNotified.rawValue] = time
            record.serviceDay = time
        case .unknownStatus: record.status = .unknown
        case .none, .noTripID, .fieldCount, .brokenSyntax: break
        }
        return record
    }

    /// An exact copy, an older version that comes late, a void, a newer sequence at the same time, or a plain correction.
    private func otherVersion(of first: SampleRecord, _ random: inout SampleRandom) -> SampleRecord {
        var record = first
        let percent = random.below(100)
        if percent < 12 { return record }
        let days = 1 + random.below(40), second = 4 * 3600 + random.below(19 * 3600)
        if percent < 27 {
            record.updatedAt -= days * 86_400 + random.below(3600)
        } else if percent < 37 {
            record.sequence += 1 + random.below(997)
        } else {
            record.updatedAt = (record.updatedAt / 86_400 + days) * 86_400 + second
            record.sequence += 1
        }
        if (27..<34).contains(percent) || percent >= 94 {
            record.status = .void
            return record
        }
        if record.cost.hundredths > 0 {
            record.cost.hundredths = record.cost.hundredths * (80 + random.below(41)) / 100
            if record.cost.notation != .dollars { record.cost.notation = .plain }
        }
        let completed = TripEvent.completed.rawValue
        if record.times[completed] > 0 { record.times[completed] += 60 * (1 + random.below(15)) }
        if record.provider >= 11, record.contract == 0 { record.contract = record.provider }
        return record
    }
}

import Trips

extension SampleModel {
    /// The chain of times, made as instants and then read off the local clock. Returns the seconds of transport.
    func fillTimes(_ record: inout SampleRecord, start: Int, _ random: inout SampleRandom) -> Int {
        let isEmergency = record.tripType == .emergency
        let isRural = record.region == 4
        let turnout = min(180, max(20, LognormalShape.narrow.draw(median: isEmergency ? 60 : 95, &random)))
        let drive = LognormalShape.wide.draw(median: (isEmergency ? 400 : 1000) * (isRural ? 3 : 2) / 2, &random)
        let scene = min(2400, max(600, LognormalShape.narrow.draw(median: isEmergency ? 1080 : 840, &random)))
        let transport = LognormalShape.wide.draw(median: (isEmergency ? 860 : 1250) * (isRural ? 3 : 2) / 2, &random)
        let turnaround = LognormalShape.narrow.draw(median: isEmergency ? 1500 : 900, &random)
        let called = isEmergency ? 30 + random.below(90) : 3600 + random.below(71 * 3600)
        var instants = SIMD8<Int>(repeating: start)
        instants[0] = start - called
        instants[2] = start + turnout
        instants[3] = instants[2] + drive
        instants[4] = instants[3] + scene
        instants[5] = instants[4] + transport
        instants[6] = instants[5] + turnaround
        instants[7] = (instants[5] / 300 + 1 + random.below(6)) * 300
        // A clock that nobody put forward writes times of the skipped hour.
        let isStale = zone.springsForward(after: start - 7200, within: 10_800) && random.below(4) == 0
        let staleOffset = zone.offset(at: start - 10_800)
        for slot in 0..<8 {
            record.times[slot] = instants[slot] + (isStale ? staleOffset : zone.offset(at: instants[slot]))
        }
        if isEmergency { record.times[7] = SampleRecord.absent }
        stopEarly(&record)
        spoil(&record, &random)
        return transport
    }

    /// A cancelled trip ends on the way, a no-show at the door.
    private func stopEarly(_ record: inout SampleRecord) {
        guard record.status == .cancelled || record.status == .noShow else { return }
        let completed = TripEvent.completed.rawValue
        let last = record.status == .cancelled ? TripEvent.enRoute.rawValue : TripEvent.onScene.rawValue
        record.times[completed] = record.times[last] + 300
        for slot in (last + 1)..<completed { record.times[slot] = SampleRecord.absent }
    }

    /// Missing, unreadable, backward and endless times, at most one kind to a trip.
    private func spoil(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let place = random.below(1_000_000), slot = 1 + random.below(6), seconds = 60 + random.below(1800)
        switch place {
        case ..<18_000: record.times[slot] = SampleRecord.absent
        case ..<19_500: if record.times[slot] > 0 { record.times[slot] = SampleRecord.unreadable }
        case ..<21_500:
            let early = max(2, slot)
            if record.times[early] > 0 { record.times[early] = record.times[1] - seconds }
        case ..<21_800: if record.times[6] > 0 { record.times[6] += 86_400 + seconds * 60 }
        case ..<22_800:
            // Only the day is known.
            record.times = SIMD8(repeating: SampleRecord.absent)
        case ..<82_800: record.serviceDay = SampleRecord.absent
        default: break
        }
    }
}

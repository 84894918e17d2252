import Trips

extension SampleModel {
    /// The ordinary trip of a record number. Numbers 2t and 2t + 1 may be the two legs of one round trip.
    func trip(_ index: Int) -> SampleRecord {
        let pair = index / 2
        var shared = SampleRandom(seed: plan.seed, stream: 4, index: pair)
        let isRoundTrip = shared.below(100) < 30
        var random = SampleRandom(seed: plan.seed, stream: 5, index: index)
        var record = SampleRecord()
        record.tripNumber = isRoundTrip ? pair * 2 : index
        record.leg = isRoundTrip ? 1 + index % 2 : random.below(20) == 0 ? 0 : 1
        let day = calendar.day(of: record.tripNumber, rows: plan.rows)
        /// Draws what both legs of a round trip share.
        func drawShared<Value>(_ draw: (inout SampleRandom) -> Value) -> Value {
            isRoundTrip ? draw(&shared) : draw(&random)
        }
        drawShared { fillCall(&record, &$0) }
        var second = drawShared { calendar.secondOfDay(isEmergency: record.tripType == .emergency, &$0) }
        if record.leg == 2 { second += 3 * 3600 + random.below(3 * 3600) }
        record.serviceDay = day + second / 86_400
        record.updatedAt = (day + 1 + random.below(3)) * 86_400 + 4 * 3600 + random.below(19 * 3600)
        fillStatus(&record, &random)
        let transportSeconds = fillTimes(&record, start: zone.instant(ofLocal: day * 86_400 + second), &random)
        fillSourcing(&record, index, &random)
        fillAmounts(&record, transportSeconds: transportSeconds, &random)
        fillNote(&record, &random)
        return record
    }

    /// Trip type, region, facility and patient.
    private func fillCall(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let shares = plan.isMessy ? SampleShares.messy : .maintained
        record.tripType = shares.tripType(random.below(1000))
        record.region = shares.region(random.below(1000))
        record.facility = 1 + (record.region % 5) * 3 + random.below(3)
        // One routine trip in five carries somebody who comes three times a week.
        let regulars = plan.rows / 2000 + 1
        let isRegular = record.tripType == .routine && random.below(5) == 0
        record.patient = isRegular ? random.below(regulars) : regulars + random.below(plan.rows / 3 + 1)
    }

    private func fillStatus(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let permille = random.below(1000)
        record.status = permille < 930 ? .completed : permille < 949 ? .blank : permille < 979 ? .cancelled : .noShow
        if random.below(1_000_000) < 500 { record.status = .void }
    }

    /// In-house about 60 %, contracted 39 %, no evidence 1 % (messy: 58, 37 and 5 %). Half of the evidence is of more than one
    /// kind.
    private func fillSourcing(_ record: inout SampleRecord, _ index: Int, _ random: inout SampleRandom) {
        var permille = random.below(1000)
        // One record in a hundred, so that every month has its share.
        if !plan.isMessy { permille = UInt64(index) % 100 == plan.seed % 100 ? 999 : permille * 950 / 1000 }
        record.endpoints = random.below(4)
        if permille < 580 {
            record.provider = random.below(100) < 95 ? 1 + random.below(6) : 0
            record.vehicle = 1 + random.below(60)
            record.modifier = random.below(10) < 8 ? 1 : 0
        } else if permille < 950 {
            record.provider = 11 + random.below(8)
            record.vehicle = -1 - random.below(40)
            record.modifier = random.below(10) < 6 ? 2 : 0
            record.contract = random.below(10) < 7 ? record.provider : 0
            record.invoice = random.below(10) < 6 ? 1 + record.tripNumber % 9_999_999 : 0
            // Providers are not on the roster at all times, so a maintained site has the contract.
            if !plan.isMessy, record.modifier == 0, record.invoice == 0 { record.contract = record.provider }
        } else {
            record.provider = random.below(2) == 0 ? 0 : 21 + random.below(3)
            record.vehicle = random.below(2) == 0 ? 0 : -41 - random.below(9)
        }
    }

    private func fillNote(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let percent = random.below(100)
        record.noteKind =
            percent < 75 ? 0 : percent < 94 ? 1 : percent < 96 ? 2 : percent < 97 ? 3 : percent < 99 ? 4 : 5
    }

    // MARK: - Times

    /// Makes the times as instants and writes them as local clock times.
    ///
    /// - Returns: the seconds of transport.
    private func fillTimes(_ record: inout SampleRecord, start: Int, _ random: inout SampleRandom) -> Int {
        let isEmergency = record.tripType == .emergency
        let distance = record.region == 4 ? 3 : 2
        let turnout = min(180, max(20, LognormalShape.narrow.draw(median: isEmergency ? 60 : 95, &random)))
        let drive = LognormalShape.wide.draw(median: (isEmergency ? 400 : 1000) * distance / 2, &random)
        let scene = min(2400, max(600, LognormalShape.narrow.draw(median: isEmergency ? 1080 : 840, &random)))
        let transport = LognormalShape.wide.draw(median: (isEmergency ? 860 : 1250) * distance / 2, &random)
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
        // A clock that was not put forward writes times of the skipped hour.
        let isStale = zone.springsForward(after: start - 7200, hours: 3) && random.below(4) == 0
        let staleOffset = zone.offset(at: start - 10_800)
        for slot in 0..<8 {
            record.times[slot] = instants[slot] + (isStale ? staleOffset : zone.offset(at: instants[slot]))
        }
        if isEmergency { record.times[7] = SampleRecord.absent }
        stopEarly(&record)
        addTimeFault(&record, &random)
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
    private func addTimeFault(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let millionth = random.below(1_000_000), slot = 1 + random.below(6), seconds = 60 + random.below(1800)
        switch millionth {
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

    // MARK: - Amounts

    /// Miles that fit the driving time, and a cost that fits the miles: $6.10 a mile in-house, $12.50 contracted, over a
    /// base by trip type.
    private func fillAmounts(_ record: inout SampleRecord, transportSeconds: Int, _ random: inout SampleRandom) {
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
        switch random.below(100_000) {
        case ..<3000: SampleRecord.Amount()
        case ..<3200: SampleRecord.Amount(hundredths: hundredths, notation: .bad)
        case ..<3250: SampleRecord.Amount(hundredths: -hundredths, notation: .plain)
        case ..<70_000: SampleRecord.Amount(hundredths: hundredths / 10 * 10, notation: .short)
        default: SampleRecord.Amount(hundredths: hundredths, notation: .plain)
        }
    }

    private func cost(_ cents: Int, _ random: inout SampleRandom) -> SampleRecord.Amount {
        switch random.below(100_000) {
        case ..<4000: SampleRecord.Amount()
        case ..<4300: SampleRecord.Amount(hundredths: cents, notation: .bad)
        case ..<4500: SampleRecord.Amount(hundredths: -(cents / 20), notation: .parentheses)
        case ..<7000: SampleRecord.Amount(hundredths: cents, notation: .dollars)
        case ..<9000: SampleRecord.Amount(hundredths: cents / 10 * 10, notation: .short)
        default: SampleRecord.Amount(hundredths: cents, notation: .plain)
        }
    }
}

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
        let day = calendar.day(of: isRoundTrip ? pair * 2 : index, rows: plan.rows)
        if isRoundTrip {
            place(&record, &shared)
        } else {
            place(&record, &random)
        }
        var second: Int
        if isRoundTrip {
            second = calendar.secondOfDay(isEmergency: record.tripType == .emergency, &shared)
            if record.leg == 2 { second += 3 * 3600 + random.below(3 * 3600) }
        } else {
            second = calendar.secondOfDay(isEmergency: record.tripType == .emergency, &random)
        }
        record.serviceDay = day + second / 86_400
        record.updatedAt = (day + 1 + random.below(3)) * 86_400 + 4 * 3600 + random.below(19 * 3600)
        fillStatus(&record, &random)
        let transportSeconds = fillTimes(&record, start: zone.instant(ofLocal: day * 86_400 + second), &random)
        fillSourcing(&record, &random)
        fillAmounts(&record, transportSeconds: transportSeconds, &random)
        fillNote(&record, &random)
        return record
    }

    /// Type, region, facility and patient: what the legs of a round trip share.
    private func place(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let type = random.below(1000)
        record.tripType = type < 385 ? .emergency : type < 985 ? .routine : type < 993 ? .unmapped : .blank
        let region = random.below(1000)
        record.region = region < 340 ? 1 : region < 590 ? 2 : region < 800 ? 3 : region < 975 ? 4 : region < 995 ? 0 : 5
        record.facility = 1 + (record.region % 5) * 3 + random.below(3)
        // One routine trip in five carries somebody who comes three times a week.
        let regulars = plan.rows / 2000 + 1
        let isRegular = record.tripType == .routine && random.below(5) == 0
        record.patient = isRegular ? random.below(regulars) : regulars + random.below(plan.rows / 3 + 1)
    }

    private func fillStatus(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let share = random.below(1000)
        record.status = share < 930 ? .completed : share < 949 ? .blank : share < 979 ? .cancelled : .noShow
        if random.happens(perMillion: 500) { record.status = .void }
    }

    /// In-house about 58 %, contracted 37 %, no evidence 5 %. Half of the evidence is of more than one kind.
    private func fillSourcing(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let share = random.below(1000)
        record.endpoints = random.below(4)
        if share < 580 {
            record.provider = random.below(100) < 95 ? 1 + random.below(6) : 0
            record.vehicle = 1 + random.below(60)
            record.modifier = random.below(10) < 8 ? 1 : 0
        } else if share < 950 {
            record.provider = 11 + random.below(8)
            record.vehicle = -1 - random.below(40)
            record.modifier = random.below(10) < 6 ? 2 : 0
            record.contract = random.below(10) < 7 ? record.provider : 0
            record.invoice = random.below(10) < 6 ? 1 + record.tripNumber % 9_999_999 : 0
        } else {
            record.provider = random.below(2) == 0 ? 0 : 21 + random.below(3)
            record.vehicle = random.below(2) == 0 ? 0 : -41 - random.below(9)
        }
    }

    private func fillNote(_ record: inout SampleRecord, _ random: inout SampleRandom) {
        let share = random.below(100)
        record.noteKind = share < 75 ? 0 : share < 94 ? 1 : share < 96 ? 2 : share < 97 ? 3 : share < 99 ? 4 : 5
    }
}

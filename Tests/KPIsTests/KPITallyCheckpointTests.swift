import Basics
import KPIs
import TestSupport
import Testing
import Trips

/// The laws of checkpoints: a month that was written and read adds what its trips would, and nothing else is read.
@Suite struct KPITallyCheckpointTests {
    private static func batches(_ count: Int, _ random: inout SplitMix64) -> [TripBatch] {
        (0..<count).map { _ in RandomTally.batch(Int.random(in: 0...256, using: &random), &random) }
    }

    /// What the checkpoints of all months of some tallies add up to.
    private static func decoded(
        _ tallies: [KPITally], shape: KPITally.Shape = RandomTally.shape
    ) throws(TallyDecodingError) -> KPITally {
        var result = KPITally(shape: shape)
        for tally in tallies {
            for month in tally.monthsMet { try result.merge(encoded: tally.encoded(month: month), month: month) }
        }
        return result
    }

    /// Table, and trips by day.
    private static func text(_ tally: KPITally) -> String { "\(RandomTally.text(tally)) \(tally.tripsByDay())" }

    @Test func whatWasWrittenAndReadIsTheSame() throws {
        var random = SplitMix64(seed: 0xC4EC)
        for _ in 0..<FuzzPlan.iterations(40) {
            let tally = RandomTally.tally(Self.batches(Int.random(in: 0...6, using: &random), &random))
            #expect(Self.text(try Self.decoded([tally])) == Self.text(tally))
            let again = try Self.decoded([Self.decoded([tally])])
            #expect(Self.text(again) == Self.text(tally))
        }
    }

    @Test func checkpointsOfPartsAddUpToTheCheckpointOfTheWhole() throws {
        var random = SplitMix64(seed: 0xADD)
        for _ in 0..<FuzzPlan.iterations(25) {
            let batches = Self.batches(4, &random)
            let parts = batches.map { RandomTally.tally([$0]) }
            let whole = RandomTally.tally(batches)
            #expect(Self.text(try Self.decoded(parts)) == Self.text(whole))
            #expect(Self.text(try Self.decoded([Self.decoded(parts)])) == Self.text(whole))
        }
    }

    @Test func tripsAreAddedToACheckpointAndTakenOutOfIt() throws {
        var random = SplitMix64(seed: 0xDE17A)
        for _ in 0..<FuzzPlan.iterations(25) {
            let batches = Self.batches(5, &random)
            let gone = [0, 3].map { batches[$0] }
            var tally = try Self.decoded([RandomTally.tally(Array(batches[..<3]))])
            tally.merge(RandomTally.tally(Array(batches[3...])))
            tally.subtract(RandomTally.tally(gone))
            #expect(Self.text(tally) == Self.text(RandomTally.tally([1, 2, 4].map { batches[$0] })))
        }
    }

    @Test func aLongerListAndALongerLimitReadWhatAShorterOneWrote() throws {
        var random = SplitMix64(seed: 0x61E)
        let wide = KPITally.Shape(
            regionCount: 7, tripTypeCount: 4, maximumIntervalSeconds: 200_000, patientSampleSize: 16)
        let batches = Self.batches(3, &random)
        let read = try Self.decoded([RandomTally.tally(batches)], shape: wide)
        #expect(Self.text(read) == Self.text(RandomTally.tally(batches, shape: wide)))
        for narrow in [(2, 2, 86_400), (3, 1, 86_400), (3, 2, 800)] {
            let shape = KPITally.Shape(
                regionCount: narrow.0, tripTypeCount: narrow.1, maximumIntervalSeconds: narrow.2)
            #expect(throws: TallyDecodingError.self) {
                try Self.decoded([RandomTally.tally(batches)], shape: shape)
            }
        }
    }

    @Test func whatIsDamagedIsNotRead() throws {
        var random = SplitMix64(seed: 0xBAD)
        let tally = RandomTally.tally(Self.batches(2, &random))
        let month = try #require(tally.monthsMet.first)
        let bytes = tally.encoded(month: month)
        var target = KPITally(shape: RandomTally.shape)
        for _ in 0..<FuzzPlan.iterations(20_000) {
            var damaged = bytes
            if Int.random(in: 0..<4, using: &random) == 0 {
                damaged.removeLast(Int.random(in: 1...damaged.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= UInt8.random(
                        in: 1...255, using: &random)
                }
            }
            if damaged == bytes { continue }
            #expect(throws: TallyDecodingError.self) { try target.merge(encoded: damaged, month: month) }
        }
        #expect(target.isEmpty)
        #expect(throws: TallyDecodingError(month: month.advanced(by: 1), problem: .otherMonth)) {
            try target.merge(encoded: bytes, month: month.advanced(by: 1))
        }
    }

    /// Before they could overflow.
    @Test func sumsThatNoCheckpointHoldsAreRefused() throws {
        var trip = TripFacts()
        trip.month = 2024 * 12
        trip.day = CivilDay.days(year: 2024, month: 1, day: 1)
        trip.costCents = 1 << 40
        var tally = KPITally(shape: RandomTally.shape)
        try tally.add(Array(repeating: trip, count: 4096))
        let month = Month(year: 2024, month: 1), bytes = tally.encoded(month: month)
        var target = KPITally(shape: RandomTally.shape)
        for _ in 0..<2 { try target.merge(encoded: bytes, month: month) }
        #expect(target.hasSumsInRange)
        let before = Self.text(target)
        #expect(throws: TallyDecodingError(month: month, problem: .outOfRange)) {
            try target.merge(encoded: bytes, month: month)
        }
        #expect(Self.text(target) == before)
        for _ in 0..<9 {
            let same = target
            target.merge(same)
        }
        #expect(!target.hasSumsInRange)
    }

    @Test func numbersOfTripsMustFitTogether() {
        var sums = CellSums()
        sums.contracted.trips = 3
        sums.contracted.costedTrips = 2
        sums.contracted.tripsWithLoadedMiles = 3
        sums.contracted.costedTripsWithLoadedMiles = 2
        #expect(sums.isConsistent)
        for change: (inout CellSums) -> Void in [
            { $0.contracted.trips = 2 }, { $0.inHouse.trips = -1 }, { $0.inHouse.costedTrips = 1 },
            { $0.contracted.costedTrips = 4 }, { $0.contracted.tripsWithLoadedMiles = 4 },
            { $0.contracted.costedTripsWithLoadedMiles = 3 }, { $0.contracted.tripsWithUnloadedMiles = -1 },
            { $0.noShow = -1 },
        ] {
            var changed = sums
            change(&changed)
            #expect(!changed.isConsistent, "\(changed)")
        }
    }

    /// Even with a checksum that fits, whatever comes is read or refused.
    @Test func whatIsForgedNeverTraps() throws {
        var random = SplitMix64(seed: 0xF04)
        let tally = RandomTally.tally([RandomTally.batch(40, &random)])
        let month = try #require(tally.monthsMet.first)
        let body = Array(tally.encoded(month: month).dropLast(8))
        let before = "\(tally.tripsByDay())"
        var refused = 0
        for _ in 0..<FuzzPlan.iterations(20_000) {
            var forged = body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<forged.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: forged[place] = UInt8.random(in: 0...255, using: &random)
                case 1: forged.insert(0xFF, at: place)
                default: forged.remove(at: place)
                }
            }
            let checksum = TallyChecksum.of(forged[...])
            forged += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> UInt64(8 * $0)) }
            var target = tally
            do throws(TallyDecodingError) {
                try target.merge(encoded: forged, month: month)
                if Int.random(in: 0..<50, using: &random) == 0 { _ = RandomTally.text(target) }
            } catch {
                refused += 1
                #expect("\(target.tripsByDay())" == before)
            }
        }
        #expect(refused > 0)
    }

    @Test func anErrorSaysWhatToDo() {
        let error = TallyDecodingError(month: Month(year: 2026, month: 3), problem: .version(9))
        #expect(
            error.description
                == "the checkpoint of 2026-03 cannot be used: its format, version 9, is not known to this "
                + "tripkpi; tally the month again from its trips")
    }
}

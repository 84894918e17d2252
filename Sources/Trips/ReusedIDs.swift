/// Trips that have the id of another trip and are no version of it: an id that comes again a year later, or in another region. If they
/// were taken for corrections, the earlier trips would vanish.
///
/// Where `updated_at` or `sequence` says which record is newer, only completed trips are compared: a trip that was booked may run
/// on another day.
package struct ReusedIDs: Sendable, Hashable {
    /// What of a trip shows whether another record is of the same one.
    package struct Traits: Sendable, Hashable {
        package let day: Int32
        /// 0: not known.
        let region: UInt8
        let isCompleted: Bool
        /// Cost, loaded miles, duration, response time.
        private let figures: SIMD4<Int>

        private static var unknown: Int { .min }

        /// - Parameters:
        ///   - costCents: `AmountState.absent`: not known; miles too.
        ///   - durationSeconds: below 0: not known; response too.
        package init(
            day: Int32, region: UInt8, status: UInt8, costCents: Int, loadedHundredths: Int, durationSeconds: Int32,
            responseSeconds: Int32
        ) {
            func amount(_ value: Int) -> Int { value == AmountState.absent ? Self.unknown : value }
            func seconds(_ value: Int32) -> Int { value < 0 ? Self.unknown : Int(value) }
            self.day = day
            self.region = region
            figures = SIMD4(
                amount(costCents), amount(loadedHundredths), seconds(durationSeconds), seconds(responseSeconds))
            isCompleted =
                status == TripStatus.completed.rawValue && (figures[0] != Self.unknown || figures[2] != Self.unknown)
        }

        package init(_ batch: borrowing TripBatch, row: Int) {
            self.init(
                day: batch.day[row], region: batch.region[row], status: batch.status[row],
                costCents: batch.costCents[row], loadedHundredths: batch.loadedHundredths[row],
                durationSeconds: batch.intervals[TripInterval.duration.rawValue][row],
                responseSeconds: batch.intervals[TripInterval.response.rawValue][row])
        }

        fileprivate func differsInRegion(from other: Traits) -> Bool {
            region != 0 && other.region != 0 && region != other.region
        }

        /// Whether these are two completed trips, by their days and figures.
        fileprivate func isNoVersion(of other: Traits) -> Bool {
            let days = (day - other.day).magnitude
            // A zone that was corrected moves trips by a day, and leaves cost and miles alone.
            let differsInBill = (0...1).contains { figures[$0] != other.figures[$0] }
            if days > 1 || (days == 1 || differsInRegion(from: other)) && differsInBill { return true }
            let known = (0..<4).filter { figures[$0] != Self.unknown && other.figures[$0] != Self.unknown }
            return known.count >= ReusedIDs.fewestFigures && known.allSatisfy { figures[$0] != other.figures[$0] }
        }
    }

    /// Records without a version that replace one of another export, or are replaced by one; with a version, those of completed
    /// trips that replace another; records of a supplement that have a trip. And how many of each are of another trip.
    private var replaced = Comparison()
    private var versions = Comparison()
    private var parts = Comparison()

    private struct Comparison: Hashable {
        var compared = 0
        var others = 0

        mutating func add(isOther: Bool) {
            compared += 1
            if isOther { others += 1 }
        }

        mutating func merge(_ other: Comparison) {
            compared += other.compared
            others += other.others
        }

        /// Whether at least so many, and more than one in so many, are of another trip.
        func isDoubtful(fewest: Int, oneIn share: Int) -> Bool { others >= fewest && others * share > compared }
    }

    /// Corrections of dates are of days.
    private static let mostDaysCorrected: Int32 = 7
    /// Bills may be dated when they were sent.
    private static let mostDaysOfParts: Int32 = 180
    private static let fewestFigures = 3

    package init() {}

    /// - Parameter haveVersions: whether one of the records says which version it is.
    package mutating func compare(_ trip: Traits, with other: Traits, haveVersions: Bool) {
        if haveVersions {
            if trip.isCompleted, other.isCompleted { versions.add(isOther: trip.isNoVersion(of: other)) }
            return
        }
        let days = (trip.day - other.day).magnitude
        replaced.add(
            isOther: days > Self.mostDaysCorrected.magnitude || days > 0 && trip.differsInRegion(from: other))
    }

    /// Compares the day of a supplement's record with that of its trip.
    package mutating func compare(partDay: Int32, withTripDay day: Int32) {
        parts.add(isOther: (partDay - day).magnitude > Self.mostDaysOfParts.magnitude)
    }

    package mutating func merge(_ other: ReusedIDs) {
        replaced.merge(other.replaced)
        versions.merge(other.versions)
        parts.merge(other.parts)
    }

    /// One or two may be slips.
    package var areDoubtful: Bool {
        replaced.isDoubtful(fewest: 3, oneIn: 100) || areVersionsDoubtful || arePartsDoubtful
    }

    private var areVersionsDoubtful: Bool { versions.isDoubtful(fewest: 10, oneIn: 5) }
    private var arePartsDoubtful: Bool { parts.isDoubtful(fewest: 3, oneIn: 100) }

    package var problem: String {
        if arePartsDoubtful {
            return
                "\(parts.others) of \(parts.compared) records are more than half a year away from the trips of their ids: the ids "
                + "are not unique, and values of one trip would be added to another"
        }
        return
            (areVersionsDoubtful
            ? "\(versions.others) of \(versions.compared) completed trips that come again have another day, or another region and bill, "
                + "or nothing in common with the record before"
            : "\(replaced.others) of \(replaced.compared) trips that come again in another export are more than a week apart, or on other "
                + "days in other regions") + ": the ids are not unique, and one of each two trips would vanish"
    }

    package static let remedy =
        "map another column, or add one as leg_id, so that each trip has an id of its own (or give each year or region a `source:` "
        + "of its own); if the later records are corrections, write `records: versions` into the profile"
}

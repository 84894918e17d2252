/// What records that replace others of the same id show: versions of one trip, or something else, of which a part would vanish.
///
/// Something else is another trip (an id that comes again a year later, each day, or in another region), the other part of a trip
/// (the costs of its times), or another line of its bill. Each pair of a record and the one that it replaces is compared; one pair
/// shows little, so a doubt is a share of the pairs.
package struct ReplacedTrips: Sendable, Hashable {
    /// What of a record is compared.
    package struct Traits: Sendable, Hashable {
        package let day: Int32
        /// 0: not known.
        let region: UInt8
        /// Whether its status is completed: a trip that was booked may run on another day.
        let isRun: Bool
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
            isRun = status == TripStatus.completed.rawValue
            figures = SIMD4(
                amount(costCents), amount(loadedHundredths), seconds(durationSeconds), seconds(responseSeconds))
        }

        package init(_ batch: borrowing TripBatch, row: Int) {
            self.init(
                day: batch.day[row], region: batch.region[row], status: batch.status[row],
                costCents: batch.costCents[row], loadedHundredths: batch.loadedHundredths[row],
                durationSeconds: batch.intervals[TripInterval.duration.rawValue][row],
                responseSeconds: batch.intervals[TripInterval.response.rawValue][row])
        }

        fileprivate var costCents: Int? { figures[0] == Self.unknown ? nil : figures[0] }
        fileprivate var isFinished: Bool { isRun && figures != SIMD4(repeating: Self.unknown) }

        fileprivate func isKnown(_ figure: ComparedFigure) -> Bool { figures[figure.rawValue] != Self.unknown }

        fileprivate func differsInRegion(from other: Traits) -> Bool {
            region != 0 && other.region != 0 && region != other.region
        }

        private func known(with other: Traits) -> [Int] {
            (0..<4).filter { figures[$0] != Self.unknown && other.figures[$0] != Self.unknown }
        }

        /// Whether nothing contradicts that these are of one trip: their days are the same or neighbours, and so are all figures that both
        /// have.
        package func mayBePart(of other: Traits) -> Bool {
            (day - other.day).magnitude <= 1 && !differsInRegion(from: other)
                && (0..<4).allSatisfy {
                    figures[$0] == Self.unknown || other.figures[$0] == Self.unknown || figures[$0] == other.figures[$0]
                }
        }

        /// Whether these are two trips by their days. Within a week a date may have been corrected, or a zone, which leaves the figures
        /// alone.
        fileprivate func isOfAnotherDay(than other: Traits) -> Bool {
            let days = (day - other.day).magnitude
            guard days <= ReplacedTrips.mostDaysCorrected.magnitude else { return true }
            let known = known(with: other), bill = known.filter { $0 < 2 }
            guard days > 0 else { return false }
            if bill.isEmpty { return !known.isEmpty && known.allSatisfy { figures[$0] != other.figures[$0] } }
            return bill.contains { figures[$0] != other.figures[$0] }
        }

        /// Whether these are two trips by their figures.
        fileprivate func hasNothingInCommon(with other: Traits) -> Bool {
            let known = known(with: other)
            return known.count >= (differsInRegion(from: other) ? 2 : 3)
                && known.allSatisfy { Self.areFarApart(figures[$0], other.figures[$0]) }
        }

        /// Estimates and the final values are nearer.
        private static func areFarApart(_ left: Int, _ right: Int) -> Bool {
            abs(left - right) > max(abs(left), abs(right)) / 10
        }
    }

    fileprivate enum ComparedFigure: Int, CaseIterable {
        case cost, loadedMiles, duration, response

        var name: String {
            switch self {
            case .cost: "a cost"
            case .loadedMiles: "loaded miles"
            case .duration: "a duration"
            case .response: "a response time"
            }
        }
    }

    /// Pairs that were compared, and how many of them are what is looked for.
    private struct Comparison: Hashable {
        private static let mostPlaces = 3
        var compared = 0
        var found = 0
        /// Of the first that are found.
        private(set) var places: [RecordPair] = []

        mutating func add(_ isFound: Bool, at place: RecordPair) {
            compared += 1
            guard isFound else { return }
            found += 1
            if places.count < Self.mostPlaces || place < places[places.count - 1] { note([place]) }
        }

        mutating func merge(_ other: Comparison) {
            compared += other.compared
            found += other.found
            note(other.places)
        }

        private mutating func note(_ more: [RecordPair]) {
            places = Array((places + more).sorted().prefix(Self.mostPlaces))
        }

        /// Whether at least so many, and more than one in so many, are found. One or two may be slips.
        func isDoubtful(fewest: Int, oneIn share: Int) -> Bool { found >= fewest && found * share > compared }

        var count: String { "\(found) of \(compared) trips that come again" }
    }

    /// Why the records may not replace others, and what to do.
    package struct Refusal: Sendable, Hashable {
        package let problem: String
        package let remedy: String
        /// Of the first records that show it.
        package let places: [RecordPair]
    }

    /// A part and its trip are more than half a year apart.
    private var partsOfOtherTrips = Comparison()
    /// By figure: the earlier record has it, and the later one has not.
    private var lost = Array(repeating: Comparison(), count: ComparedFigure.allCases.count)
    /// One record has a cost above 0, the other below.
    private var takenBack = Comparison()
    /// Completed trips of other days.
    private var otherTrips = Comparison()
    /// Completed trips of one day that have no figure in common.
    private var otherFigures = Comparison()
    /// Records without a version, of two exports, that are more than a week apart.
    private var otherDays = Comparison()
    /// Records without a version, of two exports, with different costs.
    private var otherCosts = Comparison()
    /// The record that does not count has no version, and the one of the other export has.
    private var unstated = Comparison()

    /// Corrections of dates are of days.
    fileprivate static let mostDaysCorrected: Int32 = 7
    /// Bills may be dated when they were sent.
    private static let mostDaysOfParts: Int32 = 180
    private static let fewestOtherCosts = 5

    package init() {}

    /// Which versions two records state.
    package enum Versions: Sendable {
        /// Neither does: they are of two exports.
        case none
        case stated
        /// Only the one that counts, of another export.
        case onlyOfLater
    }

    /// Compares two records that are no copies of each other.
    package mutating func compare(
        _ trip: Traits, replacing other: Traits, versions: Versions, at place: RecordPair
    ) {
        unstated.add(versions == .onlyOfLater, at: place)
        guard trip.isRun, other.isRun else { return }
        if versions == .none {
            let days = (trip.day - other.day).magnitude
            otherDays.add(
                days > Self.mostDaysCorrected.magnitude || days > 0 && trip.differsInRegion(from: other), at: place)
            if let cost = trip.costCents, let otherCost = other.costCents {
                otherCosts.add(cost != otherCost, at: place)
            }
        }
        for figure in ComparedFigure.allCases where other.isKnown(figure) {
            lost[figure.rawValue].add(!trip.isKnown(figure), at: place)
        }
        takenBack.add((trip.costCents ?? 0).signum() * (other.costCents ?? 0).signum() < 0, at: place)
        guard trip.isFinished, other.isFinished else { return }
        otherTrips.add(trip.isOfAnotherDay(than: other), at: place)
        otherFigures.add(trip.hasNothingInCommon(with: other), at: place)
    }

    /// Compares the day of a supplement's record with that of its trip.
    package mutating func compare(partDay: Int32, withTripDay day: Int32, at place: RecordPair) {
        partsOfOtherTrips.add((partDay - day).magnitude > Self.mostDaysOfParts.magnitude, at: place)
    }

    package mutating func merge(_ other: ReplacedTrips) {
        partsOfOtherTrips.merge(other.partsOfOtherTrips)
        for figure in lost.indices { lost[figure].merge(other.lost[figure]) }
        takenBack.merge(other.takenBack)
        otherTrips.merge(other.otherTrips)
        otherFigures.merge(other.otherFigures)
        otherDays.merge(other.otherDays)
        otherCosts.merge(other.otherCosts)
        unstated.merge(other.unstated)
    }

    /// Nil: what was compared are versions of the same trips.
    package var refusal: Refusal? {
        let otherwise =
            "; if the later records are corrections, write `records: versions` into the profile, and they are no longer compared"
        if partsOfOtherTrips.isDoubtful(fewest: 3, oneIn: 10) {
            return Refusal(
                problem:
                    "\(partsOfOtherTrips.found) of \(partsOfOtherTrips.compared) records are more than half a year away from the trips "
                    + "of their ids: the ids are not unique, and values of one trip would be added to another",
                remedy:
                    "have each trip's parts sent under an id that no other trip has; or give each year a `source:` of its own, in "
                    + "the profile of the trips and in `supplement:`", places: partsOfOtherTrips.places)
        }
        if let figure = ComparedFigure.allCases.first(where: { lost[$0.rawValue].isDoubtful(fewest: 5, oneIn: 5) }) {
            let pairs = lost[figure.rawValue]
            return Refusal(
                problem:
                    "\(pairs.found) of \(pairs.compared) trips that have \(figure.name) have none in the later of their records, and the "
                    + "later one would count alone",
                remedy:
                    "if one export has the times and the other the costs, give each a profile with a `source:` of its own, write "
                    + "`supplement: SOURCE` into that of the costs, and load both; if columns are missing, have it sent with all columns"
                    + otherwise, places: pairs.places)
        }
        if takenBack.isDoubtful(fewest: 3, oneIn: 5) {
            return Refusal(
                problem:
                    "\(takenBack.count) have a cost above 0 in one record and below 0 in the other: an amount that is taken back would "
                    + "replace the bill",
                remedy: "have all lines of a bill sent in one export, and write `records: lines` into its profile"
                    + otherwise, places: takenBack.places)
        }
        let what: String
        let places: [RecordPair]
        if otherTrips.isDoubtful(fewest: 10, oneIn: 5) || otherTrips.isDoubtful(fewest: 5, oneIn: 2) {
            what = "\(otherTrips.count) have another day and other figures in the later of their records"
            places = otherTrips.places
        } else if otherFigures.isDoubtful(fewest: 10, oneIn: 2) {
            what = "\(otherFigures.count) have no figure in common with the later of their records"
            places = otherFigures.places
        } else if otherDays.isDoubtful(fewest: 3, oneIn: 100) {
            what =
                "\(otherDays.count) are more than a week apart in two exports, or on other days in other regions"
            places = otherDays.places
        } else {
            return nil
        }
        return Refusal(
            problem: what + ": the ids are not unique, and one of each two trips would vanish",
            remedy:
                "map another column, or add one as leg_id, so that each trip has an id of its own (or give each year or region a "
                + "`source:` of its own)" + otherwise, places: places)
    }

    /// What must be said though it may be right.
    package var notes: [String] {
        var notes = ComparedFigure.allCases.compactMap { figure -> String? in
            let pairs = lost[figure.rawValue]
            guard pairs.found > 0 else { return nil }
            return
                "\(pairs.found) of \(pairs.compared) trips that come again had \(figure.name) before and have none now"
        }
        if takenBack.found > 0 {
            notes.append(
                "\(takenBack.count) have a cost above 0 in one record and below 0 in the other, and only the later one counts; if they "
                    + "are lines of a bill, have them sent in one export and write `records: lines` into its profile")
        }
        if otherCosts.isDoubtful(fewest: Self.fewestOtherCosts, oneIn: 2) {
            notes.append(
                "\(otherCosts.count) have another cost in the later export, and only that one counts; if both are parts of a bill (base "
                    + "rate and mileage, two payers), have them sent in one export and write `records: lines` into its profile"
            )
        }
        if unstated.found > 0 {
            notes.append(
                "\(unstated.found) records have no updated_at or sequence, and a record of the same trip in another export has one: "
                    + "that one counts")
        }
        return notes
    }

    /// Pairs of two exports of which nothing but the order of the exports says which is newer.
    package var unversioned: Int { otherDays.compared }
}

package import Basics
import Trips

/// Makes the rows that a privacy profile allows: the way into this folder.
///
/// It takes trips with identifying values (`SourceTrip`) and returns a `DeidentifiedTrip`, or nil if the profile does not
/// allow the row. No other type makes rows. It prints, stores and throws nothing.
package struct Deidentifier: Sendable {
    /// The settings of row-level output.
    package struct Policy: Sendable {
        package var profile: PrivacyProfile
        package var zipAreas: ZIPAreas
        package var states: States
        /// Whether each region is a state or larger, by the configuration.
        package var regionsAreStates = false
        /// Ids and names of providers that may be shown, in lower case.
        package var shownProviders: Set<String> = []
        /// The day of release.
        package var today: CivilDay

        package init(profile: PrivacyProfile, zipAreas: ZIPAreas, states: States, today: CivilDay) {
            self.profile = profile
            self.zipAreas = zipAreas
            self.states = states
            self.today = today
        }
    }

    /// Ages over this are one class.
    private static let highestAgeShown = 89
    /// Days after a year's end until it is shown. Exports of its last trips are loaded by then, so that the night in which
    /// a row appears does not disclose its day.
    package static let quietDays = 90

    private let policy: Policy

    package init(_ policy: Policy) {
        self.policy = policy
    }

    package var profile: PrivacyProfile { policy.profile }
    package var shownProviders: Set<String> { policy.shownProviders }

    /// The last year that may be shown by year alone.
    package var lastWholeYear: Int {
        policy.today.advanced(by: -Self.quietDays).components.year - 1
    }

    /// Nil: the trip is not to be shown. It was not completed, or its year is not over.
    package func deidentify(_ trip: SourceTrip) -> DeidentifiedTrip? {
        guard trip.status == .completed else { return nil }
        let profile = policy.profile
        let year = trip.day.components.year
        guard !profile.isCoarse || year <= lastWholeYear else { return nil }
        let patient = patient(trip.patient, on: trip.day)
        let showsRegion = !profile.isCoarse || policy.regionsAreStates
        return DeidentifiedTrip(
            id: trip.id, label: profile.label,
            date: profile.isCoarse ? String(year) : trip.day.description,
            tripType: trip.tripType,
            region: showsRegion ? trip.region : nil, sourcing: trip.sourcing, provider: provider(of: trip),
            intervals: intervals(of: trip), costCents: measure(trip.costCents, .cents),
            loadedHundredths: measure(trip.loadedHundredths, .hundredthsOfMiles),
            unloadedHundredths: profile.isCoarse ? nil : trip.unloadedHundredths,
            age: patient.age, birthDate: patient.birthDate, zip: patient.zip, city: patient.city,
            state: patient.state)
    }

    // MARK: - Measures
    /// Only the duration is shown: six intervals would be a unique pattern even if they were rounded.
    private func intervals(of trip: SourceTrip) -> [Int?] {
        guard policy.profile.isCoarse else { return trip.intervals }
        return TripInterval.allCases.map { interval in
            interval == .duration ? measure(trip.intervals[interval.rawValue], .seconds) : nil
        }
    }

    private func measure(_ value: Int?, _ steps: MeasureSteps) -> Int? {
        policy.profile.isCoarse ? value.flatMap(steps.nearest) : value
    }

    private func provider(of trip: SourceTrip) -> String? {
        let names = [trip.providerID, trip.providerName].filter { !$0.isEmpty }
        guard names.contains(where: { policy.shownProviders.contains($0.lowercased()) }) else { return nil }
        return trip.providerName.isEmpty ? trip.providerID : trip.providerName
    }

    // MARK: - The patient

    private struct ShownPatient {
        var age: String?
        var birthDate: String?
        var zip: String?
        var city: String?
        var state: String?
    }

    private func patient(_ patient: SourcePatient?, on day: CivilDay) -> ShownPatient {
        var shown = ShownPatient()
        guard let patient else { return shown }
        let birthDay = patient.birthDay?.revealed(for: .deidentifying)
        if let birthDay { shown.age = age(birthDay, on: day) }
        let stateText = patient.state?.revealed(for: .deidentifying)
        shown.state = stateText.flatMap(policy.states.code)
        let zip = patient.zip?.revealed(for: .deidentifying)
        guard policy.profile.isCoarse else {
            shown.zip = zip.flatMap(ZIPAreas.fiveDigits)
            shown.city = patient.city?.revealed(for: .deidentifying).asCityName
            if let birthDay, shown.age != nil { shown.birthDate = birthDay.description }
            return shown
        }
        // Five digits of another country are no ZIP code.
        let isForeign = !(stateText ?? "").isEmpty && shown.state == nil
        shown.zip = zip.map { isForeign ? ZIPAreas.hidden : policy.zipAreas.area(of: $0) }
        return shown
    }

    /// Nil for a birth after the trip. Of two ages, at the trip and today, the higher one decides on 90+: with the year
    /// of the trip, an age of 85 ten years ago discloses an age over 89.
    private func age(_ birthDay: CivilDay, on day: CivilDay) -> String? {
        let age = Self.years(from: birthDay, to: day)
        guard age >= 0 else { return nil }
        let highest = max(age, Self.years(from: birthDay, to: policy.today))
        return policy.profile.isCoarse && highest > Self.highestAgeShown ? "90+" : String(age)
    }

    /// Whole years; a person born on 29 February is a year older on 1 March.
    static func years(from birthDay: CivilDay, to day: CivilDay) -> Int {
        let birth = birthDay.components, date = day.components
        let isBefore = (date.month, date.day) < (birth.month, birth.day)
        return date.year - birth.year - (isBefore ? 1 : 0)
    }
}

extension String {
    /// The text if it can be the name of a city: letters, blanks and `.'-`, at most 40 characters. An address has digits.
    fileprivate var asCityName: String? {
        guard !isEmpty, count <= 40, allSatisfy({ $0.isLetter || " .'-’".contains($0) }) else { return nil }
        return self
    }
}

/// Steps to which a measure is rounded where exact values could be unique.
private struct MeasureSteps: Sendable, Hashable {
    let step: Int
    /// The highest value. All values above it become it.
    let top: Int

    /// The nearest step, half up. A value above 0 is at least one step, so that it does not read as 0.
    func nearest(_ value: Int) -> Int? {
        guard value >= 0 else { return nil }
        if value == 0 { return 0 }
        return min(top, max(step, (value + step / 2) / step * step))
    }

    /// Five minutes, up to four hours.
    static let seconds = MeasureSteps(step: 300, top: 14_400)
    /// Five miles, up to a hundred.
    static let hundredthsOfMiles = MeasureSteps(step: 500, top: 10_000)
    /// A hundred dollars, up to five thousand.
    static let cents = MeasureSteps(step: 10_000, top: 500_000)
}

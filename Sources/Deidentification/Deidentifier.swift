package import Trips

// The face of Deidentification. In: trips with what points at a person. Out: `DeidentifiedTrip`s, made under a
// `PrivacyProfile`, or nothing. It is the only road from a trip to a row of a file. It prints, stores and throws nothing.

/// Makes the rows that a profile allows.
package struct Deidentifier: Sendable {
    /// What the configuration says of rows.
    package struct Terms: Sendable {
        package var profile: PrivacyProfile
        package var zipAreas: ZIPAreas
        package var states: States
        /// Whether the configuration says that each region is a state or larger.
        package var regionsAreStates = false
        /// Ids and names that a roster lets be shown, folded to lower case.
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
    package static let highestAgeShown = 89
    /// Days after a year's end until it is shown: exports of its last trips have come in by then, so that no row gives
    /// its day away by the night in which it appears.
    package static let quietDays: Int32 = 90

    private let terms: Terms

    package init(_ terms: Terms) {
        self.terms = terms
    }

    package var profile: PrivacyProfile { terms.profile }
    package var shownProviders: Set<String> { terms.shownProviders }

    /// The last year that may be shown by year alone.
    package var lastWholeYear: Int {
        CivilDay(daysSince1970: terms.today.daysSince1970 - Self.quietDays).components.year - 1
    }

    /// Nil: the trip is not to be shown. It was not completed, or its year is not over.
    package func deidentify(_ trip: SourceTrip) -> DeidentifiedTrip? {
        guard trip.status == .completed else { return nil }
        let profile = terms.profile
        let date: String
        switch profile.dates {
        case .year:
            let year = trip.day.components.year
            guard year <= lastWholeYear else { return nil }
            date = String(year)
        case .day: date = trip.day.description
        }
        let patient = patient(trip.patient, on: trip.day)
        let showsRegion = profile.places == .cityStateZIP || terms.regionsAreStates
        return DeidentifiedTrip(
            id: trip.id, label: profile.label, date: date, tripType: trip.tripType,
            region: showsRegion ? trip.region : nil, sourcing: trip.sourcing, provider: provider(of: trip),
            intervals: intervals(of: trip), costCents: measure(trip.costCents, .cents),
            loadedHundredths: measure(trip.loadedHundredths, .hundredthsOfMiles),
            unloadedHundredths: profile.isCoarse ? nil : trip.unloadedHundredths,
            age: patient.age, birthDate: patient.birthDate, zip: patient.zip, city: patient.city,
            state: patient.state)
    }

    // MARK: - Measures

    /// All six in steps would still be a pattern: only the duration is shown.
    private func intervals(of trip: SourceTrip) -> [Int?] {
        guard terms.profile.isCoarse else { return trip.intervals }
        return TripInterval.allCases.map { interval in
            interval == .duration ? measure(trip.intervals[interval.rawValue], .seconds) : nil
        }
    }

    private func measure(_ value: Int?, _ steps: Steps) -> Int? {
        terms.profile.isCoarse ? value.flatMap(steps.nearest) : value
    }

    private func provider(of trip: SourceTrip) -> String? {
        let names = [trip.providerID, trip.providerName].filter { !$0.isEmpty }
        guard names.contains(where: { terms.shownProviders.contains($0.lowercased()) }) else { return nil }
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
        shown.state = stateText.flatMap(terms.states.code)
        let zip = patient.zip?.revealed(for: .deidentifying)
        switch terms.profile.places {
        case .stateAndZIPArea:
            // Five digits of another country are no ZIP code.
            let isForeign = !(stateText ?? "").isEmpty && shown.state == nil
            shown.zip = zip.map { isForeign ? ZIPAreas.hidden : terms.zipAreas.area(of: $0) }
        case .cityStateZIP:
            shown.zip = zip.flatMap(ZIPAreas.fiveDigits)
            shown.city = patient.city?.revealed(for: .deidentifying).asCityName
            if let birthDay, shown.age != nil { shown.birthDate = birthDay.description }
        }
        return shown
    }

    /// Nil for a birth after the trip. Of two ages, at the trip and today, the higher one decides on 90+: with the year
    /// of the trip, an age of 85 ten years ago tells an age over 89.
    private func age(_ birthDay: CivilDay, on day: CivilDay) -> String? {
        let age = Self.years(from: birthDay, to: day)
        guard age >= 0 else { return nil }
        let highest = max(age, Self.years(from: birthDay, to: terms.today))
        return terms.profile.isCoarse && highest > Self.highestAgeShown ? "90+" : String(age)
    }

    /// Whole years; who was born on 29 February is a year older on 1 March.
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

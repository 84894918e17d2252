package import Trips

extension Profile {
    /// The forms in which a field's times are written: its own patterns, then the general ones.
    ///
    /// - Parameter field: nil: of no field of its own.
    package func timeForms(of field: CanonicalField?) -> TimeForms {
        let own = field.flatMap { datePatternsByField[$0] } ?? []
        return TimeForms(
            own + datePatterns, names: CalendarNames(adding: languages),
            zones: ZoneAbbreviations(adding: zoneOffsets), decimalMark: decimalMark)
    }
}

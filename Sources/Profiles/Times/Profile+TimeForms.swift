package import Trips

extension Profile {
    /// The forms in which a field's times are written: its own patterns, or the general ones if it has none. A general pattern
    /// behind its own ones could read day and month in another order, value by value.
    ///
    /// - Parameter field: nil: of no field of its own.
    package func timeForms(of field: CanonicalField?) -> TimeForms {
        TimeForms(
            field.flatMap { datePatternsByField[$0] } ?? datePatterns, names: CalendarNames(adding: languages),
            zones: ZoneAbbreviations(adding: zoneOffsets), decimalMark: decimalMark,
            readsClocks: field.map(hasDateColumn) ?? false)
    }

    /// Whether a field may hold times of day, because another column has the date.
    package func hasDateColumn(for field: CanonicalField) -> Bool {
        dateColumns[field] != nil || dateSource != nil && TripEvent.allCases.contains { $0.field == field }
    }

    /// The columns that are read beside those of the fields: of dates, and of intervals.
    package var columnsBesideFields: [String] {
        (dateSource?.columns ?? []) + dateColumns.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
            + TripInterval.allCases.compactMap { statedIntervals[$0]?.column }
    }
}

package import Trips

/// Columns of a plain file whose names may mean a field that the figures need, but are too loose to load by.
package enum LooseName {
    private static let fields: [CanonicalField] =
        TripEvent.allCases.map(\.field) + [.cost, .loadedMiles, .unloadedMiles, .region, .tripType, .status]
    /// The least that a name is worth which is proposed by itself.
    private static let leastPercent = 50

    /// The fields that a name may mean, the likeliest first.
    package static func fields(of header: String) -> [CanonicalField] {
        SuggestedNames.standard.meanings(of: HeaderName(header)).entries.filter { $0.percent >= leastPercent }
            .compactMap(\.field)
    }

    /// Whether a name is one of those that are known for a field: no value, so that it may be shown.
    package static func isKnown(_ header: String) -> Bool {
        SynonymTable.standard.meaning(of: header) != nil || SuggestedNames.standard.isKnown(HeaderName(header))
    }

    /// `a column may be meant, but is not read: “Miles” (loaded_miles); …`; nil: there is none.
    ///
    /// - Parameters:
    ///   - check: says which names may be shown.
    ///   - profile: made from the header.
    ///   - hidden: positions of columns that look like PHI, from 1.
    package static func sentence(
        header: [String], _ check: HeaderCheck, profile: Profile, hidden: Set<Int>
    ) -> String? {
        func has(_ field: CanonicalField) -> Bool { profile.columns[field] != nil || profile.constants[field] != nil }
        let hasOdometers = has(.odometerStart) && has(.odometerEnd)
        // Of two columns of money either may be the cost: what was billed, and what was paid.
        let sought = Set(fields.filter { $0 == .cost || !has($0) && !($0 == .loadedMiles && hasOdometers) })
        let read = PHIColumnCheck.mappedColumns(of: profile, in: header)
        // One that is mapped too, behind another.
        let costs = (profile.columns[.cost] ?? []).compactMap { header.firstIndex(of: $0) }
        let others = costs.dropFirst().filter(check.mayPrint).map {
            "“\(header[$0])” (\(CanonicalField.cost.rawValue))"
        }
        let found =
            others
            + header.indices.compactMap { index -> String? in
                guard !read.contains(index), !hidden.contains(index + 1), check.mayPrint(index) else { return nil }
                if sought.contains(.status), CancellationColumn.status(of: header[index]) != nil {
                    return "“\(header[index])” (\(CanonicalField.status.rawValue))"
                }
                let meanings = SuggestedNames.standard.meanings(of: HeaderName(header[index]))
                if meanings.reason == "known name", let entry = meanings.entries.first, let field = entry.field,
                    sought.contains(field), entry.percent >= leastPercent
                {
                    return "“\(header[index])” (\(field.rawValue))"
                }
                guard let interval = StatedIntervalSuggestion.interval(named: header[index]),
                    !(has(interval.standardPair.start.field) && has(interval.standardPair.end.field))
                else { return nil }
                return "“\(header[index])” (\(interval.name))"
            }
        guard !found.isEmpty else { return nil }
        let what = found.count == 1 ? "a column may be meant, but is" : "columns may be meant, but are"
        return "\(what) not read: \(found.joined(separator: ", ")); `tripkpi map` asks, and writes a profile"
    }
}

internal import StrictYAML
internal import Trips

extension ProfileReader {
    /// `field: name` or `field: [name, name]`. No column is used for two fields.
    mutating func readColumns(_ value: YAMLValue) {
        var uses: [String: (field: CanonicalField, line: Int)] = [:]
        for entry in log.entries(value) {
            guard let field = field(entry, among: CanonicalField.allCases) else { continue }
            if field == .tripID, (try? entry.value.string()) == Self.noTripID {
                profile.hasNoTripIDs = true
                continue
            }
            profile.columns[field] = log.attempt(try Self.names(entry.value, of: field, uses: &uses))
        }
    }

    /// In place of a column of ids. A column of this name is named by its number.
    private static var noTripID: String { "none" }

    private static func names(
        _ value: YAMLValue, of field: CanonicalField, uses: inout [String: (field: CanonicalField, line: Int)]
    ) throws(ConfigurationError) -> [String] {
        let names = try value.strings()
        if names.isEmpty {
            throw value.error("\(field.rawValue) has no column", hint: "name one, or remove the line")
        }
        for (index, name) in names.enumerated() {
            let place = value.place(ofElement: index)
            guard !name.trimmingBlanks().isEmpty else {
                throw place.error("a column name is blank", hint: "write the name as in the header")
            }
            if let other = uses.updateValue((field, place.line), forKey: name.trimmingBlanks().lowercased()) {
                throw place.error(
                    "the column “\(name)” is used twice: for \(other.field.rawValue) in line \(other.line) and"
                        + " for \(field.rawValue)", hint: "keep one of them")
            }
        }
        return names
    }

    /// A list of fields that have a column, or a table of regions.
    mutating func readRequired(_ value: YAMLValue) {
        guard let names = log.attempt(try value.strings()) else { return }
        let hasRegionTable = profile.lookups.contains { !$0.regions.isEmpty }
        let mapped = CanonicalField.allCases.filter {
            profile.columns[$0] != nil || $0 == .region && hasRegionTable
        }
        for (index, name) in names.enumerated() {
            let place = value.place(ofElement: index)
            if let field = CanonicalField(rawValue: name), mapped.contains(field) {
                profile.required.insert(field)
            } else if CanonicalField(rawValue: name) == nil {
                log.add(place.unknown("field", name, among: mapped.map(\.rawValue)))
            } else {
                log.add(
                    place.error(
                        "\(name) is required and has no column", hint: "add it to “columns:”, or remove it here"))
            }
        }
    }

    /// `field: value`. Only fields that do not point at a person or a single trip.
    mutating func readConstants(_ value: YAMLValue) {
        let allowed = CanonicalField.allCases.filter { !$0.isIdentifying || $0 == .facilityID }
        for entry in log.entries(value) {
            guard let field = field(entry, among: allowed) else { continue }
            profile.constants[field] = log.attempt(try constant(entry, of: field))
        }
    }

    private func constant(_ entry: YAMLValue.Entry, of field: CanonicalField) throws(ConfigurationError) -> String {
        let text = try entry.value.string()
        if profile.columns[field] != nil {
            throw entry.keyPlace.error("\(field.rawValue) has a column and a constant", hint: "keep one of them")
        }
        if let known = canonicalValues(of: field), !known.contains(text) {
            throw entry.value.error(
                "“\(text)” is not a known \(field.rawValue)", hint: Spelling.hint(for: text, among: known))
        }
        return text
    }

    /// The values a field can have once mapped; nil if any text will do.
    private func canonicalValues(of field: CanonicalField) -> [String]? {
        switch field {
        case .status: TripStatus.allCases.map(\.name)
        case .tripType: profile.vocabulary.tripTypes.names
        case .region: profile.vocabulary.regions.names
        case .eventCode: TripEvent.allCases.map(\.field.rawValue)
        default: nil
        }
    }

    /// `status`, `trip_type`, `region` and `event_code`, each with `map` and `otherwise`.
    mutating func readValues(_ value: YAMLValue) {
        for entry in log.entries(value) {
            guard let field = field(entry, among: [.status, .tripType, .region, .eventCode]) else { continue }
            if profile.columns[field] == nil {
                log.add(
                    entry.keyPlace.error(
                        "\(field.rawValue) has values and no column", hint: "add it to “columns:”, or remove it here"))
            }
            profile.valueMaps[field] = valueMap(entry.value, of: field)
        }
    }

    private func valueMap(_ value: YAMLValue, of field: CanonicalField) -> ValueMap {
        let known = canonicalValues(of: field) ?? []
        let keys = log.mapping(value, allowed: ["map", "otherwise"])
        var map = ValueMap(entries: [:])
        var lines: [String: Int] = [:]
        for entry in keys.optional("map").map(log.entries) ?? [] {
            let key = entry.key.trimmingBlanks().lowercased()
            if let line = lines.updateValue(entry.keyPlace.line, forKey: key) {
                log.add(
                    entry.keyPlace.error(
                        "this value appears here and in line \(line) (case does not matter)", hint: "keep one of them"))
            } else {
                map.entries[key] = log.attempt(try entry.value.name(field.rawValue, among: known))
            }
        }
        map.otherwise = log.attempt(try keys.optional("otherwise")?.name(field.rawValue, among: known))
        return map
    }
}

extension YAMLValue {
    /// The place of an element of a list; the value's own place if it is no list.
    func place(ofElement index: Int) -> Location {
        if case .list(let values) = content, values.indices.contains(index) { return values[index].place }
        return place
    }
}

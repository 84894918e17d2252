import StrictYAML
import Trips

extension ProfileReader {
    /// `regions` and `trip_types`, which take the place of the configured lists.
    mutating func readLists(_ keys: [String: YAMLValue]) {
        if let value = keys["regions"] {
            var validity: [UInt8: ClosedRange<CivilDay>] = [:]
            let names = readNames(value, "region", validity: &validity, isDated: true)
            profile.vocabulary.regions = NamedList(names)
            profile.vocabulary.regionValidity = validity
        }
        if let value = keys["trip_types"] {
            var none: [UInt8: ClosedRange<CivilDay>] = [:]
            profile.vocabulary.tripTypes = NamedList(readNames(value, "trip type", validity: &none, isDated: false))
        }
    }

    /// Names, or mappings of `name`, `from` and `to`. Codes count from 1 in the order of the list.
    private mutating func readNames(
        _ value: YAMLValue, _ what: String, validity: inout [UInt8: ClosedRange<CivilDay>], isDated: Bool
    ) -> [String] {
        var elements: [YAMLValue] = []
        attempt { _ throws(ConfigurationError) in elements = try value.list() }
        if elements.count > 254 {
            errors.append(value.error("more than 254 names", hint: "shorten the list"))
            return []
        }
        var names: [String] = []
        for element in elements {
            var days: ClosedRange<CivilDay>?
            attempt { reader throws(ConfigurationError) in
                var nameValue = element
                if case .mapping = element.content {
                    let keys = try element.mapping(allowed: isDated ? ["name", "from", "to"] : ["name"])
                    nameValue = try keys.required("name")
                    days = try Self.days(keys)
                }
                let name = try nameValue.string()
                try Self.check(name, at: nameValue, what, names: names)
                names.append(name)
                if let days, let code = UInt8(exactly: names.count) { validity[code] = days }
            }
        }
        if names.isEmpty, elements.isEmpty {
            errors.append(value.error("the list is empty", hint: "name at least one \(what), or remove the key"))
        }
        return names
    }

    private static func check(
        _ name: String, at value: YAMLValue, _ what: String, names: [String]
    ) throws(ConfigurationError) {
        guard name == name.trimmingBlanks(), !name.isEmpty, name.count <= 64 else {
            throw value.error("a \(what) needs a name of 1 to 64 characters", hint: "remove outer blanks")
        }
        if ["all", "unassigned"].contains(name.lowercased()) {
            throw value.error("“\(name)” is a reserved name", hint: "Unassigned is always there; All is the sum")
        }
        if names.contains(where: { $0.lowercased() == name.lowercased() }) {
            throw value.error("the \(what) “\(name)” stands twice in the list", hint: "keep one of them")
        }
    }

    /// Nil if there are no bounds.
    private static func days(_ keys: YAMLMapping) throws(ConfigurationError) -> ClosedRange<CivilDay>? {
        let from = try keys.optional("from").map(day), to = try keys.optional("to").map(day)
        guard from != nil || to != nil else { return nil }
        let first = from ?? CivilDay(daysSince1970: CivilDay.days(year: 1, month: 1, day: 1))
        let last = to ?? CivilDay(daysSince1970: CivilDay.days(year: 9999, month: 12, day: 31))
        guard first <= last else {
            throw keys.place(ofKey: "to").error("“to” lies before “from”", hint: "exchange them")
        }
        return first...last
    }

    private static func day(_ value: YAMLValue) throws(ConfigurationError) -> CivilDay {
        guard let day = CivilDay(try value.string()) else {
            throw value.error("this is not a day of the calendar", hint: "write YYYY-MM-DD")
        }
        return day
    }

    /// `status`, `trip_type` and `region`, each with `map` and `otherwise`.
    mutating func readValues(_ value: YAMLValue) {
        for entry in entries(value) {
            guard let field = field(entry, among: [.status, .tripType, .region]) else { continue }
            if profile.columns[field] == nil {
                errors.append(
                    entry.keyPlace.error(
                        "\(field.rawValue) has values and no column", hint: "add it to “columns:”, or remove it here"))
            }
            readValueMap(entry.value, of: field)
        }
    }

    private mutating func readValueMap(_ value: YAMLValue, of field: CanonicalField) {
        let keys = mapping(value, allowed: ["map", "otherwise"])
        var map = ValueMap(entries: [:])
        var lines: [String: Int] = [:]
        for entry in keys["map"].map({ entries($0) }) ?? [] {
            attempt { reader throws(ConfigurationError) in
                let key = entry.key.trimmingBlanks().lowercased()
                if let line = lines.updateValue(entry.keyPlace.line, forKey: key) {
                    throw entry.keyPlace.error(
                        "this value stands here and in line \(line) (case does not matter)", hint: "keep one of them")
                }
                map.entries[key] = try reader.canonical(entry.value, of: field)
            }
        }
        if let otherwise = keys["otherwise"] {
            attempt { reader throws(ConfigurationError) in
                map.otherwise = try reader.canonical(otherwise, of: field)
            }
        }
        profile.valueMaps[field] = map
    }

    /// A status, or a name of the configured list.
    func canonical(_ value: YAMLValue, of field: CanonicalField) throws(ConfigurationError) -> String {
        let text = try value.string()
        let known = canonicalValues(of: field) ?? []
        guard known.contains(text) else {
            throw value.error("unknown \(field.rawValue) “\(text)”", hint: Spelling.hint(for: text, among: known))
        }
        return text
    }
}

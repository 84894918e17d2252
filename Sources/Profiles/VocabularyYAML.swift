import Basics
internal import Rules
package import StrictYAML
internal import Trips

/// Reads `regions` and `trip_types` outside of a profile, with the same checks.
package enum VocabularyYAML {
    /// The lists that `root` states; `standard` where it states none.
    package static func read(_ root: YAMLValue, standard: Vocabulary) throws(ConfigurationErrors) -> Vocabulary {
        var vocabulary = standard
        let log = ConfigurationErrorLog()
        let keys = Dictionary(log.entries(root).map { ($0.key, $0.value) }) { first, _ in first }
        VocabularyReader(log: log).read(regions: keys["regions"], tripTypes: keys["trip_types"], into: &vocabulary)
        guard log.errors.isEmpty else { throw log.sorted(from: root.place.file) }
        return vocabulary
    }
}

/// Reads the two lists of a profile or a settings file.
struct VocabularyReader {
    let log: ConfigurationErrorLog

    /// A list that is stated takes the place of that of `vocabulary`.
    func read(regions: YAMLValue?, tripTypes: YAMLValue?, into vocabulary: inout Vocabulary) {
        if let regions {
            let entries = entries(regions, "region", keys: ["name", "from", "to"])
            vocabulary.regions = NamedList(entries.map(\.name))
            vocabulary.openLists.remove(.region)
            vocabulary.regionValidity = [:]
            // Codes count from 1 in the order of the list.
            for (index, entry) in entries.enumerated() {
                if let code = UInt8(exactly: index + 1) { vocabulary.regionValidity[code] = entry.days }
            }
        }
        if let tripTypes {
            vocabulary.openLists.remove(.tripType)
            vocabulary.tripTypes = NamedList(entries(tripTypes, "trip type", keys: ["name"]).map(\.name))
        }
        let regionCount = vocabulary.regions.names.count - 1, tripTypeCount = vocabulary.tripTypes.names.count - 1
        if regionCount * tripTypeCount > Self.mostPairs, let list = regions ?? tripTypes {
            log.add(
                list.error(
                    "\(regionCount) regions and \(tripTypeCount) trip types make \(regionCount * tripTypeCount) pairs, and no "
                        + "more than \(Self.mostPairs) can be published",
                    hint: "list those that matter, and give several of them one name: trips of others are Unassigned"))
        }
    }

    /// Pairs of region and trip type. With more, the page of two years is larger than 25 MB, and a run needs more than 1 GB.
    static let mostPairs = 1024

    private typealias Entry = (name: String, days: ClosedRange<CivilDay>?)

    /// Names, or mappings of `name`, `from` and `to`.
    private func entries(_ value: YAMLValue, _ what: String, keys: [String]) -> [Entry] {
        let elements = log.attempt(try value.list()) ?? []
        guard elements.count <= 254 else {
            log.add(value.error("more than 254 names", hint: "shorten the list"))
            return []
        }
        if elements.isEmpty {
            log.add(value.error("the list is empty", hint: "name at least one \(what), or remove the key"))
        }
        var entries: [Entry] = []
        for element in elements {
            if let entry = log.attempt(try entry(element, what, keys: keys, earlier: entries)) { entries.append(entry) }
        }
        return entries
    }

    private func entry(
        _ element: YAMLValue, _ what: String, keys: [String], earlier: [Entry]
    ) throws(ConfigurationError) -> Entry {
        var value = element
        var days: ClosedRange<CivilDay>?
        if case .mapping = element.content {
            let keys = try element.mapping(allowed: keys)
            value = try keys.required("name")
            days = try Self.days(keys)
        }
        let name = try value.string()
        guard name == name.trimmingBlanks(), !name.isEmpty, name.count <= 64 else {
            throw value.error("a \(what) needs a name of 1 to 64 characters", hint: "remove outer blanks")
        }
        if ["all", "unassigned"].contains(name.lowercased()) {
            throw value.error("“\(name)” is a reserved name", hint: "Unassigned is always there; All is the total")
        }
        if earlier.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            throw value.error("the \(what) “\(name)” appears twice in the list", hint: "keep one of them")
        }
        return (name, days)
    }

    /// Nil if there are no bounds.
    private static func days(_ keys: YAMLMapping) throws(ConfigurationError) -> ClosedRange<CivilDay>? {
        let from = try keys.optional("from")?.day(), to = try keys.optional("to")?.day()
        guard from != nil || to != nil else { return nil }
        let first = from ?? CivilDay(daysSince1970: CivilDay.days(year: 1, month: 1, day: 1))
        let last = to ?? CivilDay(daysSince1970: CivilDay.days(year: 9999, month: 12, day: 31))
        guard first <= last else {
            throw keys.place(ofKey: "to").error("“to” lies before “from”", hint: "exchange them")
        }
        return first...last
    }
}

internal import Foundation
internal import KPIs
package import StrictYAML
internal import Trips

/// Reads a profile of `kind: events` from YAML (`docs/events.md` lists its keys). All errors are reported together.
package enum EventProfileFile {
    package static let keys = [
        "kind", "source", "format", "delimiter", "encoding", "header_rows", "records_path", "columns", "dates",
        "values",
        "lookups", "polygons", "kinds", "each_export", "max_reject", "max_record_bytes", "regions",
    ]

    /// Whether a profile says that it is of events.
    package static func isOfEvents(_ bytes: [UInt8], file: String) -> Bool {
        (try? YAMLValue.parse(bytes: bytes, file: file)).map(isOfEvents) ?? false
    }

    static func isOfEvents(_ root: YAMLValue) -> Bool {
        let kind = (try? root.entries())?.first { $0.key == "kind" }
        return (try? kind?.value.string()) == "events"
    }

    /// - Parameters: as for `ProfileFile.read`.
    package static func read(
        _ bytes: [UInt8], file: String, vocabulary: Vocabulary = .standard, isKnownZone: @escaping (String) -> Bool,
        load: @escaping (String) throws -> [UInt8]
    ) throws(ConfigurationErrors) -> EventProfile {
        let root: YAMLValue
        do {
            root = try YAMLValue.parse(bytes: bytes, file: file)
        } catch {
            throw ConfigurationErrors([error])
        }
        var reader = ProfileReader(root: root, isKnownZone: isKnownZone, load: load)
        reader.profile.vocabulary = vocabulary
        let profile = reader.readEvents()
        guard reader.log.errors.isEmpty else { throw reader.log.sorted(from: file) }
        return profile
    }
}

/// How an export of events relates to earlier ones of its source.
private enum EventExportScope: String, CaseIterable {
    /// It has all events of the source.
    case complete
    /// It has the events that no other export has.
    case new
}

extension ProfileReader {
    mutating func readEvents() -> EventProfile {
        let keys = log.mapping(root, allowed: EventProfileFile.keys)
        if !EventProfileFile.isOfEvents(root) {
            log.add(root.error("this profile is not of events", hint: "add “kind: events”, or use it for trips"))
        }
        profile.source = log.attempt(try source(keys.optional("source"))) ?? ""
        readText(keys)
        VocabularyReader(log: log).read(
            regions: keys.optional("regions"), tripTypes: nil, into: &profile.vocabulary)
        var columns: [EventField: [String]] = [:]
        if let value = keys.optional("columns") { columns = eventColumns(value) }
        if columns[.date] == nil {
            log.add(root.error("no column is the date", hint: "add “columns:” with “date: …” below it"))
        }
        if (columns[.latitude] == nil) != (columns[.longitude] == nil) {
            log.add(root.error("a place needs both coordinates", hint: "map latitude and longitude, or neither"))
        }
        if let dates = keys.optional("dates") {
            readDates(dates)
            if profile.dateSource != nil || !profile.dateColumns.isEmpty {
                log.add(
                    dates.error(
                        "“date” below “dates:” is for the times of day of trips",
                        hint: "map the date of an event below “columns:”"))
            }
        }
        if let values = keys.optional("values") { readValues(values) }
        if let lookups = keys.optional("lookups") { readLookups(lookups) }
        readLimits(keys)
        var events = EventProfile(base: profile)
        events.columns = columns
        if let kinds = keys.optional("kinds") { events.words = EventWords(eventWords(kinds)) }
        if let polygons = keys.optional("polygons") {
            events.polygons = log.attempt(try readPolygons(polygons))
            if columns[.latitude] == nil {
                log.add(
                    polygons.error("polygons need coordinates", hint: "map latitude and longitude under “columns:”"))
            }
        }
        let scope: EventExportScope? = log.attempt(try keys.optional("each_export")?.choice("each_export"))
        events.isComplete = scope == .complete
        return events
    }

    /// `date: [created_at, date]`; `region` as for trips.
    private mutating func eventColumns(_ value: YAMLValue) -> [EventField: [String]] {
        var columns: [EventField: [String]] = [:]
        let known = EventField.allCases.map(\.rawValue) + ["region"]
        for entry in log.entries(value) {
            guard known.contains(entry.key) else {
                log.add(entry.keyPlace.unknown("field of events", entry.key, among: known))
                continue
            }
            guard let names = log.attempt(try entry.value.strings()) else { continue }
            if names.isEmpty || names.contains(where: { $0.trimmingBlanks().isEmpty }) {
                log.add(entry.value.error("a column name is blank", hint: "write the name as in the header"))
            } else if let field = EventField(rawValue: entry.key) {
                columns[field] = names
            } else {
                profile.columns[.region] = names
            }
        }
        return columns
    }

    /// `road work: Road closure`, in the order of the file.
    private func eventWords(_ value: YAMLValue) -> [(words: String, kind: EventKind)] {
        var words: [(words: String, kind: EventKind)] = []
        for entry in log.entries(value) {
            guard entry.key.contains(where: { $0.isLetter || $0.isNumber }) else {
                log.add(entry.keyPlace.error("there is no word here", hint: "write the words of an event's text"))
                continue
            }
            let kind: EventKind? = log.attempt(try entry.value.choice("kind of event"))
            if let kind { words.append((entry.key, kind)) }
        }
        return words
    }

    /// `{file: regions.geojson, property: region}`.
    private func readPolygons(_ value: YAMLValue) throws(ConfigurationError) -> RegionPolygons {
        let keys = try value.mapping(allowed: ["file", "property"])
        let file = try keys.required("file"), property = try keys.required("property").string()
        let path = path(of: try file.string())
        let bytes: [UInt8]
        do {
            bytes = try load(path)
        } catch {
            throw file.error("the file “\(path)” cannot be read", hint: "its path is relative to the profile")
        }
        return try GeoJSONRegions(file: path, property: property, regions: profile.vocabulary.regions).read(bytes)
    }
}

/// Reads a GeoJSON file (RFC 7946): a FeatureCollection of polygons and multipolygons, each with the name of its region.
private struct GeoJSONRegions {
    let file: String
    let property: String
    let regions: NamedList

    func read(_ bytes: [UInt8]) throws(ConfigurationError) -> RegionPolygons {
        let document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        guard let document, document["type"] as? String == "FeatureCollection",
            let features = document["features"] as? [[String: Any]], !features.isEmpty
        else { throw error("it is not a FeatureCollection of GeoJSON", "export it as GeoJSON (RFC 7946)") }
        var polygons: [RegionPolygons.Polygon] = []
        for (place, feature) in features.enumerated() {
            polygons += try self.polygons(of: feature, "feature \(place + 1)")
        }
        return RegionPolygons(polygons)
    }

    private func polygons(
        of feature: [String: Any], _ place: String
    ) throws(ConfigurationError) -> [RegionPolygons.Polygon] {
        guard let name = (feature["properties"] as? [String: Any])?[property] as? String else {
            throw error("\(place) has no text “\(property)”", "name the property that has the region")
        }
        guard let code = regions.code(ignoringCase: name), code > 0 else {
            throw error(
                "\(place) has the unknown region “\(name)”", Spelling.hint(for: name, among: regions.names))
        }
        let geometry = feature["geometry"] as? [String: Any]
        let shapes: [Any]?
        switch geometry?["type"] as? String {
        case "Polygon": shapes = geometry?["coordinates"].map { [$0] }
        case "MultiPolygon": shapes = geometry?["coordinates"] as? [Any]
        default: shapes = nil
        }
        guard let shapes else { throw error("\(place) is neither a Polygon nor a MultiPolygon", "remove it") }
        var polygons: [RegionPolygons.Polygon] = []
        for shape in shapes {
            let rings = (shape as? [[[Double]]])?.map { $0.map(Self.point) }
            guard let rings, let whole = Self.whole(rings),
                let polygon = RegionPolygons.Polygon(region: regions.name(of: code), rings: whole)
            else {
                throw error(
                    "a ring of \(place) is not four or more positions of degrees that end where they begin",
                    "export it again as GeoJSON (RFC 7946)")
            }
            guard whole.allSatisfy(Self.staysOnItsSide) else {
                throw error(
                    "a ring of \(place) crosses the 180th meridian",
                    "cut the polygon there into a MultiPolygon (RFC 7946, 3.1.9)")
            }
            polygons.append(polygon)
        }
        return polygons
    }

    private static func point(_ position: [Double]) -> RegionPolygons.Point? {
        guard position.count >= 2 else { return nil }
        return RegionPolygons.Point(longitude: position[0], latitude: position[1])
    }

    /// Between two points that follow each other there are at most 180 degrees: otherwise the line goes the other way round
    /// the earth, and the polygon would hold nearly all places.
    private static func staysOnItsSide(_ ring: [RegionPolygons.Point]) -> Bool {
        zip(ring, ring.dropFirst()).allSatisfy { abs($0.longitude - $1.longitude) <= RegionPolygons.Point.halfTurn }
    }

    /// Nil if a point is missing.
    private static func whole(_ rings: [[RegionPolygons.Point?]]) -> [[RegionPolygons.Point]]? {
        let points = rings.map { $0.compactMap(\.self) }
        return zip(points, rings).allSatisfy { $0.count == $1.count } ? points : nil
    }

    private func error(_ message: String, _ hint: String) -> ConfigurationError {
        ConfigurationError(file: file, message: message, hint: hint)
    }
}

/// What an event is about. A record says it in words of its own; the reader keeps one of these and drops the words.
package enum EventKind: String, CaseIterable, Sendable, Hashable {
    case fire = "Fire"
    case flood = "Flood"
    case storm = "Storm"
    case winterWeather = "Winter weather"
    case heat = "Heat"
    case earthquake = "Earthquake"
    case landslide = "Landslide"
    case hazardousMaterial = "Hazardous material"
    case utilityOutage = "Utility outage"
    case roadClosure = "Road closure"
    case crash = "Crash"
    case security = "Security"
    /// Whatever the words do not decide.
    case other = "Other"

    /// Its place in the list, which is the order of all outputs.
    package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Finds the kind of an event in the words of a text.
package struct EventWords: Sendable, Hashable {
    private let entries: [(words: String, kind: EventKind)]

    /// - Parameter first: these count before the standard words; the first entry that occurs decides.
    package init(_ first: [(words: String, kind: EventKind)] = []) {
        entries = first.map { (Self.folded($0.words), $0.kind) } + Self.standard
    }

    /// The kind of the first entry of which all words occur in the text, one after the other; `other` if none does.
    package func kind(of text: String) -> EventKind {
        let text = Self.folded(text)
        return entries.first { text.contains($0.words) }?.kind ?? .other
    }

    /// Lower case, with one blank before, between and after the words.
    private static func folded(_ text: String) -> String {
        " " + text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
    }

    package static func == (left: EventWords, right: EventWords) -> Bool {
        left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        for entry in entries { hasher.combine(entry.words) }
    }

    private static let standard: [(words: String, kind: EventKind)] = [
        (.hazardousMaterial, "gas leak, hazmat, hazardous material, chemical spill, spill, chemical, toxic, fumes"),
        (.fire, "wildfire, wildfires, fire, fires, brush fire, smoke, burning"),
        (.flood, "flash flood, flood, floods, flooded, flooding, high water, overflow"),
        (.winterWeather, "winter weather, snow, snowstorm, blizzard, ice, icy, ice storm, sleet"),
        (.storm, "storm, storms, tornado, hurricane, wind, high wind, thunderstorm, lightning, hail"),
        (.heat, "extreme heat, heat, heatwave"),
        (.earthquake, "earthquake, quake, tremor"),
        (.landslide, "landslide, mudslide, rockslide, sinkhole, debris flow"),
        (.utilityOutage, "power outage, outage, power line, downed line, blackout, water main"),
        (.crash, "crash, accident, collision, pileup"),
        (
            .roadClosure,
            "road closure, road closed, closed road, closure, closed, blocked, roadblock, detour, bridge out"
        ),
        (.security, "shooting, shooter, riot, violence, bomb, threat, armed, police activity"),
    ].flatMap { kind, words in
        words.split(separator: ",").map { (words: folded(String($0)), kind: kind) }
    }
}

package import Trips

/// Values that mean the same in every source: plain words for a status or a trip type, and NEMSIS codes.
package enum StandardValues {
    /// Keys in lower case. "Scheduled" and the like are not among them: such a row is not yet a trip, and a profile
    /// must say what it is.
    package static let status: [String: String] = [
        "completed": "completed", "complete": "completed", "cancelled": "cancelled", "canceled": "cancelled",
        "cancel": "cancelled", "no_show": "no_show", "no show": "no_show", "no-show": "no_show", "noshow": "no_show",
        "void": "void", "voided": "void",
    ]

    private static let emergency = [
        "emergency", "emergent", "911", "2205001", "2205003", "2205009", "emergency response (primary response area)",
        "emergency response (intercept)", "emergency response (mutual aid)",
    ]
    private static let routine = [
        "routine", "non-emergency", "nonemergency", "non-emergent", "2205005", "2205007", "2205015", "2205017",
        "2205019", "hospital-to-hospital transfer", "other routine medical transport",
        "hospital to non-hospital facility transfer", "non-hospital facility to non-hospital facility transfer",
        "non-hospital facility to hospital transfer",
    ]

    /// Words in a value that are a sign of a status or a trip type, for proposals only. A value with one of `negations` is
    /// for a person to decide: "Patient declined transport" is not a transport.
    private static let statusWords: [(status: String, words: Set<String>)] = [
        ("cancelled", ["cancelled", "canceled", "cancel", "cancellation"]),
        ("completed", Set(words: "completed complete transport transported closed finished performed done")),
    ]
    private static let typeWords: [(type: String, words: Set<String>)] = [
        ("Routine", Set(words: "transfer interfacility routine scheduled discharge dialysis nonemergency nonemergent")),
        ("Emergency", ["emergency", "emergent", "911"]),
    ]
    private static let negations: Set<String> = ["no", "non", "not", "without", "declined", "refused", "refusal"]

    /// The status that a value is or seems to be.
    static func status(guessedFrom text: String) -> String? {
        status[text.lowercased()] ?? guess(text, among: statusWords.map { ($0.status, $0.words) })
    }

    /// Whether a value is or seems to be a status, and may be written into a profile.
    package static func isStatus(_ text: String) -> Bool {
        status[text.lowercased()] != nil || (status(guessedFrom: text) != nil && ValueWords.mayShow(text, of: .status))
    }

    /// The trip type that a value seems to be.
    static func tripType(guessedFrom text: String) -> String? {
        guess(text, among: typeWords.map { ($0.type, $0.words) })
    }

    private static func guess(_ text: String, among table: [(value: String, words: Set<String>)]) -> String? {
        let words = Set(HeaderName(text.lowercased().replacing("non-emerg", with: "nonemerg")).words)
        guard words.isDisjoint(with: negations) else { return nil }
        return table.first { !$0.words.isDisjoint(with: words) }?.value
    }

    /// The canonical value of a text, if it has one without a profile.
    package static func value(of text: String, for field: CanonicalField, in vocabulary: Vocabulary) -> String? {
        maps(for: vocabulary)[field]?.entries[text.trimmingBlanks().lowercased()]
    }

    /// The maps of a file without a profile. Trip types are mapped only to names that the vocabulary has, or that its open list
    /// may have.
    package static func maps(for vocabulary: Vocabulary) -> [CanonicalField: ValueMap] {
        var types: [String: String] = [:]
        for (name, words) in [("Emergency", emergency), ("Routine", routine)]
        where vocabulary.tripTypes.code(of: name) != nil || vocabulary.openLists.contains(.tripType) {
            for word in words { types[word] = name }
        }
        for name in vocabulary.tripTypes.names { types[name.lowercased()] = name }
        var regions: [String: String] = [:]
        for name in vocabulary.regions.names { regions[name.lowercased()] = name }
        return [
            .status: ValueMap(entries: status), .tripType: ValueMap(entries: types),
            .region: ValueMap(entries: regions),
        ]
    }
}

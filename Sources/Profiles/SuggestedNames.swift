internal import Trips

/// The header names that `map suggest` knows: those of `SynonymTable`, and many more that are too loose to load by.
///
/// A name is worth 90 for its field, 3 less for each tier; a name after `?` is worth 60, 2 less for each
/// tier; after a second `?` 40.
struct SuggestedNames: Sendable {
    /// A field that a name may mean; nil for a name that is known to mean no field.
    struct Entry: Sendable, Hashable {
        let field: CanonicalField?
        var percent: Int
    }

    private let byKey: [String: [Entry]]
    private let byWords: [Set<String>: [Entry]]
    /// The names of several words that hold a word.
    private let namesOfWord: [String: [Set<String>]]
    private let forms: WordForms

    static let standard = SuggestedNames(text: standardText, forms: WordForms(text: wordForms))

    private init(text: String, forms: WordForms) {
        var byKey: [String: [Entry]] = [:]
        var byWords: [Set<String>: [Entry]] = [:]
        func add(_ name: String, _ entry: Entry) {
            let name = HeaderName(name)
            if byKey[name.key]?.contains(where: { $0.field == entry.field }) != true {
                byKey[name.key, default: []].append(entry)
            }
            let words = forms.words(of: name)
            if !words.isEmpty, byWords[words]?.contains(where: { $0.field == entry.field }) != true {
                byWords[words, default: []].append(entry)
            }
        }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let field = CanonicalField(rawValue: String(parts[0]))
            for (start, names) in zip([(90, 3), (60, 2), (40, 0)], parts[1].split(separator: "?")) {
                for (tier, names) in names.split(separator: ">").enumerated() {
                    let entry = Entry(field: field, percent: start.0 - start.1 * tier)
                    for name in names.split(separator: ",") { add(String(name), entry) }
                }
            }
        }
        // A name of that text has only the meaning it has there.
        let own = Set(byKey.keys)
        for (field, tiers) in SynonymTable.standardNames {
            for (tier, names) in tiers.enumerated() {
                for name in names where !own.contains(HeaderName(name).key) {
                    add(name, Entry(field: field, percent: 90 - 3 * tier))
                }
            }
        }
        self.byKey = byKey
        self.byWords = byWords.mapValues(Self.doubted)
        var namesOfWord: [String: [Set<String>]] = [:]
        for words in byWords.keys where words.count > 1 {
            for word in words { namesOfWord[word, default: []].append(words) }
        }
        self.namesOfWord = namesOfWord
        self.forms = forms
    }

    /// Words that name several fields name each of them with doubt.
    private static func doubted(_ entries: [Entry]) -> [Entry] {
        guard entries.count > 1 else { return entries }
        return entries.map { Entry(field: $0.field, percent: min($0.percent, 65)) }
    }

    /// Whether it is a known name as it is, or has the words of one with several.
    func isKnown(_ name: HeaderName) -> Bool {
        if byKey[name.key] != nil { return true }
        let words = forms.words(of: name)
        return words.count > 1 && byWords[words] != nil
    }

    /// What a name may mean, and how it was recognised. Empty if it is not known.
    ///
    /// In this order: known as it is; the same words apart from their forms and order (5 less); a known name of another word
    /// for a trip, or without it (`Nature of Run`, `Response District`); only words that name the same field (`Zone/County`);
    /// most words of a name with several (the share of common words).
    func meanings(of name: HeaderName) -> (entries: [Entry], reason: String) {
        if let entries = byKey[name.key] { return (entries, "known name") }
        let readings = forms.readings(of: name).filter { !$0.isEmpty }
        // `Pickup Phone` is a number, and no time of a pickup.
        guard name.element == nil, let words = readings.first, words.isDisjoint(with: Self.phoneWords) else {
            return ([], "")
        }
        for words in readings {
            guard let entries = byWords[words] else { continue }
            return (
                entries.map { Entry(field: $0.field, percent: Self.lowered($0.percent)) }, "the words of a known name"
            )
        }
        for words in readings {
            if let entry = ofAnotherTripWord(words) { return ([entry], "a known name but for the word for a trip") }
            if let entry = ofEachWord(words) { return ([entry], "each word is a known name") }
        }
        return nearest(to: words)
    }

    private static let phoneWords: Set<String> = ["phone", "telephone", "fax"]
    private static let tripWords: Set<String> = [
        "trip", "run", "call", "incident", "response", "transport", "event", "job", "ride", "case", "mission",
    ]

    /// The one field of the names that differ only in the word for a trip, with doubt.
    private func ofAnotherTripWord(_ words: Set<String>) -> Entry? {
        guard words.count > 1, words.intersection(Self.tripWords).count == 1 else { return nil }
        let rest = words.subtracting(Self.tripWords)
        let known = Self.tripWords.compactMap { byWords[rest.union([$0])] } + [byWords[rest]].compactMap(\.self)
        return Self.common(known.flatMap(\.self))
    }

    /// The one field that each of several words names by itself, with doubt.
    private func ofEachWord(_ words: Set<String>) -> Entry? {
        let known = words.map { byWords[[$0]] ?? [] }
        guard let first = known.first, known.count > 1 else { return nil }
        let fields = known.dropFirst().reduce(Set(first.map(\.field))) { $0.intersection($1.map(\.field)) }
        guard fields.count == 1 else { return nil }
        return Self.common(known.flatMap(\.self).filter { fields.contains($0.field) })
    }

    /// Nil unless all name one field.
    private static func common(_ entries: [Entry]) -> Entry? {
        guard let field = entries.first?.field, entries.allSatisfy({ $0.field == field }) else { return nil }
        return Entry(field: field, percent: lowered(min(60, entries.map(\.percent).max() ?? 0)))
    }

    /// 5 less, but what is worth proposing still is.
    private static func lowered(_ percent: Int) -> Int { max(percent - 5, min(percent, ColumnScore.proposed)) }

    private func nearest(to words: Set<String>) -> (entries: [Entry], reason: String) {
        var best = 0.0
        var nearest: [CanonicalField?: Entry] = [:]
        for known in Set(words.flatMap { namesOfWord[$0] ?? [] }) {
            let share = Double(known.intersection(words).count) / Double(known.union(words).count)
            guard share >= best else { continue }
            if share > best { nearest = [:] }
            best = share
            for entry in byWords[known] ?? [] {
                let percent = Int(Double(entry.percent) * share)
                if percent > nearest[entry.field]?.percent ?? 0 {
                    nearest[entry.field] = Entry(field: entry.field, percent: percent)
                }
            }
        }
        return (best >= 0.5 ? Array(nearest.values) : [], "most words of a known name")
    }
}

/// Words that are the same for the comparison of names, and words that do not count.
struct WordForms: Sendable {
    private let forms: [String: String]
    /// Short forms of a second word: `rec` is received, or record.
    private let seconds: [String: String]
    private let fillers: Set<String>

    /// A line for each word, its other forms after it; a line of `-` has the words that do not count, one of `=` a short form
    /// and the second word that it may be.
    init(text: String) {
        var forms: [String: String] = [:]
        var seconds: [String: String] = [:]
        var fillers: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.first == "-" {
                fillers.formUnion(words.dropFirst())
            } else if words.first == "=", words.count == 3 {
                seconds[words[1]] = words[2]
            } else if let word = words.first {
                for form in words { forms[form] = word }
            }
        }
        self.forms = forms
        self.seconds = seconds
        self.fillers = fillers
    }

    /// The words of a name, then those with the second word of short forms.
    func readings(of name: HeaderName) -> [Set<String>] {
        let first = words(of: name)
        guard name.words.contains(where: { seconds[$0] != nil }) else { return [first] }
        let counted = name.words.filter { !fillers.contains($0) }
        return [first, Set(counted.map { seconds[$0] ?? forms[$0] ?? $0 })]
    }

    func words(of name: HeaderName) -> Set<String> {
        Set(name.words.filter { !fillers.contains($0) }.map { forms[$0] ?? $0 })
    }
}

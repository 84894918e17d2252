package import Trips

/// The header names that are known to mean a canonical field (NEMSIS 3.5.1, and the headers of common dispatch and billing systems).
///
/// The names of a field have tiers. A name of an earlier tier is preferred where a file has several; two names of the
/// same tier in one file are ambiguous, and only a profile can decide.
package struct SynonymTable: Sendable {
    /// What a header name means.
    package struct FieldMatch: Sendable, Hashable {
        package var field: CanonicalField
        /// 0 is preferred.
        package var tier: Int

        package init(field: CanonicalField, tier: Int) {
            self.field = field
            self.tier = tier
        }
    }

    private let meanings: [String: FieldMatch]
    /// Keys by their length.
    private let keys: [Int: [[Unicode.Scalar]]]

    /// For each field its tiers of names as sources write them.
    package init(names: [CanonicalField: [[String]]]) {
        var meanings: [String: FieldMatch] = [:]
        for field in CanonicalField.allCases {
            for (tier, names) in (names[field] ?? []).enumerated() {
                for name in names {
                    let key = HeaderName(name).key
                    if meanings[key] == nil { meanings[key] = FieldMatch(field: field, tier: tier) }
                }
            }
        }
        for field in CanonicalField.allCases {
            meanings[HeaderName(field.rawValue).key] = FieldMatch(field: field, tier: 0)
        }
        self.meanings = meanings
        keys = Dictionary(grouping: meanings.keys.map { Array($0.unicodeScalars) }, by: \.count)
    }

    package static let standard = SynonymTable(names: standardNames)

    /// What a header means, if its name is known. Estimates mean nothing: they are never cost or miles. Only the field's
    /// own name means an estimate of miles.
    ///
    /// Of a field of JSON that lies below a usual container (`properties.trip_id` of GeoJSON), the rest of its name counts. The key
    /// of a record, where records are listed by their ids, is its id if nothing else is.
    package func meaning(of header: String) -> FieldMatch? {
        if header == Self.keyName { return FieldMatch(field: .tripID, tier: Self.keyTier) }
        if let inner = Self.nameWithinContainer(header) { return meaning(of: inner) }
        let name = HeaderName(header)
        let isEstimate = Self.isEstimate(name) && header.lowercased() != CanonicalField.estimatedMiles.rawValue
        return isEstimate ? nil : meanings[name.key]
    }

    private static let containers: Set<String> = [
        "properties", "attributes", "_source", "fields", "node", "document", "doc", "record",
    ]
    private static let keyTier = 100
    /// Under which the reader of JSON gives the key of a record.
    static let keyName = "@key"

    /// The name of a field of JSON below a usual container, or around the type of its value: `trip_id` of `properties.trip_id`, `cost` of
    /// `cost.$numberDecimal`.
    static func nameWithinContainer(_ header: String) -> String? {
        if let type = header.firstRange(of: ".$") { return String(header[..<type.lowerBound]) }
        guard let point = header.firstIndex(of: "."), containers.contains(String(header[..<point])) else { return nil }
        return String(header[header.index(after: point)...])
    }

    /// What a header that is not known may mean: a name of at least six letters one edit away. Nil if several fields
    /// are as near.
    package func nearMeaning(of header: String) -> FieldMatch? {
        let name = HeaderName(header)
        guard !Self.isEstimate(name), name.element == nil, meanings[name.key] == nil, name.key.count >= 6
        else { return nil }
        var found: FieldMatch?
        let own = Array(name.key.unicodeScalars)
        for key in (own.count - 1...own.count + 1).flatMap({ keys[$0] ?? [] }) where Self.isOneEdit(own, key) {
            guard let meaning = meanings[String(String.UnicodeScalarView(key))] else { continue }
            if let found, found.field != meaning.field { return nil }
            found = meaning
        }
        return found.map { FieldMatch(field: $0.field, tier: $0.tier + 1) }
    }

    /// Whether a name speaks of an estimated amount (`Est Cost`, `Estimated Distance (miles)`): such a column is never
    /// cost and never miles.
    package static func isEstimate(_ name: HeaderName) -> Bool {
        let guesses: Set<String> = ["est", "estimate", "estimated", "planned", "quoted", "expected", "scheduled"]
        let amounts: Set<String> = ["cost", "miles", "mileage", "distance", "fare", "rate", "amount", "price"]
        return !guesses.isDisjoint(with: name.words) && !amounts.isDisjoint(with: name.words)
    }

    /// Whether one inserted, dropped or changed letter, or two swapped neighbours, make one word of the other.
    static func isOneEdit(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        guard short != long, long.count - short.count <= 1 else { return false }
        let start = zip(short, long).prefix { $0 == $1 }.count
        let end = zip(short.dropFirst(start).reversed(), long.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let shortRest = short[start..<(short.count - end)], longRest = long[start..<(long.count - end)]
        if shortRest.count <= 1, longRest.count <= 1 { return true }
        return shortRest.count == 2 && longRest.count == 2 && shortRest.elementsEqual(longRest.reversed())
    }
}

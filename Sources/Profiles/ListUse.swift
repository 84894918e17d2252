import Basics
import Trips

/// How the values of a column fit the list of its field: which entries they mean, and how many records have which other value.
/// Other values are those in no list, and those that an open list took from the exports.
///
/// A value may be shown only if at least `MinimumCell.standard` records have it.
package struct ListUse: Sendable, Redacted {
    /// A column with more different values holds no regions and no trip types.
    private static let mostValues = 1 << 16
    private static let longestName = 64

    /// What the column seems to hold of persons, by its name: its values are then not shown.
    package var sign: PHIColumnCheck.Sign?
    /// Codes of the entries that values mean.
    package private(set) var entries: Set<UInt8> = []
    private var values: [String] = [""]
    /// By index in `values`; first those of values beyond `mostValues`.
    private var records = [0]
    /// Standard entries that values mean, and that a guessed list does not have.
    package private(set) var lacking: Set<String> = []
    /// Indices in `values` of those that an open list took.
    private var taken: Set<Int> = []
    private var indexes: [String: Int] = [:]

    package init() {}

    package mutating func use(_ entry: UInt8) { entries.insert(entry) }

    package mutating func lack(_ entry: String) { lacking.insert(entry) }

    /// The number of a value, for `count`. Another spelling of it is another value here.
    ///
    /// - Parameter isTaken: whether an open list took it; else it is in no list.
    package mutating func index(of value: String, isTaken: Bool = false) -> Int {
        if let known = indexes[value] { return known }
        guard values.count <= Self.mostValues else { return 0 }
        values.append(value)
        records.append(0)
        indexes[value] = values.count - 1
        if isTaken { taken.insert(values.count - 1) }
        return values.count - 1
    }

    package mutating func count(_ index: Int, records more: Int = 1) { records[index] += more }

    /// Takes back a count: the record is none.
    package mutating func uncount(_ value: String) {
        guard let index = indexes[value], records[index] > 0 else { return }
        records[index] -= 1
    }

    package mutating func merge(_ other: ListUse) {
        entries.formUnion(other.entries)
        lacking.formUnion(other.lacking)
        sign = sign ?? other.sign
        for (place, value) in other.values.enumerated() {
            let index = value.isEmpty ? 0 : index(of: value, isTaken: other.taken.contains(place))
            count(index, records: other.records[place])
        }
    }

    /// Records with a value that is in no list.
    package var unlisted: Int { records.reduce(0, +) - taken.reduce(0) { $0 + records[$1] } }

    /// Whether the column has more different values than any list.
    package var isTooVaried: Bool { records[0] > 0 }

    /// The values that enough records have, without regard to case; each in its most frequent spelling, and of equals in the
    /// first by letters. In the order of the names. None of a column that seems to hold something of persons.
    ///
    /// - Parameters:
    ///   - fewest: so many records make a value a name.
    ///   - isTaken: false: of values that are in no list only.
    package func named(ofAtLeast fewest: Int = MinimumCell.standard, withTaken isTaken: Bool) -> [(
        name: String, records: Int
    )] {
        if sign != nil { return [] }
        var spellings: [String: [(value: String, records: Int)]] = [:]
        for (place, value) in values.enumerated().dropFirst() where isTaken || !taken.contains(place) {
            guard Self.canBeName(value) else { continue }
            spellings[value.lowercased(), default: []].append((value, records[place]))
        }
        let names = spellings.values.compactMap { spellings -> (name: String, records: Int)? in
            let total = spellings.reduce(0) { $0 + $1.records }
            guard total >= fewest else { return nil }
            let name = spellings.min { ($1.records, $0.value) < ($0.records, $1.value) }
            return name.map { ($0.value, total) }
        }
        // Each of them may be any date, all of them together are of persons.
        if PHIColumnCheck.sign(ofValues: names.map(\.name)) != nil { return [] }
        return names.sorted { $0.name < $1.name }
    }

    /// The checks of a configured name; and it has no number of a person and no address of e-mail.
    private static func canBeName(_ value: String) -> Bool {
        (1...longestName).contains(value.count) && !["all", "unassigned"].contains(value.lowercased())
            && value.unicodeScalars.allSatisfy {
                !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
            }
            && PHIColumnCheck.sign(ofValues: [value]) == nil
    }
}

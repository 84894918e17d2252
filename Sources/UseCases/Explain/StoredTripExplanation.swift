import Basics
import Keys
import Rules
import Store
package import Trips

/// Why a trip is what it is, as the store knows it: its versions, which one counts, and what each rule says. Neither its
/// ids nor any other value of it is in it.
package struct StoredTripExplanation: Sendable, CustomStringConvertible {
    private let lines: [String]

    package var description: String { lines.joined(separator: "\n") }

    /// Looks the trip up by its pseudonym, in the store only.
    ///
    /// - Parameters:
    ///   - legID: nil: the trip has no leg id.
    ///   - source: where the id is from; nil: all sources of the store are tried.
    package init(
        tripID: Sensitive<String>, legID: Sensitive<String>?, source: String?, _ site: StoreSite,
        _ figures: FigureSettings
    ) throws {
        let store = try TripStore(reading: site.store)
        let key = try site.key(of: store)
        let exports = Dictionary(try store.exports().map { ($0.sha256, $0) }) { first, _ in first }
        let sources = Set(exports.values.map { $0.supplements ?? $0.source }).filter { source == nil || $0 == source }
            .sorted()
        let before = try store.rules()
        let texts = store.texts.all
        var lines: [String] = []
        for source in sources {
            let tripKey = Pseudonymizer(key: key, source: source).tripKey(
                tripID: Array(tripID.revealed(for: .lookup).utf8),
                legID: Array((legID?.revealed(for: .lookup) ?? "").utf8))
            guard let versions = try store.versions(of: tripKey) else { continue }
            let count = versions.own.count
            lines += ["source \(source): \(count) \(count == 1 ? "version" : "versions") of the trip in the store"]
            func line(_ trip: StoredTrip, _ sha256: String, _ fate: String) -> String {
                let label = exports[sha256]?.label ?? "export"
                return "  \(label) (\(sha256.prefix(12))), record at byte \(trip.recordOffset): \(fate)"
            }
            lines += versions.own.map { trip, sha256 in
                line(trip, sha256, Self.fate(trip, newest: versions.own[0].trip, versions: count, texts))
            }
            lines += versions.parts.map { trip, sha256 in
                line(trip, sha256, "a part of the trip, of source \(exports[sha256]?.source ?? "")")
            }
            guard let counted = versions.counted else {
                lines.append("  waits: no export has more than parts of the trip, so it does not count")
                continue
            }
            lines.append(TripExplanation.statusLine(TripStatus(rawValue: counted.status) ?? .completed))
            lines += Self.explanation(counted, figures.rules, texts).description.split(separator: "\n").map(String.init)
        }
        guard !lines.isEmpty else { throw TripNotStored(sources: sources.count, hasLeg: legID != nil) }
        if before.version != figures.rules.version {
            lines.append(
                "note: the store was classified by other rules, \(before.name), version \(before.version.prefix(12)); "
                    + "`tripkpi run` and `tripkpi classify` change that")
        }
        if let drift = try ProfileDrift(store, figures.reading) { lines.append(drift.description) }
        self.lines = lines
    }

    private static func fate(
        _ trip: StoredTrip, newest: StoredTrip, versions: Int, _ texts: [Int32: String]
    ) -> String {
        if trip == newest { return versions > 1 ? "counts, the newest" : "counts" }
        if trip.isCopy(of: newest) { return "unchanged, the same record again" }
        let sourcing = Sourcing(rawValue: trip.facts.sourcing) ?? .unclassified
        let rule = texts[trip.facts[.rule]].flatMap { $0.isEmpty ? nil : ", by rule \($0)" } ?? ""
        return "superseded (was \(sourcing.name)\(rule))"
    }

    private static func explanation(
        _ facts: TripFacts, _ rules: RuleSet, _ texts: [Int32: String]
    ) -> ClassificationExplanation {
        let places = Dictionary(uniqueKeysWithValues: StoredText.publicFields.map { ($0.field, $0.text) })
        return rules.explain(
            day: CivilDay(daysSince1970: facts.day),
            value: { field in
                places[field].flatMap { texts[facts[$0]] }.flatMap { $0.isEmpty ? nil : $0 }
            }, testResults: texts[facts[.testResults]] ?? "")
    }
}

/// No trip of the store has the id asked for. It does not say the id.
package struct TripNotStored: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package var sources: Int
    package var hasLeg: Bool

    package var failureKind: FailureKind { .inputMissing }

    package var description: String {
        guard sources > 0 else {
            return "no export of that source is in the store; `tripkpi query export_ledger --internal` lists them"
        }
        let leg =
            hasLeg ? "check both ids letter for letter" : "check the id letter for letter; one with legs needs --leg"
        return "no trip of the store has this id (\(sources) \(sources == 1 ? "source" : "sources") tried); \(leg)"
    }
}

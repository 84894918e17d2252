package import Profiles
package import Trips

/// How the exports of a source are read, as far as readers of the figures are told.
package struct SourceReading: Codable, Sendable, Hashable {
    /// The system that writes the exports.
    package var source: String
    /// What decides the month of a trip, such as `local time, America/New_York`.
    package var dateBasis: String
    /// What intervals are measured between, where it is not the standard: see `[TripInterval: EventPair].text`.
    package var intervalPairs: String
    /// A longer interval is taken for a fault.
    package var maximumIntervalSeconds: Int

    package init(source: String, dateBasis: String, intervalPairs: String, maximumIntervalSeconds: Int) {
        self.source = source
        self.dateBasis = dateBasis
        self.intervalPairs = intervalPairs
        self.maximumIntervalSeconds = maximumIntervalSeconds
    }

    /// - Parameter zone: of the settings, for a profile that names none.
    package init(_ profile: Profile, zone: String?) {
        self.init(
            source: profile.source, dateBasis: Self.dateBasis(zone: profile.zone ?? zone),
            intervalPairs: profile.intervalPairs.text, maximumIntervalSeconds: profile.maximumIntervalSeconds)
    }

    /// - Parameter zone: nil: none is configured.
    package static func dateBasis(zone: String?) -> String {
        zone.map { "local time, \($0)" } ?? "times as printed; no zone configured"
    }
}

extension Collection<SourceReading> {
    /// One sentence for all of them.
    package var dateBasis: String {
        var bases = Set(map(\.dateBasis)).sorted()
        if Set(map(\.intervalPairs)).count > 1 {
            // One table cannot say it of each interval: it says which sources differ.
            bases += Set(filter { !$0.intervalPairs.isEmpty }.map { "\($0.source): \($0.intervalPairs)" }).sorted()
        }
        return bases.isEmpty ? "no exports" : bases.joined(separator: "; ")
    }

    /// What intervals are measured between, if it is the same in all; else the standard pairs, and `dateBasis` says so.
    package var intervalPairs: [TripInterval: EventPair] {
        let texts = Set(map(\.intervalPairs))
        return [TripInterval: EventPair](text: texts.count == 1 ? texts.first ?? "" : "")
    }
}

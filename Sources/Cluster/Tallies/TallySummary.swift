import KPIs
package import Reporting
package import Trips

/// What a file of tallies is the sum of, and how its exports were read.
///
/// It is the last line of the file, as a JSON object after `#`. A file without it is not complete.
package struct TallySummary: LastLine, Codable, Sendable, Hashable {
    package static let format = "tripkpi-tally"
    /// Changes when the file means something else. The form of a month's tally has a version of its own.
    package static let version = 1

    package var format = TallySummary.format
    package var version = TallySummary.version
    /// Such as `tripkpi 0.1.0`.
    package var tool: String
    package var rulesName: String
    package var rulesVersion: String
    /// Of the key of the patients' pseudonyms: patients of tallies of different keys cannot be counted together.
    package var keyFingerprint: String
    /// By code.
    package var regions: [String]
    /// By code.
    package var tripTypes: [String]
    /// Each way in which an export was read, once.
    package var readings: [SourceReading]
    /// The SHA-256 of each export, ascending.
    package var exports: [String]
    /// Of the records; a trip is counted by its newest version.
    package var counts: ReadCounts
    /// Trips whose newest version is void: they are in no tally.
    package var void: Int

    /// Of tallies that hold these trips.
    var shape: KPITally.Shape {
        KPITally.Shape(
            regionCount: regions.count, tripTypeCount: tripTypes.count,
            maximumIntervalSeconds: readings.map(\.maximumIntervalSeconds).max() ?? 86_400)
    }

    /// Whether its numbers can be: those of a damaged or made-up file must not overflow a sum.
    private var isPossible: Bool {
        counts.isPossible && (0...counts.added).contains(void) && (1...255).contains(regions.count)
            && (1...255).contains(tripTypes.count)
            && readings.allSatisfy { (1...TripInterval.longestLimitSeconds).contains($0.maximumIntervalSeconds) }
    }

    /// Nil if tallies with it can be added to others.
    var problem: TallyFileError.Problem? {
        if Set(exports).count < exports.count { return .repeatedExport }
        return isPossible ? nil : .impossibleSummary
    }
}

import Foundation
import KPIs
import Trips

/// What a file of tallies is the sum of, and how its exports were read.
///
/// It is the last line of the file, as a JSON object after `#`. A file without it is not complete.
package struct TallySummary: Codable, Sendable, Hashable {
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
    package var read: Int
    /// Trips, each by its newest version.
    package var added: Int
    /// Of `added`, those that are void and in no figure.
    package var void: Int
    package var unchanged: Int
    package var superseded: Int
    package var skipped: Int
    package var rejected: Int

    var counts: ReadCounts {
        var counts = ReadCounts()
        counts.read = read
        counts.added = added
        counts.unchanged = unchanged
        counts.superseded = superseded
        counts.skipped = skipped
        counts.rejected = rejected
        return counts
    }

    /// Of tallies that hold these trips.
    var shape: KPITally.Shape {
        KPITally.Shape(
            regionCount: regions.count, tripTypeCount: tripTypes.count,
            maximumIntervalSeconds: readings.map(\.maximumIntervalSeconds).max() ?? 86_400)
    }

    /// Whether its numbers can be: those of a damaged or made-up file must not overflow a sum.
    var isPossible: Bool {
        let numbers = [read, added, void, unchanged, superseded, skipped, rejected]
        return numbers.allSatisfy { (0...1 << 48).contains($0) } && counts.isReconciled && void <= added
            && (1...255).contains(regions.count) && (1...255).contains(tripTypes.count)
            && readings.allSatisfy { (1...1 << 30).contains($0.maximumIntervalSeconds) }
            && Set(exports).count == exports.count
    }

    /// The line with its end.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array("#".utf8) + (try encoder.encode(self)) + Array("\n".utf8)
    }
}
